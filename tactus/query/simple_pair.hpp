#pragma once

#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// A pair without compounds: convex bodies, half-spaces, meshes. Its poses are finite. Derivatives
/// are left to the caller.
void answer_simple_pair(const PairContext& pair, DistanceResult& r);

}  // namespace tactus::detail
