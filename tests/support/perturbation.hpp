#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tactus/core/random.hpp"
#include "tactus/query.hpp"

namespace tactus::detail::test {

/// Shifted by up to `most` along each axis, and turned by up to that about each.
inline Pose perturbed(const Pose& pose, double most, Random& random) {
  const auto tiny = [&] { return random.uniform(-most, most); };
  const double x = tiny(), y = tiny(), z = tiny();
  const double u = 0.5 * tiny(), v = 0.5 * tiny(), w = 0.5 * tiny();
  return detail::unchecked_pose(pose.position() + Vec3{x, y, z},
                                to_matrix(normalized(Quat{1.0, u, v, w})) * pose.rotation());
}

/// The patch of a pair that has one.
inline Manifold only_patch(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           double threshold = 0.01) {
  QueryOptions options;
  options.margin = threshold;
  std::array<Manifold, 8> out;
  EXPECT_EQ(contacts(a, pose_a, b, pose_b, out, options).manifolds, 1);
  return out[0];
}

/// The farthest that a point of one patch is from all of the other; infinite for other counts.
inline double farthest_move(const Manifold& one, const Manifold& other) {
  if (one.count != other.count) return std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (const ContactPoint& p : one.span()) {
    double least = std::numeric_limits<double>::infinity();
    for (const ContactPoint& q : other.span())
      least = std::min(least, std::max(norm(p.point_a - q.point_a), norm(p.point_b - q.point_b)));
    most = std::max(most, least);
  }
  return most;
}

}  // namespace tactus::detail::test
