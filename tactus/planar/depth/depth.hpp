#pragma once

#include "tactus/planar/region/boundary.hpp"

namespace tactus::detail {

/// The least translation of one region that parts its interior from another's.
struct PlanarDepth {
  double lower = 0.0, upper = 0.0;  ///< bracket of its length
  Vec2 translation;                 ///< of length `upper` at most; proved to part the interiors
  /// Steps of the search: pairs of runs, edges and corners, pairs of slides, points asked.
  std::size_t work = 0;
};

/// Depth of `b` moved by `shift` in `a`, whose interiors meet. Best first over the reduced
/// convolution: the translations at which a corner of one slides along an edge of the other, and
/// the crossings of two such segments, by their distance. Cost: O((n + k + c) log n) for k segments
/// nearer than the depth and c pairs of them whose boxes meet, and O(n log n) for each place that
/// no corner and no crossing of edges covers.
PlanarDepth depth(const Boundary& a, const Boundary& b, const Vec2& shift);

}  // namespace tactus::detail
