#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/shape/bounds.hpp"

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

}  // namespace tactus
