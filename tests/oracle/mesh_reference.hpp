#pragma once

#include "lab/extended.hpp"
#include "tactus/math.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::oracle {

/// The truth about two placed surfaces.
struct MeshReference {
  lab::Real distance = 0;  ///< least distance of two triangles; 0 where they meet
  lab::Real error = 0;     ///< no more than this off, all roundings included
  bool meet = false;       ///< some edge passes through a triangle by more than the error
  /// Winding numbers, rounded, of each surface about the first corner of the other.
  int a_in_b = 0, b_in_a = 0;
};

/// By brute force over all pairs of triangles, in extended precision, from the numbers of the input
/// alone; shares no code with the library's searches. Two triangles that do not meet are nearest at
/// a corner of one and a point of the other, or on two edges; each of these is a formula. Two that
/// meet have an edge of one that passes through the other. The poses' matrices are taken as they
/// are. Cost: 15 formulas per pair of triangles.
MeshReference mesh_reference(const TriangleMesh& a, const Pose& pose_a, const TriangleMesh& b,
                             const Pose& pose_b);

}  // namespace tactus::detail::oracle
