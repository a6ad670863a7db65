#pragma once

#include "tactus/core/random.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail::lab {

struct PlacedPair {
  Pose a, b;
};

/// Random orientations, and B moved along the normal until the signed distance is about `wanted`
/// (exactly so for gaps and shallow depths).
PlacedPair place(const Shape& a, const Shape& b, double wanted, Random& random);

/// Hull of random points on an ellipsoid with radii between 0.3 and 1.
Shape random_hull(int points, Random& random);

}  // namespace tactus::detail::lab
