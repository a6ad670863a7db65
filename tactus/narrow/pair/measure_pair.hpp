#pragma once

#include "tactus/narrow/formula/pair_formula.hpp"
#include "tactus/narrow/pair/convex_pair.hpp"

namespace tactus::detail {

/// Signed distance of two grown cores by the pair's formula in A's frame, by `search_pair` where it
/// leaves the pair open: for motions, which ask it at one place after another. `formula` is that of
/// the pair's row, or none.
ConvexAnswer measure_pair(const Cso& cso, PairFormula formula, const ConvexOptions& options,
                          Epa& epa);

}  // namespace tactus::detail
