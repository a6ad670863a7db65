#pragma once

#include "tactus/planar/region/boundary.hpp"

namespace tactus::detail {

/// Notes one contour of at most kSmallConvex corners, each of which turns to the left; exact.
void note_small_convex(Boundary& boundary);

}  // namespace tactus::detail
