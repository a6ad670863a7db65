#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tactus/math.hpp"
#include "tactus/math/angle.hpp"

namespace tactus::detail {
namespace {

Vec3 random_point(Random& random) {
  const double x = random.uniform(-2.0, 2.0), y = random.uniform(-2.0, 2.0);
  return {x, y, random.uniform(-2.0, 2.0)};
}

TEST(Pose, FromAxisAndAngleTurnsTheRightWay) {
  const Pose quarter = Pose::from_axis_angle({1.0, 2.0, 3.0}, {0.0, 0.0, 7.0}, 0.5 * kPi);
  const Vec3 x = quarter.to_world({1.0, 0.0, 0.0});
  EXPECT_NEAR(x.x, 1.0, 1e-15);
  EXPECT_NEAR(x.y, 3.0, 1e-15);
  EXPECT_NEAR(x.z, 3.0, 1e-15);
}

TEST(Pose, FromAxisAndAngleKeepsTheAxisAndTurnsByTheAngle) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Vec3 axis = normalized(random_point(random)) * std::exp(random.uniform(-30.0, 30.0));
    const double angle = random.uniform(-3.0, 3.0);
    const Pose pose = Pose::from_axis_angle({}, axis, angle);
    const Vec3 unit = normalized(axis), side = any_perpendicular(unit);
    EXPECT_LE(norm(pose.to_world(unit) - unit), 1e-15);
    EXPECT_NEAR(angle_between(side, pose.to_world(side)), std::fabs(angle), 1e-14);
    EXPECT_GE(dot(cross(side, pose.to_world(side)), unit) * angle, 0.0);
  }
}

TEST(Pose, AlongStandsBetweenItsPoints) {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const Vec3 from = random_point(random), to = random_point(random);
    const Pose pose = Pose::along(from, to);
    const double half = 0.5 * norm(to - from);
    EXPECT_LE(norm(pose.to_world({0.0, 0.0, -half}) - from), 2e-15);
    EXPECT_LE(norm(pose.to_world({0.0, 0.0, half}) - to), 2e-15);
    EXPECT_NEAR(determinant(pose.rotation()), 1.0, 1e-15);
  }
  EXPECT_EQ(Pose::along({1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}), Pose::translation({1.0, 0.0, 0.0}));
  EXPECT_TRUE(is_finite(Pose::along({-1.7e308, 0.0, 0.0}, {1.7e308, 0.0, 0.0})));
}

TEST(Pose, RefusesWhatIsNoPlace) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Pose::from_axis_angle({nan, 0.0, 0.0}, {1.0, 0.0, 0.0}, 1.0), InvalidInput);
  EXPECT_THROW(Pose::from_axis_angle({}, {}, 1.0), InvalidInput);
  EXPECT_THROW(Pose::from_axis_angle({}, {1.0, 0.0, 0.0}, nan), InvalidInput);
  EXPECT_THROW(Pose::along({nan, 0.0, 0.0}, {}), InvalidInput);
  EXPECT_THROW(Pose::along({}, {0.0, nan, 0.0}), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail
