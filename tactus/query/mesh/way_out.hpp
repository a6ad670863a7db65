#pragma once

#include <algorithm>

#include "tactus/math.hpp"
#include "tactus/mesh/surface/triangle_meet.hpp"

namespace tactus::detail {

/// Ways out to try: unit vectors, none twice, as many as there is room for.
struct Directions {
  static constexpr int kCapacity = 64;
  // Directions whose cosine exceeds this are one.
  static constexpr double kSame = 1.0 - 1e-14;
  Vec3 n[kCapacity];
  int count = 0;

  void add(const Vec3& direction) {
    const Vec3 unit = normalized(direction, {});
    if (!(squared_norm(unit) > 0.0) || !is_finite(unit) || count == kCapacity) return;
    for (int i = 0; i < count; ++i) {
      if (dot(n[i], unit) > kSame) return;
    }
    n[count++] = unit;
  }
  void add_both(const Vec3& direction) {
    add(direction);
    add(-direction);
  }
  void add_normal(const Triangle& t) {
    add_both(cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]));
  }
};

/// Farthest coordinate of a triangle along n.
inline double high_of(const Triangle& t, const Vec3& n) {
  return std::max(dot(n, t.corner[0]), std::max(dot(n, t.corner[1]), dot(n, t.corner[2])));
}

}  // namespace tactus::detail
