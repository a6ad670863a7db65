#pragma once

#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/query/plan/dispatch.hpp"

namespace tactus::detail {

/// Of two meshes, which are answered in one order of them so that swapped arguments give the same
/// answer, mirrored: is it that of B before A? By fingerprint, of equal meshes by pose. False for
/// all other shapes.
bool second_goes_first(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);

/// A mesh, A, against a convex body, a half-space or another mesh: signed distance, and contact
/// patches where `sink` is given.
///
/// Apart, the distance of the nearest triangle, by branch and bound, exact up to rounding or to the
/// tolerance asked for. In overlap, and inside of closed meshes, the length of the shortest
/// translation that separates the bodies is bounded from below by the depth of single triangles and
/// points, from above by translations that were tried: the bracket is narrow where one face or edge
/// is pushed in, and as wide as it must be elsewhere (Status::precision_limit). `distance` is then
/// minus the upper one, along `normal`. An open mesh has no inside: see Ask.
///
/// `max_iterations` caps the search of each triangle as it does that of a convex pair, and each
/// walk through the hierarchies at kVisitsPerIteration times as many; what a cap ends has a wider
/// bracket (Status::iteration_limit). Of algorithms only Method::automatic. Overlapping meshes, and
/// contacts, allocate lists of triangles, and may throw std::bad_alloc but nothing else. Source:
/// docs/algorithms/mesh-queries.md.
DistanceResult mesh_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                         const QueryOptions& options, WarmStart* cache, Ask ask,
                         ManifoldSink* sink);

}  // namespace tactus::detail
