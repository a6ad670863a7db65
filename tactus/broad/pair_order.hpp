#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/broad.hpp"
#include "tactus/core/cancellation.hpp"

namespace tactus::detail {

/// Two entries by their places in the caller's list, in any order.
struct SlotPair {
  std::uint32_t a, b;
};

/// Throws InvalidInput (`entries`).
[[noreturn]] void throw_too_many(std::size_t most, std::size_t entries);

/// Counts the pairs that several threads find, and stops all of them at the limit.
class PairLimit {
 public:
  explicit PairLimit(std::size_t most) : most_(most) {}
  /// Adds to the count; false when it is above the limit. Ends work that is cancelled: many pairs
  /// take long.
  bool add(std::size_t count) {
    end_if_cancelled();
    return found_.fetch_add(count, std::memory_order_relaxed) + count <= most_;
  }
  bool exceeded() const { return found_.load(std::memory_order_relaxed) > most_; }

 private:
  std::size_t most_;
  std::atomic<std::size_t> found_{0};
};

/// Brings pairs of places into the order of ids in linear time: by counting the pairs of each
/// entry, since an entry has few of them.
class PairOrder {
 public:
  /// Takes over the ids, and their order if it changed since the last call.
  void update(std::span<const BroadEntry> entries);
  /// Replaces `out` by the pairs of all lists, ordered by ids.
  void write(std::span<const std::vector<SlotPair>> lists, std::vector<BroadPair>& out);

 private:
  void sort_uppers(std::uint32_t begin, std::uint32_t end);

  std::vector<std::uint64_t> ids_;     ///< as in the last call
  std::vector<std::uint64_t> sorted_;  ///< ids by rank, when they do not ascend
  std::vector<std::uint32_t> rank_;    ///< of each place; empty when ids ascend: each its own
  std::vector<std::uint32_t> first_, upper_;
};

}  // namespace tactus::detail
