#pragma once

#include "tactus/query.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// A body of a patch.
struct SpreadSide {
  const Shape& shape;
  const Pose& pose;
  double size;  ///< longest extent
};

/// The points of a patch stand for its area: friction of the same size over the whole area resists
/// twisting less than at its corners. Returns the factor by which the corners are to move towards
/// their centre for friction there to resist as much: the mean distance of the area from the centre
/// over that of the points. Of a disc of a cylinder or cone 2/3, of a line 1/2, of a single
/// point 1. Evenly loaded patches are met exactly, polygons to 1e-3.
double friction_spread(const Manifold& manifold, const SpreadSide& a, const SpreadSide& b);

}  // namespace tactus::detail
