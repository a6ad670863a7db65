#include "tactus/query/mesh/contact_collector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/constants.hpp"
#include "tactus/narrow/formula/closed_form_curved.hpp"
#include "tactus/query/way/shortest_within.hpp"

namespace tactus::detail {
namespace {

// Along it few points of a lattice are at one place. Shorter than 1.
constexpr Vec3 kAlong{0.62, 0.55, 0.47};
// Up to so many points of a normal are gone through one by one.
constexpr std::size_t kFew = 16;
// Moves of a pair of points between two surfaces towards where these are near.
constexpr int kMoves = 4;

bool is_curved(const Core& core) {
  return core.kind == CoreKind::cylinder || core.kind == CoreKind::cone ||
         core.kind == CoreKind::ellipsoid;
}

// The witness of a search that ended within its tolerance lies on a chord of the surface: the point
// of the surface that is nearest to it.
Vec3 onto_curved(const Core& core, const Mat3& rotation, const Vec3& point, double beside_most) {
  const PointToCurved foot =
      point_to_curved(core, transpose_times(rotation, point), kUnit * core.reach);
  const double beside = foot.value - core.radius;
  if (!(std::fabs(beside) <= beside_most)) return point;
  return point - rotation * foot.outward * beside;
}

}  // namespace

void ContactCollector::add(const Vec3& n, const PatchPoint& point) {
  Group* group = nullptr;
  for (Group& g : groups_) {
    if (1.0 - dot(g.n, n) <= kParallel) group = &g;
  }
  if (group == nullptr) {
    groups_.push_back({n, {}, {}});
    group = &groups_.back();
  }
  const std::size_t same = find_same(*group, point.a);
  if (same == group->points.size()) {
    group->points.push_back(point);
    if (group->points.size() == kFew) {
      for (std::size_t i = 0; i < kFew; ++i)
        group->places.emplace(dot(kAlong, group->points[i].a), i);
    } else if (group->points.size() > kFew) {
      group->places.emplace(dot(kAlong, point.a), same);
    }
    return;
  }
  PatchPoint& p = group->points[same];
  if (!(point.depth > p.depth)) return;
  if (!group->places.empty()) {
    const auto [first, last] = group->places.equal_range(dot(kAlong, p.a));
    for (auto i = first; i != last; ++i) {
      if (i->second != same) continue;
      group->places.erase(i);
      break;
    }
    group->places.emplace(dot(kAlong, point.a), same);
  }
  p = point;
}

std::size_t ContactCollector::find_same(const Group& group, const Vec3& at) const {
  const double place = dot(kAlong, at), near = 2.0 * same_place_;
  const auto is_same = [&](std::size_t i) {
    return squared_norm(group.points[i].a - at) <= same_place_ * same_place_;
  };
  std::size_t same = group.points.size();
  if (group.places.empty()) {
    // The first along the line, as below.
    double first = place + near;
    for (std::size_t i = 0; i < group.points.size(); ++i) {
      const double other = dot(kAlong, group.points[i].a);
      if (other < place - near || !(other <= first) || (same < i && other == first)) continue;
      if (!is_same(i)) continue;
      first = other;
      same = i;
    }
    return same;
  }
  for (auto i = group.places.lower_bound(place - near);
       i != group.places.end() && i->first <= place + near; ++i)
    if (is_same(i->second)) return i->second;
  return same;
}

bool ContactCollector::explain(const DistanceResult& whole) const {
  if (groups_.empty()) return false;
  if (whole.upper >= 0.0) return true;
  std::vector<Beyond> out;
  for (const Group& g : groups_) {
    double deepest = -std::numeric_limits<double>::infinity();
    for (const PatchPoint& p : g.points) deepest = std::max(deepest, p.depth);
    if (deepest > 0.0) out.push_back({g.n, deepest});
  }
  // A body that leaves all of them goes as far as the shortest vector beyond their planes: in a
  // corner farther than each is deep.
  const double most = -whole.lower;
  const ShortestWithin way = shortest_within(out, 0.0, most);
  const double length = way.outcome == ShortestWithin::Outcome::none ? most : way.bound;
  return length >= -kExplained * whole.upper - kTouching * extent_;
}

void ContactCollector::emit(const Mat3& axes, const Vec3& origin, double within,
                            ManifoldSink& sink) {
  for (Group& g : groups_) {
    std::erase_if(g.points, [&](const PatchPoint& p) { return dot(g.n, p.a - p.b) < -within; });
    if (g.points.empty()) continue;
    Manifold* const place = sink.next();
    if (place == nullptr) return;
    Patch patch;
    const PatchView view{g.n, deciding_axis(g.n, rotation_of_b_), extent_};
    const Facet facet = keep_facet(g.points.data(), static_cast<int>(g.points.size()), view);
    keep_four(g.points.data(), facet, view, patch);
    for (int i = 0; i < patch.count && body_ != nullptr; ++i) {
      Vec3& on_body = patch.point[i].b;
      on_body = is_curved(*body_) ? onto_curved(*body_, rotation_of_b_, on_body, beside_)
                                  : onto_rounded(*body_, rotation_of_b_, {}, -g.n, on_body);
    }
    Manifold& m = *place;
    m = {};
    m.normal = axes * g.n;
    m.count = patch.count;
    for (int i = 0; i < patch.count; ++i) {
      m.points[static_cast<std::size_t>(i)] = {
          origin + axes * patch.point[i].a, origin + axes * patch.point[i].b,
          dot(g.n, patch.point[i].a - patch.point[i].b), patch.point[i].feature};
    }
  }
}

bool emit_whole(const DistanceResult& whole, const ContactExit& exit, ManifoldSink& sink) {
  Vec3 point_a = exit.on_a(whole.point_a), point_b = exit.on_b(whole.point_b);
  const auto depth = [&] { return dot(whole.normal, point_a - point_b); };
  // Bodies that are thought to overlap, but not there.
  for (int i = 0; i < kMoves && depth() < -exit.within; ++i) {
    point_b = exit.on_b(point_a);
    point_a = exit.on_a(point_b);
  }
  if (depth() < -exit.within) return false;
  Manifold* const place = sink.next();
  if (place == nullptr) return true;
  Manifold& m = *place;
  m = {};
  m.normal = whole.normal;
  m.count = 1;
  m.points[0] = {point_a, point_b, depth(),
                 mixed(0, static_cast<std::uint64_t>(whole.triangle_a) << 32u)};
  return true;
}

void emit_contacts(ContactCollector& found, bool known, const DistanceResult& whole,
                   const ContactExit& exit, ManifoldSink& sink) {
  if (!known && emit_whole(whole, exit, sink)) return;
  const int before = sink.count;
  found.emit(exit.axes, exit.origin, exit.within, sink);
  if (sink.count > before || sink.truncated || (known && whole.upper > 0.0)) return;
  if (known && emit_whole(whole, exit, sink)) return;
  exit.add_nearest();
  found.emit(exit.axes, exit.origin, exit.within, sink);
}

}  // namespace tactus::detail
