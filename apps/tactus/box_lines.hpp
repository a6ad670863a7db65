#pragma once

#include <array>
#include <utility>
#include <vector>

#include "tactus/math.hpp"

namespace tactus::app {

/// Corner i of a box lies along axis k at +half[k] where bit k of i is set. `axes`: the rows.
inline std::array<Vec3, 8> box_corners(const Vec3& center, const Mat3& axes, const Vec3& half) {
  std::array<Vec3, 8> corners;
  for (unsigned i = 0; i < 8; ++i) {
    const Vec3 side = {(i & 1u) != 0 ? half.x : -half.x, (i & 2u) != 0 ? half.y : -half.y,
                       (i & 4u) != 0 ? half.z : -half.z};
    corners[i] = center + transpose_times(axes, side);
  }
  return corners;
}

/// Appends the twelve edges.
inline void append_edges(const std::array<Vec3, 8>& corners,
                         std::vector<std::pair<Vec3, Vec3>>& lines) {
  for (unsigned i = 0; i < 8; ++i) {
    for (unsigned k = 0; k < 3; ++k) {
      const unsigned j = i | 1u << k;
      if (j != i) lines.emplace_back(corners[i], corners[j]);
    }
  }
}

}  // namespace tactus::app
