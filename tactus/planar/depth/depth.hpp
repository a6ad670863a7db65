#pragma once

#include "tactus/planar/boundary.hpp"

namespace tactus::detail {

/// The least translation of one region that parts its interior from another's.
struct PlanarDepth {
  double lower = 0.0, upper = 0.0;  ///< bracket of its length
  Vec2 translation;                 ///< of length `upper` at most; proved to part the interiors
};

/// Depth of `b` moved by `shift` in `a`, whose interiors meet. Best first over the reduced
/// convolution: the translations at which a corner of one slides along an edge of the other, and
/// the crossings of two such segments, by their distance. Cost: O(k^2) for k segments nearer than
/// the depth, each candidate O(n log n).
PlanarDepth depth(const Boundary& a, const Boundary& b, const Vec2& shift);

}  // namespace tactus::detail
