#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/robot/collision_data.hpp"

namespace tactus {
namespace detail {

// Roundings of 2^-53 of the lengths that a frame adds to a pose: a product of two matrices, the
// sine and cosine, and the value itself, which a polynomial may have given.
constexpr double kRoundings = 64.0;

void place(const CollisionData& data, const double* configuration, PlacedRobot& out) {
  frame_poses(RobotAccess::data(data.robot), configuration, out.frames);
  out.capsules.resize(data.items.size());
  for (std::size_t i = 0; i < data.items.size(); ++i)
    out.capsules[i] = placed(data.items[i].capsule, out.frames[data.items[i].frame]);
}

DistanceResult measure(const CollisionData& data, const PlacedRobot& at, const ItemPair& pair,
                       const QueryOptions& options, QueryCache* cache) {
  const CollisionItem &a = data.items[pair.a], &b = data.items[pair.b];
  QueryOptions own = options;
  own.signed_distance = !a.bare && !b.bare;
  return distance(*a.shape, at.frames[a.frame] * a.pose, *b.shape, at.frames[b.frame] * b.pose, own,
                  cache);
}

DistanceResult measure_surfaces(const CollisionData& data, const PlacedRobot& at,
                                const ItemPair& pair, double most, QueryCache* cache) {
  const CollisionItem &a = data.items[pair.a], &b = data.items[pair.b];
  if (!a.mesh && !b.mesh) return {};
  QueryOptions options;
  options.max_distance = most;
  options.signed_distance = false;
  return distance(*a.shape, at.frames[a.frame] * a.pose, *b.shape, at.frames[b.frame] * b.pose,
                  options, cache);
}

double placement_error(const CollisionData& data, const ItemPair& pair, double most) {
  const RobotData& robot = RobotAccess::data(data.robot);
  const auto of = [&](const CollisionItem& item) {
    const double size = item.size < kInfinity ? item.size : 0.0;
    const double frames = static_cast<double>(robot.depth[item.frame] + 1);
    return frames * (size + robot.length[item.frame] + most);
  };
  return kRoundings * kUnit * (1.0 + most) * (of(data.items[pair.a]) + of(data.items[pair.b]));
}

RobotDistance named(const CollisionData& data, const ItemPair& pair,
                    const DistanceResult& distance) {
  const CollisionItem &a = data.items[pair.a], &b = data.items[pair.b];
  return {a.link, b.link, a.body, b.body, distance};
}

namespace {

/// A pair that waits, by its lower bound.
struct Waiting {
  double bound;
  std::uint32_t pair;
  /// Heaps have the largest on top: here the least bound, ties by place.
  friend bool operator<(const Waiting& x, const Waiting& y) {
    return x.bound != y.bound ? x.bound > y.bound : x.pair > y.pair;
  }
};

void add_gradient(const CollisionData& data, const PlacedRobot& at, const ItemPair& pair,
                  const DistanceResult& r, std::vector<double>& gradient) {
  const RobotData& robot = RobotAccess::data(data.robot);
  const auto add = [&](const std::vector<std::uint32_t>& chain, const Vec3& point, double sign) {
    for (const std::uint32_t k : chain) {
      const Frame& frame = robot.frames[k];
      const Vec3 axis = at.frames[k].rotation() * frame.axis;
      const Vec3 velocity =
          frame.motion == FrameMotion::turn ? cross(axis, point - at.frames[k].position()) : axis;
      gradient[frame.coordinate] += sign * frame.multiplier * dot(r.normal, velocity);
    }
  };
  add(data.chains[pair.chain].of_a, r.point_a, -1.0);
  add(data.chains[pair.chain].of_b, r.point_b, 1.0);
}

/// One place for each pair of links: that of its nearest bodies.
void keep_nearest(std::vector<RobotDistance>& list) {
  std::stable_sort(list.begin(), list.end(), [](const RobotDistance& x, const RobotDistance& y) {
    return x.distance.distance < y.distance.distance;
  });
  const auto key = [](const RobotDistance& d) {
    return std::array<std::int64_t, 3>{d.link_a, d.link_b, d.link_b < 0 ? d.body_b : 0};
  };
  std::vector<std::array<std::int64_t, 3>> seen;
  std::vector<RobotDistance> kept;
  for (const RobotDistance& d : list) {
    const auto place = std::lower_bound(seen.begin(), seen.end(), key(d));
    if (place != seen.end() && *place == key(d)) continue;
    seen.insert(place, key(d));
    kept.push_back(d);
  }
  list = std::move(kept);
}

}  // namespace
}  // namespace detail

using namespace detail;

RobotClearance RobotCollision::clearance(std::span<const double> configuration,
                                         const ClearanceOptions& options, RobotCache* cache) const {
  const CollisionData& data = *data_;
  require_configuration(RobotAccess::data(data.robot), configuration);
  PlacedRobot at;
  place(data, configuration.data(), at);
  if (cache != nullptr) cache->pairs.resize(data.item_pairs.size());
  std::vector<Waiting> waiting(data.item_pairs.size());
  for (std::uint32_t i = 0; i < waiting.size(); ++i) {
    const ItemPair& pair = data.item_pairs[i];
    waiting[i] = {capsule_gap(at.capsules[pair.a], at.capsules[pair.b]).gap, i};
  }
  std::make_heap(waiting.begin(), waiting.end());
  RobotClearance found;
  const ItemPair* least = nullptr;
  QueryOptions query;
  query.tolerance = options.tolerance;
  while (!waiting.empty()) {
    query.max_distance = std::max(found.upper, options.below);
    if (waiting.front().bound > query.max_distance) break;
    const std::uint32_t i = waiting.front().pair;
    std::pop_heap(waiting.begin(), waiting.end());
    waiting.pop_back();
    const ItemPair& pair = data.item_pairs[i];
    const DistanceResult r =
        measure(data, at, pair, query, cache != nullptr ? &cache->pairs[i] : nullptr);
    ++found.measured;
    found.lower = std::min(found.lower, r.lower);
    if (r.lower > query.max_distance) continue;
    if (r.distance <= options.below) found.below.push_back(named(data, pair, r));
    found.upper = std::min(found.upper, r.upper);
    if (least == nullptr || r.distance < found.least.distance.distance) {
      least = &pair;
      found.least = named(data, pair, r);
    }
  }
  // Pairs that were left are farther than the least upper bound.
  if (!waiting.empty()) found.lower = std::min(found.lower, waiting.front().bound);
  keep_nearest(found.below);
  if (options.gradient) {
    found.gradient.assign(configuration.size(), 0.0);
    if (least != nullptr) add_gradient(data, at, *least, found.least.distance, found.gradient);
  }
  return found;
}

}  // namespace tactus
