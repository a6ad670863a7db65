#pragma once

#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/math.hpp"

namespace tactus::detail::fuzz {

/// 10 to a uniform power in [low, high).
inline double power_of_ten(Random& random, double low, double high) {
  return std::pow(10.0, random.uniform(low, high));
}

/// Uniform in a cube.
inline Vec3 vector_in(Random& random, double low, double high) {
  const double x = random.uniform(low, high);
  const double y = random.uniform(low, high);
  const double z = random.uniform(low, high);
  return {x, y, z};
}

/// Uniform on the unit sphere.
inline Vec3 direction(Random& random) {
  for (;;) {
    const Vec3 v = vector_in(random, -1.0, 1.0);
    const double n = norm(v);
    if (n > 0.1 && n < 1.0) return v / n;
  }
}

/// Uniform rotation.
inline Quat rotation(Random& random) {
  for (;;) {
    const Vec3 v = vector_in(random, -1.0, 1.0);
    const Quat q{random.uniform(-1.0, 1.0), v.x, v.y, v.z};
    const double n = norm(q);
    if (n > 0.1 && n < 1.0) return normalized(q);
  }
}

/// True `one` time in `of`.
inline bool chance(Random& random, std::uint32_t of) { return random.below(of) == 0; }

}  // namespace tactus::detail::fuzz
