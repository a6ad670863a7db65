#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tactus/math.hpp"
#include "tactus/math/sine.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

double largest_difference(const Mat3& a, const Mat3& b) {
  double largest = 0.0;
  for (int i = 0; i < 3; ++i) largest = std::fmax(largest, max_abs(a.row[i] - b.row[i]));
  return largest;
}

TEST(SineCosine, KnowsTheSimpleAngles) {
  EXPECT_EQ(sine_cosine(0.0).sine, 0.0);
  EXPECT_EQ(sine_cosine(0.0).cosine, 1.0);
  EXPECT_EQ(sine_cosine(kPi / 2).sine, 1.0);
  EXPECT_EQ(sine_cosine(-kPi / 2).sine, -1.0);
  EXPECT_EQ(sine_cosine(kPi).cosine, -1.0);
  EXPECT_NEAR(sine_cosine(kPi / 6).sine, 0.5, 1.2e-16);
  // The double nearest to pi is not pi: its sine is what it lacks.
  EXPECT_NEAR(sine_cosine(kPi).sine, 1.2246467991473532e-16, 1e-31);
}

TEST(SineCosine, IsWithinTwoUlpsOfExtendedPrecision) {
  Random random(1);
  for (int i = 0; i < test::effort(200000); ++i) {
    const double magnitude = std::ldexp(random.uniform(0.5, 1.0), 20 - static_cast<int>(i % 60));
    const double angle = i % 2 == 0 ? magnitude : -magnitude;
    if (std::fabs(angle) > 1e6) continue;
    const auto [s, c] = sine_cosine(angle);
    const long double right_s = std::sin(static_cast<long double>(angle));
    const long double right_c = std::cos(static_cast<long double>(angle));
    EXPECT_LE(std::fabs(s - right_s), 2.3e-16L * std::fabs(right_s)) << angle;
    EXPECT_LE(std::fabs(c - right_c), 2.3e-16L * std::fabs(right_c)) << angle;
  }
}

TEST(SineCosine, IsOfFiniteValueForEveryFiniteAngle) {
  for (const double angle : {1e7, 1e15, -1e9}) {
    const auto [s, c] = sine_cosine(angle);
    EXPECT_NEAR(s, std::sin(angle), 1e-15 * std::fabs(angle));
    EXPECT_NEAR(c, std::cos(angle), 1e-15 * std::fabs(angle));
  }
}

TEST(RigidMotion, TurnsAboutTheAxis) {
  const Mat3 quarter = rotation_by({0.0, 0.0, kPi / 2});
  EXPECT_LT(norm(quarter * Vec3{1, 0, 0} - Vec3{0, 1, 0}), 1e-15);
  EXPECT_LT(norm(quarter * Vec3{0, 0, 1} - Vec3{0, 0, 1}), 1e-15);
  EXPECT_EQ(rotation_by({}), Mat3::identity());
  EXPECT_EQ(rotation_by({1e-300, 0.0, 0.0}), Mat3::identity());
}

TEST(RigidMotion, FollowsRodrigues) {
  Random random(2);
  for (int i = 0; i < test::effort(2000); ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    const Vec3 axis = normalized(Vec3{x, y, z});
    const double angle = std::ldexp(random.uniform(0.5, 1.0), 12 - static_cast<int>(i % 40));
    const Mat3 k = {{{0, -axis.z, axis.y}, {axis.z, 0, -axis.x}, {-axis.y, axis.x, 0}}};
    const Mat3 right = Mat3::identity() + k * std::sin(angle) + (k * k) * (1.0 - std::cos(angle));
    EXPECT_LT(largest_difference(rotation_by(axis * angle), right), 1e-15 * (1.0 + angle));
  }
}

TEST(RigidMotion, VelocityIsTheSlopeOfTheWay) {
  const RigidMotion motion{{1, 2, 3}, {0.5, -0.7, 0.2}};
  const Pose start({4, 5, 6}, normalized(Quat{1, 0.2, 0.3, 0.4}));
  const Vec3 local{0.3, -0.2, 0.9};
  const double h = 1e-5;
  const Vec3 slope =
      (pose_at(start, motion, h).to_world(local) - pose_at(start, motion, -h).to_world(local)) /
      (2.0 * h);
  EXPECT_LT(norm(slope - velocity_at(motion, start.direction_to_world(local))), 1e-9);
}

}  // namespace
}  // namespace tactus::detail
