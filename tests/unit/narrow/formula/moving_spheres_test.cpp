#include "tactus/narrow/formula/moving_spheres.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"

namespace tactus::detail {
namespace {

void expect_hit(const MovingSpheres& r, double time, double width = 4e-14) {
  EXPECT_EQ(r.outcome, CastOutcome::hit);
  EXPECT_LE(r.time, time);
  EXPECT_GE(r.time_upper, time);
  EXPECT_LE(r.time_upper - r.time, width);
}

TEST(MovingSpheres, HeadOn) {
  expect_hit(moving_spheres({4, 0, 0}, 1.0, {6, 0, 0}), 0.5);
  expect_hit(moving_spheres({4, 0, 0}, 1.0, {3, 0, 0}, 2.0), 1.0);
  expect_hit(moving_spheres({4, 0, 0}, 1.0, {3e-200, 0, 0}, kInfinity), 1e200, 1e187);
  expect_hit(moving_spheres({4, 0, 0}, 1.0, {3e200, 0, 0}), 1e-200, 1e-213);
}

TEST(MovingSpheres, OffCentreMeetsEarlierThanTheFoot) {
  // 3-4-5: beside by 3, radius 5, half chord 4.
  expect_hit(moving_spheres({14, 3, 0}, 5.0, {20, 0, 0}), 0.5);
}

TEST(MovingSpheres, MissesBesideBehindAndBeforeTheEnd) {
  EXPECT_EQ(moving_spheres({4, 1.001, 0}, 1.0, {8, 0, 0}).outcome, CastOutcome::miss);
  EXPECT_EQ(moving_spheres({4, 0, 0}, 1.0, {-8, 0, 0}).outcome, CastOutcome::miss);
  EXPECT_EQ(moving_spheres({4, 0, 0}, 1.0, {2.999, 0, 0}).outcome, CastOutcome::miss);
  EXPECT_EQ(moving_spheres({4, 0, 0}, 1.0, {8, 0, 0}).time_upper < 1.0, true);
}

TEST(MovingSpheres, NoRelativeMotionLeavesItToTheStart) {
  EXPECT_EQ(moving_spheres({4, 0, 0}, 1.0, {}).outcome, CastOutcome::miss);
  EXPECT_EQ(moving_spheres({4, 0, 0}, 1.0, {}, kInfinity).outcome, CastOutcome::miss);
  expect_hit(moving_spheres({0.5, 0, 0}, 1.0, {}), 0.0, 0.0);
  EXPECT_EQ(moving_spheres({1, 0, 0}, 1.0, {}).outcome, CastOutcome::undecided);
}

TEST(MovingSpheres, OverlapAtTheStartIsAHitAtZeroWhateverTheMotion) {
  for (const double x : {-3.0, 0.0, 3.0})
    expect_hit(moving_spheres({0.9, 0, 0}, 1.0, {x, 0, 0}), 0.0, 0.0);
}

TEST(MovingSpheres, TouchAtTheStart) {
  expect_hit(moving_spheres({1, 0, 0}, 1.0, {1, 0, 0}), 0.0);
  // Leaving and sliding: within rounding of contact, never proved to be in it.
  EXPECT_EQ(moving_spheres({1, 0, 0}, 1.0, {-1, 0, 0}).outcome, CastOutcome::undecided);
  EXPECT_EQ(moving_spheres({1, 0, 0}, 1.0, {0, 1, 0}).outcome, CastOutcome::undecided);
  EXPECT_EQ(moving_spheres({1, 0, 0}, 1.0, {-1, 0, 0}).time, 0.0);
}

TEST(MovingSpheres, GrazingIsUndecidedAndNotLate) {
  const MovingSpheres r = moving_spheres({4, 1, 0}, 1.0, {8, 0, 0});
  EXPECT_EQ(r.outcome, CastOutcome::undecided);
  EXPECT_LE(r.time, 0.5);
  EXPECT_GT(r.time, 0.5 - 1e-6);
}

// The quadratic in long double, on inputs that are exact there.
TEST(MovingSpheres, AgreesWithTheQuadratic) {
  Random random(11);
  int hits = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec3 c{random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(-4, 4)};
    const Vec3 m{random.uniform(-8, 8), random.uniform(-8, 8), random.uniform(-8, 8)};
    const double radius = random.uniform(0.1, 2.0);
    const MovingSpheres r = moving_spheres(c, radius, m);
    using Long = long double;
    const Long a = Long(m.x) * m.x + Long(m.y) * m.y + Long(m.z) * m.z;
    const Long b = Long(m.x) * c.x + Long(m.y) * c.y + Long(m.z) * c.z;
    const Long d = Long(c.x) * c.x + Long(c.y) * c.y + Long(c.z) * c.z - Long(radius) * radius;
    const Long discriminant = b * b - a * d;
    if (d < 0) {
      EXPECT_EQ(r.time_upper, 0.0);
      continue;
    }
    const Long root = discriminant >= 0 ? d / (b + std::sqrt(discriminant)) : Long(-1);
    const bool touches = discriminant >= 0 && b > 0 && root <= 1;
    EXPECT_EQ(r.outcome, touches ? CastOutcome::hit : CastOutcome::miss) << i;
    if (!touches || r.outcome != CastOutcome::hit) continue;
    ++hits;
    EXPECT_LE(r.time, root) << i;
    EXPECT_GE(r.time_upper, root) << i;
  }
  EXPECT_GT(hits, 500);
}

}  // namespace
}  // namespace tactus::detail
