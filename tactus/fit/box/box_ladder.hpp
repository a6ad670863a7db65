#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tactus/fit.hpp"

namespace tactus::detail {

/// The boxes of a point set from the axes of its coordinates to the least volume, with processor
/// or wall time.
struct BoxLadder {
  struct Rung {
    OrientedBox box;
    double seconds = 0.0;  ///< on the wall, without the hull
  };
  ConvexHull hull;
  double hull_seconds = 0.0;
  std::vector<Rung> rungs;  ///< the last one is the best
  double lower = 0.0;       ///< proved: no box has less volume

  const OrientedBox& best() const { return rungs.back().box; }
};

/// Finds the box of least volume.
using AskMinimumBox =
    std::function<MinimumBox(std::span<const Vec3> points, const ConvexHull& hull)>;

/// Throws InvalidInput as `convex_hull`.
BoxLadder box_ladder(std::span<const Vec3> points, const AskMinimumBox& minimum);
BoxLadder box_ladder(std::span<const Vec3> points);  ///< by `minimum_box`

}  // namespace tactus::detail
