#pragma once

#include <cstdint>
#include <span>

#include "tactus/fit/solid.hpp"
#include "tactus/mesh/convex_hull.hpp"

namespace tactus::fit {

/// A length between two bounds, and a point that attains the lower one.
struct Deviation {
  double lower = 0.0, upper = 0.0;
  Vec3 at;
};

/// Hausdorff distance between the surface of a solid and that of a union of convex bodies, by its
/// two directions. All lengths are in the unit of the mesh; divided by `Solid::unit` they are those
/// of the model scaled to [-1, 1].
struct Concavity {
  Deviation bulge;      ///< from the union's boundary outside the solid to the surface
  Deviation hollow;     ///< from the union's boundary inside the solid to the surface: a void
  Deviation fill;       ///< from the outer surface (Solid::outer_surface) to the union's boundary
  double volume = 0.0;  ///< of the union, up to the rounding of its boundary
  double lower() const;
  double upper() const;
};

/// Which points count; the others are at distance 0.
enum class Side : std::uint8_t { both, outside, inside };

/// Largest distance of a point of `from`, on one side of the solid, to the surface `to`: branch and
/// bound over pieces of triangles, down to a bracket no wider than `tolerance` (or as wide as a
/// million pieces leave it). Both in one frame; `from` must not be empty; with a side, `to` must be
/// the solid's surface. Cost: some microseconds per triangle of `from`.
Deviation largest_distance(const TriangleMesh& from, const bvh::MeshView& to, double tolerance,
                           int threads = 0, const Solid* solid = nullptr, Side side = Side::both);

/// Measures a decomposition against the solid that it shall stand for; knows nothing of how it was
/// made. Unbounded when no body has a face. `tolerance` is the width of the brackets, in the
/// mesh's unit. Cost: some tenths of a second for 50 bodies and 10,000 triangles.
Concavity measure_concavity(const Solid& solid, std::span<const ConvexHull> bodies,
                            double tolerance, int threads = 0);

}  // namespace tactus::fit
