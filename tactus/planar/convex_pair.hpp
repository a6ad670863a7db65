#pragma once

#include <optional>

#include "tactus/planar/boundary.hpp"

namespace tactus::detail {

/// Most corners of a region that is looked at as a whole, without its tree.
inline constexpr std::size_t kSmallConvex = 16;

/// True for one contour of at most kSmallConvex corners, each of which turns to the left; exact.
bool is_small_convex(const Boundary& boundary);

/// Signed distance of two small convex regions in A's frame, B placed by `pose`, without trees and
/// without allocation. `error` is the bound of the rounding of B's places and of distances. None
/// where they are so near to touching that signs need exact arithmetic. Cost: O(n m) for an
/// overlap, mostly O(n + m).
std::optional<PlanarResult> convex_distance(const Boundary& a, const Boundary& b, const Pose2& pose,
                                            double error);

}  // namespace tactus::detail
