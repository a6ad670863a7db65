#pragma once

#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// The derivatives that a pair with a mesh, A, is asked for, and `r.unique`: is the minimum that it
/// was answered with the only one, as no other normal or pair of witnesses has the same distance,
/// or depth? `r`: that answer.
///
/// Bodies that are convex are asked as their hulls. Of others that are apart, all triangles as near
/// as the nearest must have its witnesses and no others. Of others that overlap, the depth must
/// rise by all of a short way against the normal, and what touches after the way out is looked at
/// as bodies apart are; a depth that is not proved the least is never the only one. Allocates.
/// Cost: some queries of the pair.
void derive_mesh(const PairContext& pair, DistanceResult& r);

}  // namespace tactus::detail
