#pragma once

#include "tactus/mesh.hpp"
#include "tactus/mesh/support/direction_map.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// A hull with what queries need of it.
struct PreparedHull : ConvexHull {
  explicit PreparedHull(ConvexHull hull);

  DirectionMap directions;  ///< for support points
  Vec3 lower, upper;        ///< axis-aligned box of the vertices
  /// Of the ellipsoid like it: seen from the mean of the vertices, about sqrt(n . spread n) lies
  /// ahead along the unit vector n.
  Mat3 spread = Mat3::zero();
  /// One of that form inside the hull, about the same point: x . inner x <= 1.
  Mat3 inner = Mat3::zero();
  double inner_radius = 0.0;  ///< its least radius; 0 where there is none
};

}  // namespace tactus::detail
