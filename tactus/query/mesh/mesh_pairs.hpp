#pragma once

#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// Is B to be answered before A? Two meshes are answered in one order of them so that swapped
/// arguments give the same answer, mirrored: by fingerprint, of equal meshes by pose. False for all
/// other shapes.
bool second_goes_first(const Placed& a, const Placed& b);

/// A mesh, A, against a convex body, a half-space or another mesh: signed distance, and contact
/// patches where a sink is given.
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
DistanceResult answer_mesh(const PairContext& pair);

}  // namespace tactus::detail
