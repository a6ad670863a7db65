#pragma once

#include <limits>

#include "tactus/mesh/surface/triangle_meet.hpp"

namespace tactus::detail {

/// How far two bare sets are apart, and where. All points are of the frame of the arguments.
struct TriangleDistance {
  double distance = 0.0;  ///< 0 where they meet
  Vec3 a, b;              ///< nearest points; one common point where they meet
  Vec3 n;                 ///< unit, from A to B; zero where they meet
  bool meets = false;     ///< decided exactly, whatever the rounding of `distance`
  bool unique = false;    ///< only this pair of points is nearest; false where that was not shown
  bool beyond = false;    ///< farther apart than asked: `distance` is a lower bound, without points
};

/// Distance of two triangles, at most 1e-14 of the largest distance of two corners off, which holds
/// for slivers, degenerate triangles and any ratio of sizes. The points lie on the triangles within
/// the same bound. Swapping the triangles swaps the answer bit by bit; moving both far away loses
/// no digits but those that the corners lose.
///
/// `meets` is exact for all finite corners whose coordinates, and their differences, are zero or of
/// magnitude 1e-70 to 1e70 (orient3d). When the squared distance can cheaply be shown to exceed
/// `squared_bound`, the search ends with `beyond`; pairs nearer than the bound never do.
///
/// All edge pairs are measured without branches; then a direction in which the triangles are as
/// far apart as the points proves these nearest. Faces and exact predicates come in where it does
/// not. A triangle grown by a ball (of a sphere or capsule too, from the functions below) is the
/// same distance minus the radii, exact as long as the bare sets do not meet (then it is an upper
/// bound; of a sphere it is exact).
///
/// Cost: no allocation; some 0.13 microseconds, up to some 3 where rounding could decide.
/// Source: ericson2004rtcd, section 5.1 (segments), larsen1999 (order of the tests); the proof
/// by direction and the careful path are ours (docs/algorithms/closed-forms.md).
TriangleDistance triangle_to_triangle(
    const Triangle& a, const Triangle& b,
    double squared_bound = std::numeric_limits<double>::infinity());

/// Distance of the segment from `p` to `q`, which is A (and may be a point), from a triangle; as
/// `triangle_to_triangle`. A capsule: the distance minus the radius.
TriangleDistance segment_to_triangle(
    const Vec3& p, const Vec3& q, const Triangle& b,
    double squared_bound = std::numeric_limits<double>::infinity());

/// Distance of a point, which is A, from a triangle; as `triangle_to_triangle`. A sphere: the
/// distance minus the radius.
TriangleDistance point_to_triangle(const Vec3& p, const Triangle& b,
                                   double squared_bound = std::numeric_limits<double>::infinity());

}  // namespace tactus::detail
