#pragma once

#include "tactus/core/constants.hpp"
#include "tactus/planar.hpp"

namespace tactus::detail {

/// Angle of a unit vector in (-pi, pi], without libm: the nearest of 17 angles with known tangents
/// k / 16 is taken off, then Taylor's series, whose rest is below 1e-19 for tangents below 1 / 32.
inline double angle_of(const Vec2& v) {
  constexpr double kKnown[] = {0.0,
                               0.06241880999595735,
                               0.12435499454676144,
                               0.18534794999569476,
                               0.24497866312686414,
                               0.3028848683749714,
                               0.35877067027057225,
                               0.4124104415973873,
                               0.4636476090008061,
                               0.5123894603107377,
                               0.5585993153435624,
                               0.6022873461349642,
                               0.6435011087932844,
                               0.6823165548747481,
                               0.7188299996216245,
                               0.7531512809621944,
                               0.7853981633974483};
  const double x = std::fabs(v.x), y = std::fabs(v.y);
  const double t = x < y ? x / y : y / x;
  const int k = static_cast<int>(32.0 * t + 1.0) / 2;
  const double c = k / 16.0;
  const double z = (t - c) / (1.0 + t * c), u = z * z, w = u * u;
  const double tail = (1.0 / 5.0 - u / 7.0) * w + (w * w) * (1.0 / 9.0 - u / 11.0);
  double angle = kKnown[k] + (z + z * (tail - u / 3.0));
  if (x < y) angle = kHalfPi - angle;
  if (v.x < 0.0) angle = 2.0 * kHalfPi - angle;
  return v.y < 0.0 ? -angle : angle;
}

}  // namespace tactus::detail
