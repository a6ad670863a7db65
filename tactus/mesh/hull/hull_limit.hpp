#pragma once

#include <cstdint>
#include <span>

#include "tactus/mesh/hull/convex_hull.hpp"

namespace tactus {

/// The convex hull of some of the points, and how much it leaves out.
struct LimitedHull {
  ConvexHull hull;
  double error = 0.0;  ///< no point is farther from the hull than this; 0 when all are inside
};

/// A hull with at most `max_vertices` vertices, all of them points of the set: grown by the point
/// that is the farthest from the face below it, again and again, until the number is reached or
/// nothing is outside. `hull.source` counts in `points`. The hull lies inside of the full one, and
/// `error` bounds the distance between the two from above: the largest distance of a point that was
/// left out, plus what rounding may hide of it.
///
/// Throws InvalidInput as `convex_hull` does, and `max_vertices` when it is below dimension + 1 of
/// the set. Cost: a pass over the points outside for each vertex, mostly over few of them.
LimitedHull limited_hull(std::span<const Vec3> points, std::uint32_t max_vertices);

}  // namespace tactus
