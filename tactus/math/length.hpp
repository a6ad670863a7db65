#pragma once

#include <cmath>

#include "tactus/math.hpp"

namespace tactus::detail {

/// |v| where the squares of components may vanish or overflow: to rounding for every vector.
inline double safe_norm(const Vec3& v) {
  const double square = squared_norm(v);
  // Smaller sums have lost digits.
  if (square > 1e-290 && square < 1e300) return std::sqrt(square);
  const double largest = max_abs(v);
  return largest > 0.0 && std::isfinite(largest) ? largest * norm(v / largest) : largest;
}

}  // namespace tactus::detail
