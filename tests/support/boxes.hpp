#pragma once

#include <cstddef>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/fit.hpp"
#include "tactus/math.hpp"
#include "tactus/math/expansion.hpp"

namespace tactus::detail::test {

inline std::vector<Vec3> random_points(Random& random, int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform(-1.0, 1.0);
    const double y = random.uniform(-1.0, 1.0);
    const double z = random.uniform(-1.0, 1.0);
    points.push_back({x, y, z});
  }
  return points;
}

inline Mat3 random_rotation(Random& random) {
  Quat q;
  double square = 0.0;
  do {
    q.w = random.uniform(-1.0, 1.0);
    q.x = random.uniform(-1.0, 1.0);
    q.y = random.uniform(-1.0, 1.0);
    q.z = random.uniform(-1.0, 1.0);
    square = (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z);
  } while (square > 1.0 || square < 0.01);
  return to_matrix(normalized(q));
}

/// `axes`: the rows.
inline std::vector<Vec3> box_corners(const Vec3& center, const Mat3& axes, const Vec3& half) {
  std::vector<Vec3> corners;
  for (unsigned i = 0; i < 8; ++i) {
    const Vec3 side = {(i & 1u) != 0 ? half.x : -half.x, (i & 2u) != 0 ? half.y : -half.y,
                       (i & 4u) != 0 ? half.z : -half.z};
    corners.push_back(center + transpose_times(axes, side));
  }
  return corners;
}

/// Whether |axes.row[i] . (p - center)| <= half[i], decided exactly (within the range of numbers in
/// which products do not underflow).
inline bool holds(const OrientedBox& box, const Vec3& p) {
  using detail::Expansion;
  using detail::two_difference;
  for (int i = 0; i < 3; ++i) {
    const Vec3& axis = box.axes.row[i];
    const auto x = Expansion<2>(two_difference(p.x, box.center.x)) * axis.x;
    const auto y = Expansion<2>(two_difference(p.y, box.center.y)) * axis.y;
    const auto z = Expansion<2>(two_difference(p.z, box.center.z)) * axis.z;
    const auto along = (x + y) + z;
    Expansion<1> half;
    half.append(box.half[i]);
    if ((half - along).sign() < 0 || (half + along).sign() < 0) return false;
  }
  return true;
}

}  // namespace tactus::detail::test
