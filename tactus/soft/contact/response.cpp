#include "tactus/soft/contact/response.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/ccd.hpp"

namespace tactus::soft {

std::string_view to_string(DeformableResponse response) {
  constexpr std::string_view kNames[] = {"continuous", "discrete", "freeze_continuous",
                                         "freeze_discrete"};
  return detail::name_in(kNames, response);
}

}  // namespace tactus::soft

namespace tactus::detail {
namespace {

/// Where a vertex is at a time of a step.
Vec3 between(const Vec3& start, const Vec3& end, double time) {
  return start + (end - start) * time;
}

Vec3 mean_way(std::span<const Vec3> from, std::span<const Vec3> to) {
  Vec3 sum;
  for (std::size_t i = 0; i < from.size(); ++i) sum += to[i] - from[i];
  return sum * (1.0 / static_cast<double>(from.size()));
}

constexpr double kNever = std::numeric_limits<double>::infinity();

Aabb swept_box_of(std::span<const Vec3> a, std::span<const Vec3> b) {
  Aabb box{a[0], a[0]};
  for (const std::span<const Vec3> list : {a, b}) {
    for (const Vec3& v : list) box = merge(box, {v, v});
  }
  return box;
}

/// The ways of all bodies in a step, each as far as it goes.
struct Ways {
  const DeformableWorld& world;
  const Places &start, &end;
  int threads;
  std::vector<double> times;  ///< at which bodies stop; infinite while none is known
  std::vector<Aabb> boxes;    ///< of the whole ways

  Ways(const DeformableWorld& of, const Places& from, const Places& to, int most)
      : world(of), start(from), end(to), threads(most), times(from.size(), kNever) {
    boxes.reserve(start.size());
    for (std::size_t b = 0; b < start.size(); ++b) boxes.push_back(swept_box_of(start[b], end[b]));
  }

  bool moves(std::size_t b) const { return times[b] > 1.0 && start[b] != end[b]; }

  std::vector<Vec3> at(std::size_t b, double time) const {
    std::vector<Vec3> x = start[b];
    for (std::size_t v = 0; v < x.size(); ++v) x[v] = between(x[v], end[b][v], time);
    return x;
  }

  /// When two bodies touch first, from a time on; never where neither moves any more.
  double contact(std::size_t a, std::size_t b, double since) const {
    if (!overlaps(boxes[a], boxes[b]) || (!moves(a) && !moves(b))) return kNever;
    const std::vector<Vec3> from_a = at(a, std::fmin(since, times[a])),
                            from_b = at(b, std::fmin(since, times[b]));
    std::vector<Vec3> to_a = at(a, std::fmin(1.0, times[a])),
                      to_b = at(b, std::fmin(1.0, times[b]));
    // Seen by one who moves along with them, ways are short, and few pairs of faces can meet.
    const Vec3 common = (mean_way(from_a, to_a) + mean_way(from_b, to_b)) * 0.5;
    for (std::vector<Vec3>* to : {&to_a, &to_b}) {
      for (Vec3& x : *to) x -= common;
    }
    if (!overlaps(swept_box_of(from_a, to_a), swept_box_of(from_b, to_b))) return kNever;
    SurfaceCcdOptions options;
    options.max_threads = threads;
    const SurfaceImpacts found =
        surface_impacts({from_a, to_a, world.surface(static_cast<DeformableId>(a))},
                        {from_b, to_b, world.surface(static_cast<DeformableId>(b))}, options);
    if (found.impacts.empty()) return kNever;
    return since + (1.0 - since) * found.impacts.front().contact.time;
  }
};

}  // namespace

Places places_of(const DeformableWorld& world) {
  Places places;
  places.reserve(world.bodies());
  for (DeformableId b = 0; b < world.bodies(); ++b) {
    const std::span<const Vec3> x = world.positions(b);
    places.emplace_back(x.begin(), x.end());
  }
  return places;
}

std::vector<TetrahedralBody> bodies_at(const Places& places, const TetrahedraLists& tetrahedra,
                                       const DeformableWorld& world) {
  std::vector<TetrahedralBody> bodies;
  bodies.reserve(places.size());
  for (DeformableId b = 0; b < places.size(); ++b)
    bodies.push_back({places[b], tetrahedra[b], world.surface(b)});
  return bodies;
}

std::vector<double> first_contacts(const DeformableWorld& world, const Places& start,
                                   const Places& end, int threads) {
  Ways ways(world, start, end, threads);
  const std::size_t count = start.size();
  std::vector<double> pairs(count * count, kNever);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < a; ++b) pairs[a * count + b] = ways.contact(a, b, 0.0);
  }
  for (;;) {
    const auto least = std::min_element(pairs.begin(), pairs.end());
    if (least == pairs.end() || *least > 1.0) return ways.times;
    const double time = *least;
    const auto index = static_cast<std::size_t>(least - pairs.begin());
    const std::size_t both[] = {index / count, index % count};
    bool stops[2] = {};
    for (int k = 0; k < 2; ++k) {
      stops[k] = ways.times[both[k]] > 1.0;
      if (stops[k]) ways.times[both[k]] = time;
    }
    for (int k = 0; k < 2; ++k) {
      if (!stops[k]) continue;
      const std::size_t body = both[k];
      // From then on it stands in the way of others, or no longer comes into theirs.
      for (std::size_t other = 0; other < count; ++other) {
        if (other == body) continue;
        pairs[std::max(body, other) * count + std::min(body, other)] =
            ways.contact(std::max(body, other), std::min(body, other), time);
      }
    }
    pairs[index] = kNever;
  }
}

std::vector<double> contacts_at_end(std::span<const PointPenetration> inside, std::size_t bodies) {
  std::vector<double> times(bodies, kNever);
  for (const PointPenetration& p : inside) times[p.body] = times[p.other] = 1.0;
  return times;
}

bool is_frozen(const DeformableState& state, std::size_t first, std::size_t count) {
  const auto begin = state.held.begin() + static_cast<std::ptrdiff_t>(first);
  return std::all_of(begin, begin + static_cast<std::ptrdiff_t>(count),
                     [](std::uint8_t held) { return held != 0; });
}

std::size_t frozen_bodies(const DeformableWorld& world) {
  const DeformableState state = world.save();
  std::size_t frozen = 0, first = 0;
  for (DeformableId b = 0; b < world.bodies(); ++b) {
    const std::size_t count = world.positions(b).size();
    frozen += is_frozen(state, first, count) ? 1 : 0;
    first += count;
  }
  return frozen;
}

void freeze(DeformableWorld& world, const Places& start, std::span<const double> times) {
  DeformableState state = world.save();
  std::size_t first = 0;
  for (std::size_t b = 0; b < start.size(); ++b) {
    const std::size_t count = start[b].size();
    const bool touched = times[b] <= 1.0 && !is_frozen(state, first, count);
    for (std::size_t v = 0, i = first; touched && v < count; ++v, ++i) {
      state.positions[i] = between(start[b][v], state.positions[i], times[b]);
      state.velocities[i] = {};
      state.targets[i] = state.positions[i];
      state.held[i] = 1;
    }
    first += count;
  }
  world.restore(state);
}

std::size_t push_out(DeformableWorld& world, const TetrahedraLists& tetrahedra,
                     std::span<const Floor> floors) {
  const Places now = places_of(world);
  std::vector<std::size_t> first(1, 0);
  for (const std::vector<Vec3>& x : now) first.push_back(first.back() + x.size());
  DeformableState state = world.save();
  std::vector<std::uint8_t> moved(state.positions.size(), 0);
  const auto push = [&](std::size_t i, const Vec3& direction, double depth) {
    if (state.held[i] != 0) return;
    moved[i] = 1;
    state.positions[i] += direction * depth;
    const double along = dot(state.velocities[i], direction);
    if (along < 0.0) state.velocities[i] -= direction * along;
  };
  for (const PointPenetration& p : points_in_tetrahedra(bodies_at(now, tetrahedra, world)))
    push(first[p.body] + p.vertex, p.direction, p.depth);
  for (const Floor& floor : floors) {
    for (std::size_t i = 0; i < state.positions.size(); ++i) {
      const double depth = floor.offset - dot(floor.normal, state.positions[i]);
      if (depth > 0.0) push(i, floor.normal, depth);
    }
  }
  const auto count = static_cast<std::size_t>(std::count(moved.begin(), moved.end(), 1));
  if (count > 0) world.restore(state);
  return count;
}

}  // namespace tactus::detail
