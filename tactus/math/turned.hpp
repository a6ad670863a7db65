#pragma once

#include "tactus/math.hpp"

namespace tactus::detail {

/// The matrix of the map w -> v x w.
constexpr Mat3 cross_matrix(const Vec3& v) {
  return {{{0.0, -v.z, v.y}, {v.z, 0.0, -v.x}, {-v.y, v.x, 0.0}}};
}

/// A matrix of the body's frame, such as its inertia, in world axes.
constexpr Mat3 to_world_axes(const Mat3& body_matrix, const Mat3& axes) {
  return axes * (body_matrix * transpose(axes));
}

}  // namespace tactus::detail
