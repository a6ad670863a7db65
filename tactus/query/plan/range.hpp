#pragma once

#include <algorithm>
#include <cmath>

#include "tactus/shape.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {

/// Pairs whose lengths sum up to more are not computed: squares of volumes would leave the range of
/// double, and with it every bound of their rounding.
inline constexpr double kMostLength = 1e50;
/// Convex pairs whose lengths sum up to less are not computed either.
inline constexpr double kLeastLength = 1e-48;

/// How far a shape brings lengths into a query, from its own origin; of a half-space its offset. At
/// most some times the true reach, infinite beyond the range of double. Cost: constant for all
/// but compounds.
inline double length_of(const Shape& shape) {
  if (shape.is_convex_body()) return shape.core().reach + shape.core().radius;
  if (const auto* h = std::get_if<HalfSpace>(&shape.geometry())) return std::fabs(h->offset());
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry()))
    return norm(detail::view_of(*mesh).tree.middle()) + detail::view_of(*mesh).tree.reach();
  double most = 0.0;
  for (const Compound::Part& part : std::get<Compound>(shape.geometry()).parts())
    most = std::max(most, norm(part.pose.position()) + length_of(part.shape));
  return most;
}

/// Are lengths of this sum, and the way between two positions, in the range that is computed?
inline bool in_range(double lengths, const Vec3& between) {
  const Vec3 gap = component_abs(between);
  return lengths + ((gap.x + gap.y) + gap.z) <= kMostLength;
}

}  // namespace tactus::detail
