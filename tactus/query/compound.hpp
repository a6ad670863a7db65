#pragma once

#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// A pair of which one body at least is a compound: the least signed distance over all pairs of
/// parts, by branch and bound over the trees of both, the nearest boxes first. Pairs of parts whose
/// boxes are farther apart, or overlap less, than the best pair so far are not asked. Equal ones:
/// the parts that come first in their compounds.
///
/// With a cache, begins with the pair of parts that was nearest before, and each pair has a cache
/// of its own; what is kept are the pairs that the last query asked. Contact patches come in the
/// order of the parts. Source: lennerz2002 (branch and bound); docs/algorithms/compounds.md.
DistanceResult answer_compound(const PairContext& pair);

}  // namespace tactus::detail
