#pragma once

#include "tactus/planar/region/boundary.hpp"

namespace tactus::detail {

/// Signed distance of two small convex regions in A's frame, B placed by `pose`, without trees and
/// without allocation. `error` is the bound of the rounding of B's places and of distances. False
/// where they are so near to touching that signs need exact arithmetic. The search begins at the
/// corners that `near` names, and notes where it ends. Cost: O(n m) for an overlap, mostly O(n +
/// m).
bool convex_distance(const Boundary& a, const Boundary& b, const Pose2& pose, double error,
                     PlanarCache& near, PlanarResult& out);

}  // namespace tactus::detail
