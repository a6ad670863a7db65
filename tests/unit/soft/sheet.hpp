#pragma once

#include <cmath>

#include "tactus/deform.hpp"

namespace tactus::detail::test {

/// A square of cloth in a plane z = constant, its cells divided crosswise in turns.
inline DeformableDefinition sheet(double size, int cells, const Vec3& center) {
  DeformableDefinition d;
  for (int j = 0; j <= cells; ++j) {
    for (int i = 0; i <= cells; ++i)
      d.vertices.push_back({size * (i / static_cast<double>(cells) - 0.5),
                            size * (j / static_cast<double>(cells) - 0.5), 0.0});
  }
  const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(j * (cells + 1) + i); };
  for (int j = 0; j < cells; ++j) {
    for (int i = 0; i < cells; ++i) {
      if ((i + j) % 2 == 0) {
        d.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        d.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      } else {
        d.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        d.triangles.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
  }
  d.material.density = 300.0;
  d.pose = Pose::translation(center);
  return d;
}

/// A stiff sheet that is held at its rim.
inline DeformableDefinition trampoline() {
  DeformableDefinition d = sheet(1.0, 12, {});
  for (std::uint32_t i = 0; i < d.vertices.size(); ++i) {
    const Vec3 v = d.vertices[i];
    if (std::fabs(v.x) > 0.49 || std::fabs(v.y) > 0.49) d.fixed.push_back(i);
  }
  d.material.young = 1e6;
  d.material.damping = 0.01;
  return d;
}

}  // namespace tactus::detail::test
