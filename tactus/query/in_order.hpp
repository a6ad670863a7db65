#pragma once

#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// A pair with a half-space or a mesh and without a compound: the function that answers it takes
/// that one first. Its poses are finite; derivatives of an answer that stops early are left to the
/// caller. `r`: as it is made.
void answer_in_order(const PairContext& pair, DistanceResult& r);

}  // namespace tactus::detail
