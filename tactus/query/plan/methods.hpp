#pragma once

#include <array>
#include <iterator>

#include "tactus/narrow/pair/convex_pair.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {

/// One algorithm: the cores that it serves, and its answer. Empty where it is not there.
struct MethodRow {
  bool (*serves)(const Core& a, const Core& b) = nullptr;
  ConvexAnswer (*answer)(const Cso& cso, const ConvexOptions& options, Epa& epa) = nullptr;
};
using MethodTable = std::array<MethodRow, std::size(kMethods)>;  ///< in the order of Method

/// Rows that stand in for the library's own from now on (`enable_classic_methods`); kept by
/// address.
void add_methods(const MethodTable& table);

/// True when the algorithm answers these cores, in this order or the other.
bool serves(Method method, const Core& a, const Core& b);

/// The answer of the algorithm asked for, for cores that it `serves`: one row of a table each.
/// `epa` is working storage and keeps the vertices that prove a depth.
ConvexAnswer answer_by(Method method, const Cso& cso, const ConvexOptions& options, Epa& epa);

/// The algorithm that gave an answer: closed form or separating axes, the expanding polytope for
/// depths that the gjk family leaves to it, else the one asked for.
Method method_of(Method asked, const ConvexAnswer& answer, const Cso& cso);

}  // namespace tactus::detail
