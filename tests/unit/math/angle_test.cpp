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

// Law: for every direction the turn is orthonormal to a few roundings, leads z there exactly, and
// is the shortest one: Rodrigues' formula in extended precision, about the axis z x direction.
TEST(ShortestTurnOfZ, IsThatOfExtendedPrecision) {
  using Real = long double;
  Random random(2);
  for (int i = 0; i < 20000; ++i) {
    // Next to z, -z and the plane across, at all scales.
    const double near = std::ldexp(random.uniform(0.5, 1.0), -static_cast<int>(random.below(1060)));
    const double size = i % 3 == 0 ? 1.0 : near, along = i % 3 == 2 ? near : 1.0;
    const double x = random.uniform(-1.0, 1.0), y = random.uniform(-1.0, 1.0);
    const double z = random.uniform(-1.0, 1.0);
    const Vec3 unit = normalized(Vec3{x * size, random.below(8) == 0 ? 0.0 : y * size,
                                      (i % 3 == 1 ? std::copysign(1.0, z) : z) * along});
    const Mat3 turn = shortest_turn_of_z(unit);
    EXPECT_EQ(turn.column(2), unit);
    const Real across = std::hypot(Real(unit.x), Real(unit.y));
    const Real length = std::hypot(across, Real(unit.z));
    const Real c = across > 0 ? unit.x / across : 0, s = across > 0 ? unit.y / across : 1;
    const Real rest = 1 - unit.z / length;
    const Real expected[3][3] = {
        {1 - rest * c * c, -rest * c * s, 0}, {-rest * c * s, 1 - rest * s * s, 0}, {}};
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 2; ++j)
        EXPECT_NEAR(turn(k, j), static_cast<double>(expected[k][j]), 1e-15) << unit.x << unit.z;
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j)
        EXPECT_NEAR(dot(turn.column(k), turn.column(j)), k == j ? 1.0 : 0.0,
                    20 * 1.1102230246251565e-16);
  }
}

TEST(ShortestTurnOfZ, KnowsBothPoles) {
  EXPECT_EQ(shortest_turn_of_z({0, 0, 1}), Mat3());
  EXPECT_EQ(shortest_turn_of_z({0, 0, -1}), Mat3::diagonal({1, -1, -1}));
  EXPECT_EQ(shortest_turn_of_z({0, 5e-324, -1}).column(0), (Vec3{1, 0, 0}));
  EXPECT_EQ(shortest_turn_of_z({5e-324, 0, -1}).column(1), (Vec3{0, 1, 0}));
}

}  // namespace
}  // namespace tactus::detail
