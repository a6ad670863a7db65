#pragma once

#include "tactus/bvh/mesh_distance.hpp"

namespace tactus::detail::bvh {

/// `mesh_distance_by` with one step switched off, for counts beside lennerz2002: pairs of triangles
/// are measured without being bounded along four directions first, so that `triangle_tests` are the
/// elementary tests of the source's forms. The same distances.
template <class Volume>
MeshDistance mesh_distance_without_pair_bound(const TriangleMesh& mesh_a,
                                              const Hierarchy<Volume>& tree_a, const Pose& pose_a,
                                              const TriangleMesh& mesh_b,
                                              const Hierarchy<Volume>& tree_b, const Pose& pose_b,
                                              const MeshDistanceOptions& options = {});

}  // namespace tactus::detail::bvh
