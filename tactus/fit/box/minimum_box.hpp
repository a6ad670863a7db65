#pragma once

#include "tactus/fit/box/oriented_box.hpp"

namespace tactus::fit {

/// Hulls with more corners are left to the search over rotations alone.
inline constexpr std::size_t kMostCalipersVertices = 2000;

/// A box and what is known of all others.
struct MinimumBox {
  OrientedBox box;
  /// No box about the points has less volume than this; zero where nothing is proved.
  double lower = 0.0;
};

/// The box of least volume about the points: the best of the whole ladder.
///
/// Up to `kMostCalipersVertices` corners of the hull it is the least box of all, up to rounding
/// (`lower` is its volume less some 1e-12 of it, more for thin bodies): two of its adjacent faces
/// lie on edges of the hull, and all pairs of edges are tried. Beyond, `lower` is proved by branch
/// and bound over all rotations, and the volume is at most 1.001 times as large (for other than
/// very round bodies 1.000001 times). Where several boxes are equally good, which one is fixed, but
/// not said.
///
/// Points in a plane get the rectangle of least area, and a side that rounding alone has made, as
/// thick as rounding; so do bodies thinner than 1e-9 of their length, and `lower` is 0. Collinear
/// points get the segment. Every point is inside for certain, as for `box_along`. The same bits for
/// any number of threads. `hull` must be that of the points. Throws InvalidInput (`points`). Cost:
/// 0.01 to 1 s for the search; the pairs of n corners some 1e-7 n^2 s.
/// Source: orourke1985boxes (which boxes can be least); how they are searched, and the search over
/// rotations, are ours: docs/algorithms/oriented-boxes.md.
MinimumBox minimum_box(std::span<const Vec3> points, const ConvexHull& hull);
MinimumBox minimum_box(std::span<const Vec3> points);

}  // namespace tactus::fit
