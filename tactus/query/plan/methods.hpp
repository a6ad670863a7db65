#pragma once

#include <array>
#include <iterator>

#include "tactus/narrow/pair/convex_pair.hpp"
#include "tactus/query.hpp"
#include "tactus/query/plan/pair_table.hpp"

namespace tactus::detail {

/// One algorithm: the pairs that it serves, by their row and cores, and its answer. Empty where it
/// is not there.
struct MethodRow {
  bool (*serves)(const PairRow& row, const Core& a, const Core& b) = nullptr;
  ConvexAnswer (*answer)(const Cso& cso, const ConvexOptions& options, Epa& epa) = nullptr;
};
using MethodTable = std::array<MethodRow, std::size(kMethods)>;  ///< in the order of Method

/// Rows that stand in for the library's own from now on (`enable_classic_methods`); kept by
/// address.
void add_methods(const MethodTable& table);

/// The algorithm asked for, if it answers this pair, else null. `answer` takes working storage,
/// which keeps the vertices that prove a depth.
const MethodRow* method_for(Method method, const PairRow& row, const Core& a, const Core& b);

/// The algorithm that gave an answer: closed form or separating axes, the expanding polytope for
/// depths that the gjk family leaves to it, else the one asked for.
Method method_of(Method asked, const ConvexAnswer& answer, const Cso& cso);

}  // namespace tactus::detail
