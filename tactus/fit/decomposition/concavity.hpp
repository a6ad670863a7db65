#pragma once

#include <atomic>
#include <limits>
#include <span>

#include "tactus/fit.hpp"
#include "tactus/fit/decomposition/solid.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::fit {

/// When a measurement may end before its bracket is as narrow as asked for.
struct MeasureLimits {
  /// A deviation above this is not measured further.
  double enough = std::numeric_limits<double>::infinity();
  const std::atomic<bool>* cancel = nullptr;  ///< the brackets stay as wide as they are by then
  bool reached(double deviation) const {
    return deviation > enough || (cancel != nullptr && cancel->load(std::memory_order_relaxed));
  }
};

/// Largest distance of a point of `from` to the surface `to`: branch and bound over pieces of
/// triangles, down to a bracket no wider than `tolerance` or below `least` + `tolerance` (or as
/// wide as a million pieces leave it). Both in one frame; `from` must not be empty. Cost: some
/// microseconds per triangle of `from`.
Deviation largest_distance(const TriangleMesh& from, const bvh::MeshView& to, double tolerance,
                           double least = 0.0, int threads = 0, const MeasureLimits& limits = {});

/// As `largest_distance`, for the points of `from` on either side of a solid's surface; for the
/// smaller one of the two, half of the larger one is the least that matters.
struct SidedDeviation {
  Deviation outside, inside;
};
SidedDeviation largest_distances(const TriangleMesh& from, const Solid& solid, double tolerance,
                                 int threads = 0, const MeasureLimits& limits = {});

/// How deep the union of the bodies fills what is outside of a closed surface: the largest distance
/// from the surface of a point that is in a body and not in the solid. Near the union's own
/// boundary it is what `largest_distances` finds; inside a filled hollow, however thin its walls,
/// it is the radius of the largest ball in there. Depths up to `least` are not looked into. Branch
/// and bound over cubes. Cost: microseconds per cube, as many as the surface has squares of side
/// `least`.
Deviation largest_filled_depth(const Solid& solid, std::span<const ConvexHull> bodies,
                               double tolerance, double least, const MeasureLimits& limits = {});

/// Measures a decomposition against the solid that it shall stand for; knows nothing of how it was
/// made. Unbounded when no body has a face. `tolerance` is the width of the brackets, in the
/// mesh's unit; those below half of the largest deviation may be wider. Filled hollows of a closed
/// surface are looked for when all else is within `bound`. Cost: some tenths of a
/// second for 50 bodies and 10,000 triangles.
Concavity measure_concavity(const Solid& solid, std::span<const ConvexHull> bodies,
                            double tolerance, int threads = 0,
                            double bound = std::numeric_limits<double>::infinity(),
                            const MeasureLimits& limits = {});

}  // namespace tactus::detail::fit
