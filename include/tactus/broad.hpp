#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/shape.hpp"

namespace tactus {

/// A box to be tested against all others. Ids are unique within a call; sides may be infinite,
/// never NaN.
struct BroadEntry {
  std::uint64_t id = 0;
  Aabb box;
};

/// Two entries whose boxes share a point; a < b.
struct BroadPair {
  std::uint64_t a = 0, b = 0;
  friend constexpr bool operator==(const BroadPair&, const BroadPair&) = default;
  friend constexpr auto operator<=>(const BroadPair&, const BroadPair&) = default;
};

/// Finds all pairs of boxes that share a point, touching ones included.
///
/// `find_pairs` replaces `out` by every such pair once, in ascending order of (a, b): the same list
/// from every implementation, whatever its history. A broad phase may keep its working order
/// between calls to be faster on motion that changes little; such memory never changes the answer.
template <class T>
concept BroadPhase =
    std::default_initializable<T> &&
    requires(T broad, std::span<const BroadEntry> entries, std::vector<BroadPair>& out) {
      { broad.find_pairs(entries, out) } -> std::same_as<void>;
    };

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

/// Every box against every other: the yardstick of all broad phases. Cost: n^2 / 2 box tests.
class BruteForce {
 public:
  void find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out) const;
};
static_assert(BroadPhase<BruteForce>);

}  // namespace tactus
