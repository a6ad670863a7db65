#pragma once

#include "tactus/query/mesh_search.hpp"

namespace tactus::detail {

/// Bracket of the shortest translation that separates a mesh from another body.
struct MeshDepth {
  double least = 0.0;     ///< proved: no shorter one does; negative where they may be apart
  double most = 0.0;      ///< this length along `n` does
  Vec3 n;                 ///< unit, of the other body's way out, axes of the mesh
  Vec3 point_a, point_b;  ///< point_a - point_b = most * n, axes of the mesh; see `origin`
  std::uint32_t triangle_a = bvh::MeshPairCache::kNone, triangle_b = bvh::MeshPairCache::kNone;
};

/// Of a mesh and a convex body that meets its surface in the triangles `near` (some of them, when
/// not `all`), or lies inside. Points are seen from the body's origin.
MeshDepth mesh_depth(const MeshAndBody& pair, const std::vector<TriangleAnswer>& near, bool all);

/// Of two meshes; points are in the frame of A. `pose` is that of B in it.
MeshDepth mesh_depth(const Mesh& a, const Mesh& b, const Pose& pose);

/// Does a component of one lie inside the other, provided that the surfaces do not meet? `pose` is
/// that of B in A's frame.
bool one_holds_other(const Mesh& a, const Mesh& b, const Pose& pose);

/// Bound of the rounding of lengths between two meshes.
double rounding_of(const Mesh& a, const Mesh& b, const Pose& pose);

}  // namespace tactus::detail
