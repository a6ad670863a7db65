#pragma once

#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// A half-space, A, and a convex body: in A's frame the body's farthest point against the normal
/// decides.
DistanceResult answer_halfspace(const PairContext& pair);

}  // namespace tactus::detail
