#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/mesh/hull/hull_surface.hpp"

namespace tactus::detail {

/// Convex hull, the same surface as `quickhull`, by adding one point after the other in this order:
/// random rounds of doubling size, each along a space-filling curve. A walk from the last triangle
/// finds whether a point is outside, and a triangle that it sees. No lists: memory is that of the
/// triangles. Cost: O(n log n) expected on any input order. Where the start simplex is so thin that
/// no double lies strictly inside, all triangles are looked at instead: O(n) per point.
/// Source: huotari2011, chapter 4; amenta2003brio (order), devillers2002walking (walk).
std::vector<HullTriangle> horizon_hull(std::span<const Vec3> points,
                                       const std::array<std::uint32_t, 4>& simplex);

}  // namespace tactus::detail
