#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math/vec3.hpp"

namespace tactus::detail {

/// Triangle of a closed surface: corners counter-clockwise seen from outside, and for each edge
/// corner[i] -> corner[i + 1] the triangle on its other side.
struct HullTriangle {
  std::array<std::uint32_t, 3> corner;
  std::array<std::uint32_t, 3> neighbor;
};

/// Triangulated boundary of the convex hull of `points`, started from `simplex`: four indices with
/// orient3d(points of 0, 1, 2, 3) < 0. No triangle is degenerate. Neighbouring triangles may be
/// exactly coplanar, and then a corner may lie on an edge or inside a face of the hull.
/// Coordinates must be at most 1 in size, and zero or large enough that orient3d is exact.
std::vector<HullTriangle> quickhull(std::span<const Vec3> points,
                                    const std::array<std::uint32_t, 4>& simplex);

}  // namespace tactus::detail
