#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/mesh/hull/hull_surface.hpp"

namespace tactus::detail {

/// Convex hull of sets of any size on several threads, the same surface as `quickhull` (perhaps
/// another triangulation of its flat faces): the hull of a sample first; then all points at the
/// same time, each led by a walk to the triangle above it, where it waits or is inside and
/// forgotten; then the surface in parts, each grown on its own as long as no neighbouring part is
/// touched; at last what still waits along the seams. Deterministic for any number of threads.
/// Small sets, and simplices so thin that no double lies inside, go to `quickhull` at once.
std::vector<HullTriangle> hull_of_many(std::span<const Vec3> points,
                                       const std::array<std::uint32_t, 4>& simplex,
                                       int max_threads);

}  // namespace tactus::detail
