#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tactus::detail {

/// Numbers that are joined to sets, each named by its least number: the same whatever the order in
/// which they were joined. Cost: nearly constant per call.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count = 0) { reset(count); }
  /// Each number alone.
  void reset(std::size_t count) {
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  /// The least number of the set.
  std::uint32_t least_of(std::size_t of) {
    auto i = static_cast<std::uint32_t>(of);
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    const std::uint32_t x = least_of(a), y = least_of(b);
    parent_[std::max(x, y)] = std::min(x, y);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace tactus::detail
