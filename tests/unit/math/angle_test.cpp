#include "tactus/math/angle.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"

namespace tactus::detail {
namespace {

TEST(AngleBetween, KnowsTheSimpleAngles) {
  EXPECT_EQ(angle_between({2, 0, 0}, {3, 0, 0}), 0.0);
  EXPECT_EQ(angle_between({2, 0, 0}, {0, 0, 7}), kPi / 2);
  EXPECT_EQ(angle_between({0, 1, 0}, {0, -1, 0}), kPi);
  EXPECT_DOUBLE_EQ(angle_between({1, 0, 0}, {1, 1, 0}), kPi / 4);
  EXPECT_DOUBLE_EQ(angle_between({1, 0, 0}, {-1, 0, 1}), 3 * kPi / 4);
  EXPECT_DOUBLE_EQ(angle_between({1, -1, 0}, {0, -1, 1}), kPi / 3);
}

TEST(AngleBetween, IsAccurateEverywhere) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    // Angles of all magnitudes, from both ends.
    double angle = kPi * std::ldexp(random.uniform(0.5, 1.0), -static_cast<int>(random.below(60)));
    const bool obtuse = random.below(2) == 1;
    const double s = std::sin(angle), c = obtuse ? -std::cos(angle) : std::cos(angle);
    const double scale = std::ldexp(1.0, static_cast<int>(random.below(200)) - 100);
    const double result = angle_between(Vec3{0, scale, 0}, {0, c, s});
    const double expected = std::atan2(s, c);
    EXPECT_NEAR(result, expected, 1e-15 * expected);
  }
}

}  // namespace
}  // namespace tactus::detail
