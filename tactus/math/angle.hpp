#pragma once

#include "tactus/math.hpp"

namespace tactus::detail {

/// Angle between two vectors that are not zero, in radians, 0 to pi. Accurate to a few ulps
/// everywhere, also near 0 and pi, and the same bits on every machine (no libm beyond sqrt). Cost:
/// some 40 operations.
double angle_between(const Vec3& a, const Vec3& b);

/// The shortest turn that leads from one orientation to another: its axis times its angle, at most
/// pi. Of the two axes of a half turn, either.
Vec3 rotation_between(const Mat3& from, const Mat3& to);

/// The shortest turn that leads z to a unit vector; for -z half a turn about x. Orthonormal to a
/// few roundings for every direction, also next to -z, where the direction of the axis hangs on the
/// small components alone. The third column is the given vector, bit by bit.
Mat3 shortest_turn_of_z(const Vec3& unit);

}  // namespace tactus::detail
