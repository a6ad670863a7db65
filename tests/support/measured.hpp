#pragma once

#include <array>
#include <cstddef>

#include "tactus/narrow/pair/measure_pair.hpp"
#include "tactus/query/plan/pair_table.hpp"

namespace tactus::detail::test {

/// The row of two cores that shapes have.
inline const PairRow& row_of(const Cso& cso) {
  // In the order of CoreKind; no shape has a triangle for its core.
  constexpr std::array kTypes{ShapeType::sphere, ShapeType::capsule,   ShapeType::box,
                              ShapeType::convex, ShapeType::convex,    ShapeType::cylinder,
                              ShapeType::cone,   ShapeType::ellipsoid, ShapeType::custom};
  return pair_row(kTypes[static_cast<std::size_t>(cso.a.kind)],
                  kTypes[static_cast<std::size_t>(cso.b.kind)]);
}

/// Two cores, answered in A's frame as the row of their pair says.
inline ConvexAnswer measured(const Cso& cso, ConvexOptions options, Epa& epa) {
  const PairRow& row = row_of(cso);
  options.steps = row.search == PairSearch::steps;
  return measure_pair(cso, row.formula, options, epa);
}

}  // namespace tactus::detail::test
