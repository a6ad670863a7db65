#pragma once

#include "tactus/query/mesh_search.hpp"

namespace tactus::detail {

/// A point of a triangle, and how far outside of a body it is at most.
struct CommonPoint {
  Vec3 point;  ///< axes of the mesh, from the body's origin
  double outside = 0.0;
};

/// A point that a triangle of a mesh and a body have in common, where they meet; elsewhere the
/// triangle's nearest. By GJK: the point of the simplex that holds the origin of the cores'
/// difference. `outside` is of the order of rounding then. No allocation.
CommonPoint common_point(const MeshAndBody& pair, std::uint32_t triangle);

}  // namespace tactus::detail
