#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include "tactus/broad.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Finds the nearest body on a ray. A few rays look at all bodies; when there are more between two
/// changes of the world, a tree over the bodies is built. The answers are the same.
class RayIndex {
 public:
  RayIndex() = default;
  RayIndex(const RayIndex&) = delete;
  RayIndex& operator=(const RayIndex&) = delete;
  ~RayIndex() { clear(); }

  /// To be called when bodies were added or removed, or moved.
  void clear();
  /// The first by (distance, id). `direction` is unit. May be called by many threads.
  std::optional<RayHit> nearest(std::span<const Body> bodies, const Vec3& origin,
                                const Vec3& direction, double max_distance,
                                std::uint64_t mask) const;

 private:
  const DynamicTree& tree(std::span<const Body> bodies) const;

  mutable std::atomic<const DynamicTree*> tree_{nullptr};  ///< owned
  mutable std::atomic<int> rays_{0};                       ///< since the last change
};

}  // namespace tactus::detail
