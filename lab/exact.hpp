#pragma once

#include "lab/extended.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail::lab {

/// Signed distance and normal of a pair in extended precision, by formulas that share no code with
/// the library.
struct Exact {
  Real distance = 0;
  Point normal;  ///< unit, world, from A to B
};

/// The truth about two placed shapes, accurate to some roundings of extended precision times the
/// conditioning of the pair. Served: sphere against sphere or box, box against box, capsule against
/// capsule, ellipsoid against ellipsoid (Newton's method from the line of centres, which must lead
/// to the least of the minima), in either order; without rounding. Throws InvalidInput for others.
Exact exact_distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);

}  // namespace tactus::detail::lab
