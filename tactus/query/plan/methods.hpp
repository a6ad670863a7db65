#pragma once

#include "tactus/narrow/pair/convex_pair.hpp"
#include "tactus/query/result.hpp"

namespace tactus::detail {

/// True when the algorithm answers these cores, in this order or the other.
bool serves(Method method, const Core& a, const Core& b);

/// The answer of the algorithm asked for, for cores that it `serves`: one row of a table each.
/// `epa` is working storage and keeps the vertices that prove a depth.
ConvexAnswer answer_by(Method method, const Cso& cso, const ConvexOptions& options, Epa& epa);

/// The algorithm that gave an answer: closed form or separating axes, the expanding polytope for
/// depths that the gjk family leaves to it, else the one asked for.
Method method_of(Method asked, const ConvexAnswer& answer, const Cso& cso);

}  // namespace tactus::detail
