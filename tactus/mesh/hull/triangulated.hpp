#pragma once

#include <cstddef>

#include "tactus/mesh.hpp"

namespace tactus::detail {

/// The surface of a hull: its faces as fans about their first corners, counter-clockwise seen from
/// outside. A hull of dimension 0 or 1 has no triangles.
inline TriangleMesh triangulated(const ConvexHull& hull) {
  TriangleMesh mesh{hull.vertices, {}};
  for (const ConvexHull::Face& face : hull.faces) {
    const auto corners = hull.corners(face);
    for (std::size_t i = 2; i < corners.size(); ++i)
      mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
  }
  return mesh;
}

}  // namespace tactus::detail
