#pragma once

#include <span>

#include "tactus/mesh.hpp"

namespace tactus::detail::fit {

/// Boundary of the union of convex bodies: their faces without what lies within another body.
///
/// Where faces of two bodies touch from either side neither remains, where they lie in one plane
/// and look the same way one does; `tolerance` (a length) says what counts as touching, and gaps
/// or overlaps of that width stay between the triangles. Flat bodies are two-sided and take nothing
/// away; points and segments have no boundary. The triangles are not stitched together. Empty when
/// there is no face. Deterministic. Cost: each face is clipped by the bodies that reach it, some
/// microseconds each, on all processors.
TriangleMesh union_boundary(std::span<const ConvexHull> bodies, double tolerance, int threads = 0);

}  // namespace tactus::detail::fit
