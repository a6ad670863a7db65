#pragma once

#include "tactus/query/dispatch.hpp"

namespace tactus::detail {

/// A mesh, A, against a convex body, a half-space or another mesh: signed distance, and contact
/// patches where `sink` is given.
///
/// Apart, the distance of the nearest triangle, by branch and bound, exact up to rounding. In
/// overlap, and inside of closed meshes, the length of the shortest translation that separates the
/// bodies is bounded from below by the depth of single triangles and points, from above by
/// translations that were tried: the bracket is narrow where one face or edge is pushed in, and as
/// wide as it must be elsewhere (Status::precision_limit). `distance` is then minus the upper one,
/// along `normal`. Of algorithms only Method::automatic. Overlapping meshes allocate. Source:
/// docs/algorithms/mesh-queries.md.
DistanceResult mesh_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                         const QueryOptions& options, QueryCache* cache, Ask ask,
                         ManifoldSink* sink);

}  // namespace tactus::detail
