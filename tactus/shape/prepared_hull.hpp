#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/mesh.hpp"
#include "tactus/mesh/support/direction_map.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// A hull with what queries need of it.
struct PreparedHull : ConvexHull {
  explicit PreparedHull(ConvexHull hull);

  /// The faces that have the vertex as a corner, ascending.
  std::span<const std::uint32_t> faces_of(std::uint32_t vertex) const {
    return {faces_of_vertices.data() + first_face[vertex],
            first_face[vertex + 1] - first_face[vertex]};
  }

  DirectionMap directions;                       ///< for support points
  std::vector<std::uint32_t> first_face;         ///< of each vertex, in `faces_of_vertices`
  std::vector<std::uint32_t> faces_of_vertices;  ///< one list after the other
  Vec3 lower, upper;                             ///< axis-aligned box of the vertices
  double largest = 0.0, radius = 0.0;  ///< largest absolute coordinate and norm of a vertex
  /// Matrix of an ellipsoid that is like the hull: seen from the mean of the vertices, the hull
  /// reaches about sqrt(n . spread n) along the unit vector n.
  Mat3 spread = Mat3::zero();
  /// Ellipsoid of that form inside the hull, about the same point: x . inner x <= 1.
  Mat3 inner = Mat3::zero();
  double inner_radius = 0.0;  ///< its least radius; 0 where there is none
};

}  // namespace tactus::detail
