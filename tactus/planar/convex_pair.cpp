#include "tactus/planar/convex_pair.hpp"

#include <algorithm>

#include "tactus/planar/region/edges.hpp"
#include "tactus/planar/touch/place_corners.hpp"

namespace tactus::detail {
namespace {

// Corners that a walk to the nearest places passes at most.
constexpr int kSteps = 2 * static_cast<int>(kSmallConvex);

two_doubles::Lanes heights(const Corners& ring, const Vec2& n, std::size_t i) {
  using namespace two_doubles;
  return all(n.x) * load(ring.x + i) + all(n.y) * load(ring.y + i);
}

/// The least height along `n`.
double least_height(const Corners& ring, const Vec2& n) {
  using namespace two_doubles;
  Lanes least = heights(ring, n, 0);
  for (std::size_t i = 2; i < ring.size; i += 2) least = lesser(heights(ring, n, i), least);
  return std::min(least[0], least[1]);
}

/// The first corner with that.
std::size_t lowest(const Corners& ring, const Vec2& n) {
  using namespace two_doubles;
  Lanes height[kSmallConvex / 2];
  Lanes least = height[0] = heights(ring, n, 0);
  for (std::size_t i = 2; i < ring.size; i += 2) {
    height[i / 2] = heights(ring, n, i);
    least = lesser(height[i / 2], least);
  }
  const Lanes lower = all(std::min(least[0], least[1]));
  for (std::size_t i = 0; i < ring.size; i += 2) {
    const unsigned found = bits_of(at_most(height[i / 2], lower));
    if (found != 0) return (found & 1) != 0 ? i : i + 1;
  }
  return 0;
}

/// An edge of one, as a line between both, and the other's corner that comes nearest to it.
struct Axis {
  std::size_t edge = 0, corner = 0;
  double gap = -kInfinity;  ///< negative: how deep the corner is
};

// Raises `best` by the edges of `ring`. An edge that some corner of the other is deeper behind than
// the best is not looked at further.
void widest_gap(const Corners& ring, const Corners& other, Axis& best) {
  std::size_t corner = 0;
  for (std::size_t i = 0; i < ring.size; ++i) {
    const Vec2 n = ring.outwards(i);
    const double length = norm(n), offset = dot(n, ring.at(i));
    if (dot(n, other.at(corner)) - offset <= best.gap * length) continue;
    corner = lowest(other, n);
    const double gap = (dot(n, other.at(corner)) - offset) / length;
    if (gap > best.gap) best = {i, corner, gap};
  }
}

struct Places {
  double squared = kInfinity;
  Vec2 on_a, on_b;
  std::size_t corner_a = 0, corner_b = 0;
};

// Corner k of `ring` against both edges at corner j of the other.
void improve(const Corners& ring, std::size_t k, const Corners& other, std::size_t j,
             bool ring_is_a, Places& best) {
  const Vec2 p = ring.at(k), corner = other.at(j);
  const auto take = [&](const Vec2& foot, const Vec2& end_place, std::size_t end) {
    const Vec2 d = foot - p;
    const double squared = dot(d, d);
    if (!(squared < best.squared)) return;
    const std::size_t at = foot == end_place ? end : j;
    best = ring_is_a ? Places{squared, p, foot, k, at} : Places{squared, foot, p, at, k};
  };
  const std::size_t before = other.previous(j), after = other.next(j);
  const Vec2 from = other.at(before), to = other.at(after);
  take(foot_on(p, from, corner), from, before);
  take(foot_on(p, corner, to), to, after);
}

// From two corners to ever nearer places, until both bodies lie on their sides of the strip between
// them.
bool apart(const Corners& a, std::size_t i, const Corners& b, std::size_t j, double error,
           PlanarCache& near, PlanarResult& r) {
  Places best;
  best.corner_a = i;
  best.corner_b = j;
  for (int step = 0; step < kSteps; ++step) {
    const double before = best.squared;
    improve(a, best.corner_a, b, best.corner_b, true, best);
    improve(b, best.corner_b, a, best.corner_a, false, best);
    const double distance = std::sqrt(best.squared);
    if (!(best.squared < before && distance > 4.0 * error)) return false;
    const Vec2 normal = (best.on_b - best.on_a) / distance;
    const double strip = least_height(b, normal) + least_height(a, -normal);
    if (!(strip >= distance - 2.0 * error)) continue;
    r.distance = distance;
    r.normal = normal;
    r.lower = std::min(distance, strip) - error;
    r.upper = distance + error;
    r.point_a = best.on_a;
    r.point_b = best.on_b;
    near = {static_cast<std::uint32_t>(best.corner_a), static_cast<std::uint32_t>(best.corner_b)};
    return true;
  }
  return false;
}

/// The place of `ring` that is farthest against `n` and stands before the edge from `from` to `to`:
/// its corner, or, where the boundary there is as good as parallel to the edge, a place beside it.
/// False where such a place is farther than `error` from being the farthest.
bool place_before(const Corners& ring, std::size_t corner, const Vec2& n, const Vec2& from,
                  const Vec2& to, double error, Vec2& place) {
  place = ring.at(corner);
  const Vec2 along = to - from;
  const double length = norm(along), part = dot(place - from, along) / length;
  const double slack = 0.25 * error;
  if (part >= -slack && part <= length + slack) return true;
  // How far back to the edge, seen from the corner, and the flatter way there.
  const double sign = part < 0.0 ? 1.0 : -1.0, missing = part < 0.0 ? -part : part - length;
  const auto back = [&](std::size_t k) { return sign * dot(ring.at(k) - place, along) / length; };
  const auto rise = [&](std::size_t k) { return dot(ring.at(k) - place, n); };
  std::size_t next = ring.next(corner);
  const std::size_t previous = ring.previous(corner);
  const bool forwards =
      back(next) > 0.0 &&
      !(back(previous) > 0.0 && rise(previous) * back(next) < rise(next) * back(previous));
  if (!forwards) next = previous;
  double done = 0.0;
  Vec2 last = place;
  const Vec2 first = place;
  for (std::size_t step = 1; step < ring.size; ++step) {
    const double there = sign * dot(ring.at(next) - first, along) / length;
    if (!(there > done)) return false;
    const bool reached = there >= missing;
    place = reached ? last + (ring.at(next) - last) * ((missing - done) / (there - done))
                    : ring.at(next);
    if (dot(place - first, n) > error) return false;
    if (reached) return true;
    done = there;
    last = place;
    next = forwards ? ring.next(next) : ring.previous(next);
  }
  return false;
}

// The least way is along the normal of an edge, a little farther than to where it is free. False
// where the two bodies do not face each other there: another edge is as good as this one.
bool deep(const Corners& a, const Corners& b, const Axis& of_a, const Axis& of_b, double error,
          PlanarResult& r) {
  const bool edge_of_a = of_a.gap >= of_b.gap;
  const Axis& axis = edge_of_a ? of_a : of_b;
  const Corners &ring = edge_of_a ? a : b, &other = edge_of_a ? b : a;
  const Vec2 outward = ring.outwards(axis.edge), out = outward / norm(outward);
  Vec2 place;
  if (!place_before(other, axis.corner, out, ring.at(axis.edge), ring.at(ring.next(axis.edge)),
                    error, place)) {
    return false;
  }
  const double depth = -axis.gap;
  r.normal = edge_of_a ? out : -out;
  r.distance = -(depth + error);
  r.lower = -(depth + 2.0 * error);
  r.upper = -(depth - error);
  // Both points share the `error` by which the way out goes too far: each is off its body by half.
  const Vec2 within = place - out * (0.5 * error), edge = within + out * (depth + error);
  r.point_a = edge_of_a ? edge : within;
  r.point_b = edge_of_a ? within : edge;
  return true;
}

}  // namespace

bool convex_distance(const Boundary& a, const Boundary& b, const Pose2& pose, double error,
                     PlanarCache& near, PlanarResult& out) {
  const Corners& ring_a = a.corners;
  Corners ring_b;
  ring_b.size = b.corners.size;
  place_corners(b.corners, pose, ring_b.x, ring_b.y);
  if (near.edge_a < ring_a.size && near.edge_b < ring_b.size &&
      apart(ring_a, near.edge_a, ring_b, near.edge_b, error, near, out)) {
    return true;
  }
  near = {};
  // Mostly the corners that look at each other's boxes begin near the nearest places.
  const Vec2 between = pose.to_world(b.corners.middle) - ring_a.middle;
  const std::size_t first_a = lowest(ring_a, -between), first_b = lowest(ring_b, between);
  if (dot(between, ring_b.at(first_b) - ring_a.at(first_a)) > 0.0) {
    if (apart(ring_a, first_a, ring_b, first_b, error, near, out)) return true;
  }
  Axis of_a, of_b;
  widest_gap(ring_a, ring_b, of_a);
  if (of_a.gap > 4.0 * error)
    return apart(ring_a, of_a.edge, ring_b, of_a.corner, error, near, out);
  of_b.gap = of_a.gap;
  widest_gap(ring_b, ring_a, of_b);
  if (of_b.gap > 4.0 * error)
    return apart(ring_a, of_b.corner, ring_b, of_b.edge, error, near, out);
  if (of_a.gap > -4.0 * error || of_b.gap > -4.0 * error) return false;
  return deep(ring_a, ring_b, of_a, of_b, error, out);
}

}  // namespace tactus::detail
