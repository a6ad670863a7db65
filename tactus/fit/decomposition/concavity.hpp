#pragma once

#include <span>

#include "tactus/fit.hpp"
#include "tactus/fit/decomposition/solid.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::fit {

/// Largest distance of a point of `from` to the surface `to`: branch and bound over pieces of
/// triangles, down to a bracket no wider than `tolerance` or below `least` + `tolerance` (or as
/// wide as a million pieces leave it). Both in one frame; `from` must not be empty. Cost: some
/// microseconds per triangle of `from`.
Deviation largest_distance(const TriangleMesh& from, const bvh::MeshView& to, double tolerance,
                           double least = 0.0, int threads = 0);

/// The same for the points of `from` on either side of a solid's surface; for the smaller one of
/// the two, half of the larger one is the least that matters.
struct SidedDeviation {
  Deviation outside, inside;
};
SidedDeviation largest_distances(const TriangleMesh& from, const Solid& solid, double tolerance,
                                 int threads = 0);

/// Measures a decomposition against the solid that it shall stand for; knows nothing of how it was
/// made. Unbounded when no body has a face. `tolerance` is the width of the brackets, in the
/// mesh's unit; those below half of the largest deviation may be wider. Cost: some tenths of a
/// second for 50 bodies and 10,000 triangles.
Concavity measure_concavity(const Solid& solid, std::span<const ConvexHull> bodies,
                            double tolerance, int threads = 0);

}  // namespace tactus::detail::fit
