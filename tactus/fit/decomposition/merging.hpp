#pragma once

#include <cstdint>
#include <functional>

#include "tactus/fit/decomposition/part.hpp"

namespace tactus::detail::fit {

/// What says which two parts are joined first: the least of it.
enum class MergeOrder : std::uint8_t {
  volume,  ///< of the hull about both minus the volumes of their hulls
  error    ///< worst error of the hull about both
};

struct MergePlan {
  MergeOrder order = MergeOrder::volume;
  bool bounded = true;       ///< a joined part must be good; otherwise any may be joined
  std::size_t at_least = 1;  ///< stop when so few are left
  int threads = 0;
  std::function<bool(std::size_t parts)> go_on;  ///< asked now and then; false stops
};

using PartPair = std::pair<std::uint32_t, std::uint32_t>;

/// Joins parts two by two, the cheapest pair first, as long as a pair is allowed. Only the pairs
/// given are looked at, and those that follow from them: a joined part has the partners of both.
/// What remains keeps its order. Cost: one or two hulls per pair.
std::vector<Part> merge_parts(const PartJudge& judge, std::vector<Part> parts,
                              const std::vector<PartPair>& pairs, const MergePlan& plan);

/// Pairs whose boxes are at most `gap` apart.
std::vector<PartPair> near_pairs(const std::vector<Part>& parts, double gap);

}  // namespace tactus::detail::fit
