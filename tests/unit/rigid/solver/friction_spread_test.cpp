#include "tactus/rigid/solver/friction_spread.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>

namespace tactus::detail {
namespace {

Manifold patch(std::initializer_list<Vec3> points) {
  Manifold manifold;
  manifold.normal = {0.0, 0.0, 1.0};
  for (const Vec3& p : points)
    manifold.points[static_cast<std::size_t>(manifold.count++)].point_a = p;
  for (int k = 0; k < manifold.count; ++k)
    manifold.points[static_cast<std::size_t>(k)].point_b =
        manifold.points[static_cast<std::size_t>(k)].point_a;
  return manifold;
}

double spread(const Manifold& manifold, const Shape& a, const Pose& pose_a, const Shape& b,
              const Pose& pose_b) {
  return friction_spread(manifold, {a, pose_a, extent(a)}, {b, pose_b, extent(b)});
}

double of_boxes(const Manifold& manifold) {
  const Shape box = Box({9, 9, 9});
  return spread(manifold, box, Pose(), box, Pose());
}

TEST(FrictionSpread, PointsAndLines) {
  EXPECT_EQ(of_boxes(patch({{1, 2, 0}})), 1.0);
  EXPECT_EQ(of_boxes(patch({{1, 2, 0}, {3, 2, 0}})), 0.5);
  EXPECT_EQ(of_boxes(patch({{1, 2, 0}, {3, 2, 0}, {2, 2, 0}})), 0.5);
}

// The mean distance of a rectangle's area from its centre, by brute force, over half a diagonal.
TEST(FrictionSpread, RectanglesInAnyOrder) {
  for (const double half : {1.0, 0.5, 0.1}) {
    double sum = 0.0;
    constexpr int kSteps = 400;
    for (int i = 0; i < kSteps; ++i) {
      for (int j = 0; j < kSteps; ++j)
        sum += std::hypot((i + 0.5) / kSteps, half * (j + 0.5) / kSteps);
    }
    const double expected = sum / (kSteps * kSteps) / std::hypot(1.0, half);
    const Vec3 p{4, 4 + half, 1}, q{2, 4 + half, 1}, r{2, 4 - half, 1}, s{4, 4 - half, 1};
    EXPECT_NEAR(of_boxes(patch({p, q, r, s})), expected, 2e-3);
    EXPECT_NEAR(of_boxes(patch({p, r, q, s})), expected, 2e-3);
    EXPECT_NEAR(of_boxes(patch({s, p, r, q})), expected, 2e-3);
  }
}

TEST(FrictionSpread, DiscsOfCylindersAndCones) {
  const Manifold rim = patch({{2, 0, 0.5}, {0, 2, 0.5}, {-2, 0, 0.5}, {0, -2, 0.5}});
  const Shape box = Box({9, 9, 9});
  const Shape cylinder = Cylinder(2.0, 1.0), cone = Cone(2.0, 3.0), smaller = Cylinder(1.5, 1.0);
  EXPECT_EQ(spread(rim, cylinder, Pose(), box, Pose()), 2.0 / 3.0);
  EXPECT_EQ(spread(rim, box, Pose(), cone, Pose()), 2.0 / 3.0);
  EXPECT_EQ(spread(rim, box, Pose(), smaller, Pose()), of_boxes(rim));
  const Pose lying({0, 0, 0}, Quat{std::sqrt(0.5), std::sqrt(0.5), 0, 0});
  EXPECT_EQ(spread(rim, cylinder, lying, box, Pose()), of_boxes(rim));
}

}  // namespace
}  // namespace tactus::detail
