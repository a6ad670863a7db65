#pragma once

#include "tactus/shape/shape.hpp"

namespace tactus {

/// A farthest point of a shape along `direction` (any vector but zero), both in the shape's frame,
/// rounding included.
///
/// Among several farthest points: of a box the corner with the larger coordinates, of a disc the
/// point on +x, of a hull or mesh the vertex with the lowest index, of a cone the apex. A mesh or
/// compound answers for its convex hull. A half-space has no farthest point and gives the point of
/// its plane nearest to the origin. The plain reference: queries use a faster equivalent of their
/// own. Cost: constant, or a pass over the vertices.
Vec3 support(const Shape& shape, const Vec3& direction);

/// Largest value of unit_direction . x over the shape, rounding included: the support function.
/// Infinite for a half-space, except along its normal.
double support_value(const Shape& shape, const Vec3& unit_direction);

}  // namespace tactus
