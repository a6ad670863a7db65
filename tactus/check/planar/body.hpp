#pragma once

#include <vector>

#include "tactus/check.hpp"
#include "tactus/check/rounding.hpp"

namespace tactus::detail {

/// A planar shape in its place, as the checker sees it: segments, a radius around them, and whether
/// they enclose anything. World axes, about an origin near the pair.
struct PlanarBody {
  /// Segments that have a length, the inside of a region to their left.
  std::vector<Vec2> from, to;
  std::vector<Vec2> rings;          ///< one point of each contour
  std::vector<std::size_t> firsts;  ///< the first segment of each contour
  double radius = 0.0;              ///< of a disc; its only segment is its centre
  bool solid = false;               ///< a region or a disc
  bool disc = false;
  bool exact = true;  ///< nothing was rounded when it was placed

  /// The segment before and after one, around a contour; of an open one, and beyond the ends of it,
  /// none: `from.size()`.
  std::size_t before(std::size_t segment) const;
  std::size_t after(std::size_t segment) const;

  PlanarBody(const PlanarShape& shape, const Pose2& pose, const Vec2& origin);
  /// Moved by `way`.
  PlanarBody moved(const Vec2& way) const;
};

/// Distance of two closed segments; zero when they cross. Errs by less than 8 roundings of the
/// coordinates.
double segment_distance(const Vec2& p0, const Vec2& p1, const Vec2& q0, const Vec2& q1);

/// Distance of a point from all segments, less the radius.
double boundary_distance(const PlanarBody& body, const Vec2& p);

/// Least distance between the segments of both, less the radii, where it is below `bound`; else
/// some number not below it. All pairs of runs of segments whose boxes are nearer are evaluated.
double least_distance(const PlanarBody& a, const PlanarBody& b, double bound);

/// Where a point is: 1 inside by more than `margin`, -1 outside by more than it, else 0. A curve
/// has no inside.
int place_of(const PlanarBody& body, const Vec2& p, double margin);

/// Both positions and the way between them are finite; it is no longer than 1e150.
bool both_placed(const Pose2& a, const Pose2& b);

/// Radius of a disc about the shape's own origin that holds it.
double reach_of(const PlanarShape& shape);

/// How much `place_of` and distances err by, at most: 2^-53 times the size and the offset.
double planar_unit(const PlanarShape& a, const Pose2& pose_a, const PlanarShape& b,
                   const Pose2& pose_b);

/// 1: the interiors (or curves) have a point in common, by more than rounding; -1: none, by more;
/// else 0.
int meet_by_far(const PlanarBody& a, const PlanarBody& b, double unit);
/// As `meet_by_far`, but exact where rounding hides the answer and placing has rounded nothing.
int meet(const PlanarBody& a, const PlanarBody& b, double unit);

/// Exactly: a point is in the interior of a region, wherever that was placed.
bool is_inside_exactly(const PlanarBody& region, const Vec2& p);

/// Exactly: 1 where the interiors (or curves) have a point in common, else -1; 0 where it is not
/// known, of bodies that are not `exact`.
int meet_exactly(const PlanarBody& a, const PlanarBody& b);

/// The claims of a distance, without its status: value, lower, upper, normal, points, relation.
/// `unit`: at least that of the pair.
void check_distance(const PlanarShape& a, const Pose2& pose_a, const PlanarShape& b,
                    const Pose2& pose_b, const PlanarResult& result, double unit,
                    CheckReport& report);

/// Bound of the error of a touch's normal (unit) whose place errs by `off`: 1e-12 for edges, plus
/// `off` / radius for a disc.
double normal_slack(const PlanarBody& a, const PlanarBody& b, double off);

/// The normals of a touch at `place`: to the right of the segments of A there, to the left of those
/// of B, or away from the centre of a disc of A, towards that of B. Segments count that are no more
/// than `near` farther from the place than the nearest, of a curve only beside a disc, or A's
/// beside another curve. `both_sides`: of each curve, to both of its sides.
std::vector<Vec2> normals_at(const PlanarBody& a, const PlanarBody& b, const Vec2& place,
                             double near, bool both_sides);
/// Whether `normal` is one of them; directions may be off by `slack`.
bool is_normal_at(const PlanarBody& a, const PlanarBody& b, const Vec2& place, const Vec2& normal,
                  double near, double slack, bool both_sides = false);

/// Verdict on an inequality that fails by `excess`, a length; `unit`: of its rounding. Unproved
/// where rounding hides whether it holds.
inline Proof proof_of(double excess, double unit) {
  if (excess <= kAllowed * unit) return Proof::proved;
  return excess <= (kAllowed + 2.0 * kEvaluation) * unit ? Proof::unproved : Proof::refuted;
}

/// Whether `normal` is at right angles to what it joins: it leads away from A at `on_a` and into B
/// at `on_b`, and no segment that comes within `near` of them is nearer along it, by more than
/// `slack` (sine).
bool is_shortest_way(const PlanarBody& a, const Vec2& on_a, const PlanarBody& b, const Vec2& on_b,
                     const Vec2& normal, double near, double slack);

/// Whether a normal of a touch has A on one side and B on the other near the place; or no normal
/// there has, as in a notch.
bool is_parting_or_none(const PlanarBody& a, const PlanarBody& b, const Vec2& place,
                        const Vec2& normal, double near, double slack);

/// Whether solids that overlap do so after every shift of B by less than `way`: 1 if that is shown,
/// -1 if one parts them, else 0. Of regions, the places where a corner of one slides along an edge
/// of the other cut the plane of shifts into cells, of which each is all free or all not: a free
/// one comes nearest to no shift on a slide or where two cross. There, sectors are probed. Discs
/// against edges likewise, with the edges moved aside and circles around corners.
/// Cost: O(k^2 n m) for k slides of a way less than that.
int overlap_within(const PlanarBody& a, const PlanarBody& b, double way, double unit);
/// Whether a shift is, to some roundings, where a slide comes nearest to no shift, or where two
/// cross: no other is a local least way out.
bool is_extreme(const PlanarBody& a, const PlanarBody& b, const Vec2& shift, double unit);
/// Whether shifts next to this one part two regions: a cell that ends there is free.
bool is_free_beside(const PlanarBody& a, const PlanarBody& b, const Vec2& shift, double unit);

}  // namespace tactus::detail
