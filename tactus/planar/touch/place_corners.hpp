#pragma once

#include "tactus/math/pairs.hpp"
#include "tactus/planar/region/boundary.hpp"

namespace tactus::detail {

/// The corners of a small convex region placed by `pose`, in arrays of kSmallConvex: the bits of
/// Pose2::to_world, or of the sum with the position where the pose does not turn.
inline void place_corners(const Corners& from, const Pose2& pose, double* x, double* y) {
  const Pair c = both(pose.cosine()), s = both(pose.sine());
  const Pair px = both(pose.position().x), py = both(pose.position().y);
  const std::size_t count = from.filled();
  if (!pose.turned()) {
    for (std::size_t i = 0; i < count; i += 2) {
      store_pair(load_pair(from.x + i) + px, x + i);
      store_pair(load_pair(from.y + i) + py, y + i);
    }
    return;
  }
  for (std::size_t i = 0; i < count; i += 2) {
    const Pair u = load_pair(from.x + i), v = load_pair(from.y + i);
    store_pair((c * u - s * v) + px, x + i);
    store_pair((s * u + c * v) + py, y + i);
  }
}

}  // namespace tactus::detail
