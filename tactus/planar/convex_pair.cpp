#include "tactus/planar/convex_pair.hpp"

#include <algorithm>

#include "tactus/planar/edges.hpp"

namespace tactus::detail {
namespace {

// Corners that a walk to the nearest places passes at most.
constexpr int kSteps = 2 * static_cast<int>(kSmallConvex);

/// Corners in order, on the stack.
struct Ring {
  Vec2 points[kSmallConvex];
  std::size_t size = 0;

  std::size_t next(std::size_t i) const { return i + 1 == size ? 0 : i + 1; }
  std::size_t previous(std::size_t i) const { return (i == 0 ? size : i) - 1; }
  Vec2 outwards(std::size_t i) const {
    const Vec2 s = points[next(i)] - points[i];
    return {s.y, -s.x};
  }
  /// The corner with the least height along `n`.
  std::size_t lowest(const Vec2& n) const {
    std::size_t best = 0;
    double least = dot(n, points[0]);
    for (std::size_t j = 1; j < size; ++j) {
      const double height = dot(n, points[j]);
      if (height < least) {
        least = height;
        best = j;
      }
    }
    return best;
  }
};

/// An edge of one, as a line between both, and the other's corner that comes nearest to it.
struct Axis {
  std::size_t edge = 0, corner = 0;
  double gap = -kPlanarInfinity;  ///< negative: how deep the corner is
};

// Raises `best` by the edges of `ring`. An edge that some corner of the other is deeper behind than
// the best is not looked at further.
void widest_gap(const Ring& ring, const Ring& other, Axis& best) {
  std::size_t corner = 0;
  for (std::size_t i = 0; i < ring.size; ++i) {
    const Vec2 n = ring.outwards(i);
    const double length = norm(n), offset = dot(n, ring.points[i]);
    if (dot(n, other.points[corner]) - offset <= best.gap * length) continue;
    corner = other.lowest(n);
    const double gap = (dot(n, other.points[corner]) - offset) / length;
    if (gap > best.gap) best = {i, corner, gap};
  }
}

struct Places {
  double squared = kPlanarInfinity;
  Vec2 on_a, on_b;
  std::size_t corner_a = 0, corner_b = 0;
};

// Corner k of `ring` against both edges at corner j of the other.
void improve(const Ring& ring, std::size_t k, const Ring& other, std::size_t j, bool ring_is_a,
             Places& best) {
  const Vec2& p = ring.points[k];
  const std::size_t before = other.previous(j), after = other.next(j);
  for (const std::size_t end : {before, after}) {
    const Vec2 foot = end == before ? foot_on(p, other.points[before], other.points[j])
                                    : foot_on(p, other.points[j], other.points[after]);
    const double squared = dot(foot - p, foot - p);
    if (!(squared < best.squared)) continue;
    const std::size_t at = foot == other.points[end] ? end : j;
    best = ring_is_a ? Places{squared, p, foot, k, at} : Places{squared, foot, p, at, k};
  }
}

// From two corners to ever nearer places, until none of the edges there has any.
Places nearest_from(const Ring& a, std::size_t i, const Ring& b, std::size_t j) {
  Places best;
  best.corner_a = i;
  best.corner_b = j;
  for (int step = 0; step < kSteps; ++step) {
    const double before = best.squared;
    improve(a, best.corner_a, b, best.corner_b, true, best);
    improve(b, best.corner_b, a, best.corner_a, false, best);
    if (!(best.squared < before)) break;
  }
  return best;
}

std::optional<PlanarResult> apart(const Ring& a, std::size_t i, const Ring& b, std::size_t j,
                                  double error) {
  const Places places = nearest_from(a, i, b, j);
  PlanarResult r;
  r.distance = std::sqrt(places.squared);
  if (!(r.distance > 4.0 * error)) return std::nullopt;
  r.normal = (places.on_b - places.on_a) / r.distance;
  // Both bodies lie on their sides of the strip between the places.
  double low = kPlanarInfinity, high = -kPlanarInfinity;
  for (std::size_t k = 0; k < b.size; ++k) low = std::fmin(low, dot(r.normal, b.points[k]));
  for (std::size_t k = 0; k < a.size; ++k) high = std::fmax(high, dot(r.normal, a.points[k]));
  const double strip = low - high;
  if (!(strip >= r.distance - 2.0 * error)) return std::nullopt;
  r.lower = std::fmin(r.distance, strip) - error;
  r.upper = r.distance + error;
  r.point_a = places.on_a;
  r.point_b = places.on_b;
  return r;
}

// The least way is along the normal of an edge, a little farther than to where it is free.
PlanarResult deep(const Ring& a, const Ring& b, const Axis& of_a, const Axis& of_b, double error) {
  const bool edge_of_a = of_a.gap >= of_b.gap;
  const Axis& axis = edge_of_a ? of_a : of_b;
  const Vec2 n = edge_of_a ? a.outwards(axis.edge) : -b.outwards(axis.edge);
  const double depth = -axis.gap;
  PlanarResult r;
  r.normal = n / norm(n);
  const Vec2 way = r.normal * (depth + error);
  r.distance = -(depth + error);
  r.lower = -(depth + 2.0 * error);
  r.upper = -(depth - error);
  if (edge_of_a) {
    r.point_b = b.points[axis.corner];
    r.point_a = r.point_b + way;
  } else {
    r.point_a = a.points[axis.corner];
    r.point_b = r.point_a - way;
  }
  return r;
}

}  // namespace

bool is_small_convex(const Boundary& boundary) {
  if (boundary.rings.size() != 1 || boundary.size() > kSmallConvex) return false;
  for (std::size_t i = 0; i < boundary.size(); ++i) {
    const Vec2& p = boundary.points[i];
    if (orientation(boundary.points[boundary.previous[i]], p, boundary.end(i)) <= 0) return false;
  }
  return true;
}

std::optional<PlanarResult> convex_distance(const Boundary& a, const Boundary& b, const Pose2& pose,
                                            double error) {
  Ring ring_a, ring_b;
  ring_a.size = a.size();
  ring_b.size = b.size();
  std::copy(a.points.begin(), a.points.end(), ring_a.points);
  const bool turned = pose.turned();
  for (std::size_t i = 0; i < b.size(); ++i) {
    ring_b.points[i] = turned ? pose.to_world(b.points[i]) : b.points[i] + pose.position();
  }
  // Mostly the corners that look at each other's boxes begin near the nearest places.
  const Box2 &box_a = a.tree.box(), &box_b = b.tree.box();
  const Vec2 between =
      pose.to_world((box_b.low + box_b.high) * 0.5) - (box_a.low + box_a.high) * 0.5;
  const std::size_t first_a = ring_a.lowest(-between), first_b = ring_b.lowest(between);
  if (dot(between, ring_b.points[first_b] - ring_a.points[first_a]) > 0.0) {
    if (auto r = apart(ring_a, first_a, ring_b, first_b, error)) return r;
  }
  Axis of_a, of_b;
  widest_gap(ring_a, ring_b, of_a);
  if (of_a.gap > 4.0 * error) return apart(ring_a, of_a.edge, ring_b, of_a.corner, error);
  of_b.gap = of_a.gap;
  widest_gap(ring_b, ring_a, of_b);
  if (of_b.gap > 4.0 * error) return apart(ring_a, of_b.corner, ring_b, of_b.edge, error);
  if (of_a.gap > -4.0 * error || of_b.gap > -4.0 * error) return std::nullopt;
  return deep(ring_a, ring_b, of_a, of_b, error);
}

}  // namespace tactus::detail
