#pragma once

#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// Is the minimum that a pair with a mesh, A, was answered with the only one: has no other normal
/// or pair of witnesses the same distance, or depth? `r`: that answer.
///
/// Bodies that are convex are asked as their hulls. Of others that are apart, all triangles as near
/// as the nearest must have its witnesses and no others. Of others that overlap, the depth must
/// rise by all of a short step against the normal, and what touches after the way out is looked at
/// as bodies apart are; a depth that is not proved the least is never the only one. Allocates.
/// Cost: some queries of the pair.
bool is_lone_minimum_of_mesh(const PairContext& pair, const DistanceResult& r);

}  // namespace tactus::detail
