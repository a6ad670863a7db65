#pragma once

#include "tactus/planar/region/boundary.hpp"

namespace tactus::detail {

/// Marks a boundary that is a single contour of at most `kSmallConvex` corners, all of them convex,
/// and prepares its corners and normals for the tests of such pairs; other boundaries stay as they
/// are. Convexity is decided exactly.
void note_small_convex(Boundary& boundary);

}  // namespace tactus::detail
