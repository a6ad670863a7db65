#pragma once

#include <vector>

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/bvh/near_leaves.hpp"

namespace tactus::detail::bvh {

/// Do two surfaces have a common point? `first` receives the pair of triangles that was found. Each
/// pair of triangles is decided exactly for its corners in A's frame, whose rounding is that of the
/// poses. The insides of closed meshes do not count. Cost: some ten microseconds where they meet.
bool surfaces_meet(const MeshView& a, const Pose& pose_a, const MeshView& b, const Pose& pose_b,
                   TrianglePair* first = nullptr);

/// Pairs of triangles with a common point, ascending by triangle of A, then of B.
struct MeetingTriangles {
  std::vector<TrianglePair> pairs;
  bool all = true;  ///< false where the cap ended the search
};
/// Looks at `most` pairs of nodes at most. Allocates.
MeetingTriangles meeting_triangles(const MeshView& a, const Pose& pose_a, const MeshView& b,
                                   const Pose& pose_b,
                                   std::int64_t most = std::numeric_limits<std::int64_t>::max());

}  // namespace tactus::detail::bvh
