#pragma once

#include "tactus/planar/region/boundary.hpp"
#include "tactus/simd/two_doubles.hpp"

namespace tactus::detail {

/// The corners of a small convex region placed by `pose`, in arrays of kSmallConvex: the bits of
/// Pose2::to_world, or of the sum with the position where the pose does not turn.
inline void place_corners(const Corners& from, const Pose2& pose, double* x, double* y) {
  using namespace two_doubles;
  const Lanes c = all(pose.cosine()), s = all(pose.sine());
  const Lanes px = all(pose.position().x), py = all(pose.position().y);
  const std::size_t count = from.filled();
  if (!pose.turned()) {
    for (std::size_t i = 0; i < count; i += 2) {
      store(x + i, load(from.x + i) + px);
      store(y + i, load(from.y + i) + py);
    }
    return;
  }
  for (std::size_t i = 0; i < count; i += 2) {
    const Lanes u = load(from.x + i), v = load(from.y + i);
    store(x + i, (c * u - s * v) + px);
    store(y + i, (s * u + c * v) + py);
  }
}

}  // namespace tactus::detail
