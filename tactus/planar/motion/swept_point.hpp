#pragma once

#include "tactus/planar/region/edges.hpp"

namespace tactus::detail {

/// When a moving point comes as near as a radius to edges at rest, and to which.
struct SweptHit {
  double time = kInfinity;  ///< never late; infinite: not up to `limit`
  std::size_t edge = 0, point = 0;
  Vec2 normal;            ///< unit, from the edge to the point
  bool of_point = false;  ///< swept points were those of the other body
};

/// A point on its way from `from` to `from` + `way`, in time 0 to 1.
struct SweptPoint {
  Vec2 from, way;
  double radius = 0.0;
  double slack = 0.0;  ///< bound of all roundings of places, in length: widens the radius
};

/// Takes the first hit on any edge into `best`; times from `best.time` on are not looked at.
/// `only_nearing`: edges that the point is near to at the start and does not approach are left out:
/// it never comes nearer to them.
/// Cost: O(log n + k) for the k edges near the way.
void sweep(const SweptPoint& point, const Edges& edges, SweptHit& best, bool only_nearing = false);

}  // namespace tactus::detail
