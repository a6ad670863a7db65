#pragma once

#include "tactus/core/constants.hpp"
#include "tactus/planar/region/access.hpp"
#include "tactus/planar/region/boundary.hpp"

namespace tactus::detail {

constexpr double kPlanarUnit = 1.0 / 9007199254740992.0;  // 2^-53, half an ulp of 1

inline double largest(const Vec2& v) { return std::max(std::fabs(v.x), std::fabs(v.y)); }
inline double largest(const Box2& box) { return std::max(largest(box.low), largest(box.high)); }

/// The unit vector along v, whatever its length; (1, 0) along none.
inline Vec2 unit_along(const Vec2& v) {
  const double most = largest(v);
  if (!(most > 0.0)) return {1.0, 0.0};
  // By a power of two that rounds nothing, so that neither the quotients nor their squares leave
  // the range of doubles.
  const double up = most < 0x1p-500 ? 0x1p550 : (most > 0x1p500 ? 0x1p-550 : 1.0);
  const Vec2 scaled = v * up;
  return scaled / norm(scaled);
}

/// A place on an edge, and how far from a point it is.
struct Foot {
  double squared = kInfinity;
  Vec2 place;
  std::size_t edge = 0;
};

/// The place of the segment q0 q1 that is nearest to p. Errs by some roundings of the distance from
/// the nearer end.
inline Vec2 foot_on(const Vec2& p, const Vec2& q0, const Vec2& q1) {
  const Vec2 s = q1 - q0;
  const double length = dot(s, s);
  const double t = dot(p - q0, s);
  if (!(t > 0.0)) return q0;
  if (t >= length) return q1;
  return 2.0 * t < length ? q0 + s * (t / length) : q1 + s * (dot(p - q1, s) / length);
}

/// Rounding of a distance between two segments, in units of the largest coordinate: differences (1
/// each), products and their sum (4), quotient and root (2), and the foot's place.
constexpr double kPlanarDistanceError = 32.0 * kPlanarUnit;

/// The segments of a contour, or the edges of a region, one by one and by their tree.
class Edges {
 public:
  explicit Edges(const Contour& c)
      : points_(c.points()),
        count_(c.segments()),
        tree_(&PlanarAccess::tree(c)),
        closed_(c.closed()) {}
  Edges(std::span<const Vec2> points, bool closed, const SegmentTree& tree)
      : points_(points), count_(points.size() - (closed ? 0 : 1)), tree_(&tree), closed_(closed) {}
  explicit Edges(const Boundary& b)
      : points_(b.points), next_(b.next.data()), count_(b.size()), tree_(&b.tree), region_(&b) {}

  std::size_t size() const { return count_; }
  const Vec2& start(std::size_t i) const { return points_[i]; }
  const Vec2& end(std::size_t i) const {
    if (next_ != nullptr) return points_[next_[i]];
    return points_[i + 1 == points_.size() ? 0 : i + 1];
  }
  std::span<const Vec2> points() const { return points_; }
  const SegmentTree& tree() const { return *tree_; }
  /// Null for a contour, which has no inside.
  const Boundary* region() const { return region_; }
  /// Ends of an open contour have one segment; every other point starts one and ends another.
  bool closed() const { return closed_; }

  /// The nearest place within the square root of `squared`; none: an infinite distance.
  Foot nearest(const Vec2& p, double squared = kInfinity) const {
    Foot best;
    best.squared = squared;
    bool found = false;
    const Box2 at = box_of(p, p);
    tree_->search([&](const Box2& box) { return box.squared_distance(at); },
                  [&] { return best.squared; },
                  [&](std::size_t i) {
                    // Its ends are those of others, which have a direction.
                    if (start(i) == end(i)) return;
                    const Vec2 foot = foot_on(p, start(i), end(i));
                    const double d = dot(foot - p, foot - p);
                    if (!(d < best.squared)) return;
                    best = {d, foot, i};
                    found = true;
                  });
    if (!found) best.squared = kInfinity;
    return best;
  }

 private:
  std::span<const Vec2> points_;
  const std::uint32_t* next_ = nullptr;
  std::size_t count_;
  const SegmentTree* tree_;
  const Boundary* region_ = nullptr;
  bool closed_ = true;
};

/// Two places, one on each, that are nearest to each other.
struct NearestPlaces {
  double squared = kInfinity;
  Vec2 on_a, on_b;
  PlanarCache edges;  ///< that they lie on
};

/// Nearest places of edges that do not cross: one of the two is a corner. B is moved by `shift`.
/// The search begins with the edges that `near` names.
NearestPlaces nearest_places(const Edges& a, const Edges& b, const Vec2& shift,
                             const PlanarCache& near = {});

/// Distances, relative to the size, below which the difference of two places is mostly rounding.
inline constexpr double kNearPair = 1e-6;
/// The unit vector from A's place to B's: of places near to each other the normal of the edge that
/// one of them lies within.
Vec2 direction_between(const Edges& a, const Edges& b, const Vec2& shift, const NearestPlaces& n,
                       double size);

}  // namespace tactus::detail
