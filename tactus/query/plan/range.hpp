#pragma once

#include "tactus/shape/length.hpp"

namespace tactus::detail {

/// Pairs whose lengths sum up to more are not computed: squares of volumes would leave the range of
/// double, and with it every bound of their rounding.
inline constexpr double kLongestInRange = 1e50;
/// Convex pairs whose lengths sum up to less are not computed either.
inline constexpr double kShortestInRange = 1e-48;

/// Are lengths of this sum, and the way between two positions, in the range that is computed?
inline bool in_range(double lengths, const Vec3& between) {
  const Vec3 gap = component_abs(between);
  return lengths + ((gap.x + gap.y) + gap.z) <= kLongestInRange;
}

}  // namespace tactus::detail
