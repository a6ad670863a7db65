#pragma once

#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// Two convex bodies: by formula where one exists, else by the method asked for. Fills the caller's
/// result, which is large beside the cost of a formula. Ends a trace with the answer; leaves
/// derivatives to the caller.
void answer_convex(const PairContext& pair, DistanceResult& r);

}  // namespace tactus::detail
