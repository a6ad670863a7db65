#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"
#include "tactus/mesh/hull/hull_surface.hpp"

namespace tactus::detail {

/// Polygons in one array: the corners of polygon i are those from first[i] to first[i + 1].
struct Polygons {
  std::vector<std::uint32_t> first = {0};
  std::vector<std::uint32_t> corners;

  std::size_t size() const { return first.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    return {corners.data() + first[i], first[i + 1] - first[i]};
  }
};

/// The faces of a triangulated hull: exactly coplanar neighbours merged, only extreme points as
/// corners, each from its lowest number on, in lexicographic order. They depend on the set of
/// points alone and not on its triangulation. Cost: linear but for faces that share their lowest
/// corner. `max_threads` as in parallel_for.
Polygons hull_faces(std::span<const Vec3> points, std::span<const HullTriangle> triangles,
                    int max_threads);

}  // namespace tactus::detail
