#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/broad.hpp"

namespace tactus::detail {

/// Receives the steps of `SweepAndPrune`. Boxes are named by their ids. Override what is of
/// interest.
class SweepObserver {
 public:
  virtual ~SweepObserver() = default;
  /// The axis of the sweep and the variances of the boxes' centres, from which it follows. `kept`:
  /// the order of the last sweep is the start, else all is sorted anew.
  virtual void axis(int /*axis*/, const std::array<double, 3>& /*variance*/, bool /*kept*/) {}
  /// Insertion sort moves a box to an earlier place.
  virtual void moved(std::uint64_t /*id*/, std::size_t /*from*/, std::size_t /*to*/) {}
  /// All boxes that are bounded along the axis, in the order of their lower ends.
  virtual void sorted(std::span<const std::uint64_t>) {}
  /// The sweep reaches the lower end of a box; the boxes that follow are compared with it up to its
  /// upper end.
  virtual void reached(std::uint64_t /*id*/) {}
  /// Two boxes whose intervals on the axis meet are compared along the others.
  virtual void compared(std::uint64_t /*id*/, std::uint64_t /*other*/, bool /*meet*/) {}
  /// `other` begins behind the end of `id`: nothing behind it can meet.
  virtual void passed(std::uint64_t /*id*/, std::uint64_t /*other*/) {}
};

/// `SweepAndPrune`, whose steps an observer is told of: the same code, compiled apart, so that a
/// sweep without an observer has no trace of it. The same pairs.
class ObservedSweep {
 public:
  void find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                  SweepObserver& observer);

 private:
  struct Item {
    std::uint64_t id;
    std::uint32_t slot;  ///< position in the caller's entries
    Aabb box;
  };

  int axis_ = 0;
  std::vector<Item> sorted_, unbounded_;
};

}  // namespace tactus::detail
