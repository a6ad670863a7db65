#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "tactus/fit/decomposition/part.hpp"

namespace tactus::detail::fit {

/// Measure of two parts that could be joined: those with the least are joined first.
enum class MergeOrder : std::uint8_t {
  volume,  ///< of the hull about both minus the volumes of their hulls
  error    ///< worst error of the hull about both
};

struct MergePlan {
  MergeOrder order = MergeOrder::volume;
  bool bounded = true;       ///< a joined part must be good; otherwise any may be joined
  std::size_t at_least = 1;  ///< stop when so few are left
  int threads = 0;
  const std::atomic<bool>* cancel = nullptr;     ///< when set no further pair is looked at
  std::function<bool(std::size_t parts)> go_on;  ///< asked now and then; false stops
  /// Told of every join: numbers of both parts, those that came by joins counted on.
  std::function<void(std::uint32_t a, std::uint32_t b, const Part& both)> joined;
};

using PartPair = std::pair<std::uint32_t, std::uint32_t>;

/// Joins parts two by two, the cheapest pair first, as long as a pair is allowed. Only the pairs
/// given are looked at, and those that follow from them: a joined part has the partners of both.
/// What remains keeps its order. Cost: one or two hulls per pair.
std::vector<Part> merge_parts(const PartJudge& judge, std::vector<Part> parts,
                              const std::vector<PartPair>& pairs, const MergePlan& plan);

/// Parts joined down to one, the joins in an order that no bound decides.
class NestedParts {
 public:
  /// Joins always the two whose common hull errs the least, by the judge's estimate. `go_on` may
  /// end it early. Cost: one or two hulls per pair.
  NestedParts(const PartJudge& judge, std::vector<Part> parts, int threads,
              const std::function<bool()>& go_on);
  std::size_t most() const { return first_; }
  std::size_t fewest() const { return first_ - joins_.size(); }
  /// The hulls when there are `count` of them, from `fewest()` to `most()`.
  std::vector<ConvexHull> hulls(std::size_t count) const;
  /// The largest estimated error of these hulls.
  double error(std::size_t count) const;

 private:
  std::vector<std::size_t> alive(std::size_t count) const;

  std::size_t first_;
  std::vector<ConvexHull> hulls_;  ///< of the first parts, and of what came by each join
  std::vector<double> errors_;
  std::vector<PartPair> joins_;
};

/// Pairs whose boxes are at most `gap` apart.
std::vector<PartPair> near_pairs(const std::vector<Part>& parts, double gap);

}  // namespace tactus::detail::fit
