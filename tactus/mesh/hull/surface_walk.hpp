#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "tactus/math/predicates.hpp"
#include "tactus/mesh/hull/hull_surface.hpp"

namespace tactus::detail {

/// A point strictly inside of the simplex, proved so; none when it is too thin for doubles.
inline std::optional<Vec3> inner_point(std::span<const Vec3> points,
                                       const std::array<std::uint32_t, 4>& simplex) {
  const auto [a, b, c, d] = simplex;
  const Vec3 center = (points[a] + points[b]) * 0.25 + (points[c] + points[d]) * 0.25;
  const HullSurface boundary(0, simplex);
  for (const HullTriangle& side : boundary.triangles()) {
    const auto& [i, j, k] = side.corner;
    if (orient3d(points[i], points[j], points[k], center) >= 0) return std::nullopt;
  }
  return center;
}

/// Walks over a closed convex surface to a triangle whose cone from `center`, a point strictly
/// inside, holds `p`: from `start` over edges that part the triangle from `p`. The cones cover
/// space, so that the triangle alone tells whether `p` is outside. The result is certain, whatever
/// the surface: its three edges were tested exactly; kNoIndex when the walk did not end within the
/// number of triangles, or met a slot without a triangle.
///
/// On a convex surface a step always lowers the place where the line to `p` meets the triangle's
/// plane, so it cannot cycle but among exactly coplanar triangles; which edge is tested first
/// changes from step to step, which ends that too. Cost: about the root of the number of triangles
/// between. Source: devillers2002walking (visibility walk).
inline std::uint32_t walk_to(std::span<const Vec3> points, std::span<const HullTriangle> triangles,
                             const Vec3& center, std::uint32_t start, const Vec3& p) {
  std::uint32_t from = kNoIndex, random = start;
  std::uint32_t t = start;
  for (std::size_t step = 0; step <= triangles.size(); ++step) {
    const HullTriangle& triangle = triangles[t];
    if (triangle.corner[0] == kNoIndex) return kNoIndex;
    random = random * 1664525u + 1013904223u;
    std::size_t side = (random >> 16u) % 3u;
    std::uint32_t onward = kNoIndex;
    for (int i = 0; i < 3; ++i, side = side == 2 ? 0 : side + 1) {
      // The edge that was crossed last has `p` on this side.
      if (triangle.neighbor[side] == from) continue;
      const Vec3& tail = points[triangle.corner[side]];
      const Vec3& head = points[triangle.corner[side == 2 ? 0 : side + 1]];
      if (orient3d(center, tail, head, p) < 0) {
        onward = triangle.neighbor[side];
        break;
      }
    }
    if (onward == kNoIndex) return t;
    from = t;
    t = onward;
  }
  return kNoIndex;
}

}  // namespace tactus::detail
