#pragma once

#include <vector>

#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// The depth of two bodies of which one at least is a compound, as that of their unions: the
/// shortest translation that frees all parts of one from all parts of the other, by branch and
/// bound over the translations after which two parts meet (`shortest_way`). `deepest`: the answer
/// of the deepest pair of parts; what separates the bodies separates that pair. Poses are about A's
/// position. Without an answer where half-spaces leave no way out that is found (unsupported).
DistanceResult union_depth(const PairContext& pair, const DistanceResult& deepest);

/// Polytopes of translations that prove the depth of such an answer: `Certificate::covers`, empty
/// where the search does not reach it. Poses are about A's position, `world`.
std::vector<Certificate::Cover> cover_unions(const Placed& a, const Placed& b,
                                             const DistanceResult& result, const Vec3& world);

}  // namespace tactus::detail
