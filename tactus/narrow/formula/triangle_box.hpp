#pragma once

#include "tactus/mesh/surface/triangle_distance.hpp"

namespace tactus::detail {

/// Where a triangle, which is A, stands to a solid B.
struct TriangleSeparation {
  double value = 0.0;   ///< signed distance: apart, or minus the least way out
  Vec3 n;               ///< unit, from A to B
  Vec3 a, b;            ///< nearest points, b - a = value * n; see the functions for overlap
  double shown = 0.0;   ///< how far the two are apart along n: `value`, unless n is ill-conditioned
  bool unique = false;  ///< only this pair of points is nearest; false where that was not shown
};

/// Signed distance of a triangle from the box of half edges `half` about the origin, in the box's
/// frame; at most 1e-14 of the size (largest coordinate) off, for any triangle.
///
/// Overlap is decided by the thirteen axes that can separate the two: three faces, the triangle's
/// normal and the nine products of edges; the best one gives the way out. In overlap the points
/// are not set. A box grown by a ball is the same value minus the radius.
///
/// Cost: no allocation, 0.3 to 0.4 microseconds. Source: gottschalk1996obbtree (axes),
/// ericson2004rtcd (section 5.2.9).
TriangleSeparation triangle_to_box(const Triangle& triangle, const Vec3& half);

/// Signed distance of a triangle from the half-space normal . x <= offset, `normal` a unit vector:
/// the height of its lowest corner, exact up to the rounding of one product and the subtraction.
/// In overlap `a` is the deepest corner.
TriangleSeparation triangle_to_halfspace(const Triangle& triangle, const Vec3& normal,
                                         double offset);

}  // namespace tactus::detail
