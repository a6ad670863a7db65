#pragma once

#include "tactus/broad/broad_phase.hpp"

namespace tactus {

/// Boxes sorted by their lower side along one axis; each is tested against those that start before
/// it ends.
///
/// The sorted list is kept from call to call and repaired by insertion sort, which is linear when
/// bodies move little. The axis is the one along which the box centres vary most; it changes only
/// when another is clearly better. Boxes that are infinite along the axis stay outside the list and
/// are tested against all. Cost: O(n + swaps + overlaps along the axis), plus sorting the found
/// pairs; O(n log n) on the first call, and when the axis, the entries' ids or their order change.
/// Source: baraff1992dynamic, leemann2017 (coarse detection).
class SweepAndPrune {
 public:
  void find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out);

 private:
  struct Item {
    std::uint64_t id;
    std::uint32_t slot;  ///< position in the caller's entries
    Aabb box;
  };

  bool refresh(std::span<const BroadEntry> entries);
  void rebuild(std::span<const BroadEntry> entries);
  void sort();
  bool precedes(const Item& a, const Item& b) const;

  int axis_ = 0;
  std::vector<Item> sorted_;  ///< bounded along the axis
  std::vector<Item> unbounded_;
};
static_assert(BroadPhase<SweepAndPrune>);

}  // namespace tactus
