#include "tactus/narrow/difference/swept_hull.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {
namespace {

Quat turn(const Vec3& axis, double angle) {
  const Vec3 v = axis * std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), v.x, v.y, v.z};
}

TEST(SweptHull, HoldsBothPosesAndHasNoBulgeWithoutRotation) {
  const Shape box = Box({2, 1, 1});
  const SweptHull hull(box, Pose(), Pose::translation({3, 0, 0}));
  EXPECT_EQ(hull.bulge(), 0.0);
  EXPECT_EQ(hull.support({1, 0, 0}).x, 4.0);
  EXPECT_EQ(hull.support({-1, 0, 0}).x, -1.0);
  EXPECT_EQ(hull.support({0, 1, 0}).y, 0.5);
}

TEST(SweptHull, GrownByItsBulgeHoldsATurningBody) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Shape shape = Box({random.uniform(0.1, 2), random.uniform(0.1, 2), 1});
    const Vec3 axis =
        normalized(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    const double angle = random.uniform(0.0, 3.14159);
    const Vec3 motion{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
    const auto at = [&](double t) { return Pose(motion * t, turn(axis, angle * t)); };
    const SweptHull hull(shape, at(0.0), at(1.0));
    // Not more than twice what interpolation can miss.
    EXPECT_LE(hull.bulge(), 2.5 * norm(Vec3{1, 1, 0.5}) * angle * angle / 8.0);
    for (int k = 0; k < 20; ++k) {
      const Pose pose = at(random.uniform());
      const Vec3 d =
          normalized(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
      const Vec3 p = pose.to_world(support(shape, pose.direction_to_local(d)));
      EXPECT_LE(dot(d, p), dot(d, hull.support(d)) + hull.bulge() + 1e-14);
    }
  }
}

}  // namespace
}  // namespace tactus::detail
