#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/classic.hpp"
#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

namespace {

using namespace tactus;
using detail::Random;

Vec3 any(Random& random, double reach) {
  Vec3 v;
  for (int axis = 0; axis < 3; ++axis) v[axis] = random.uniform(-reach, reach);
  return v;
}

TEST(NearestPoints, KnownOnes) {
  EXPECT_EQ(nearest_on_segment({0, 0, 0}, {4, 0, 0}, {1, 3, 4}), (Vec3{1, 0, 0}));
  EXPECT_EQ(nearest_on_segment({0, 0, 0}, {4, 0, 0}, {-1, 3, 4}), (Vec3{0, 0, 0}));
  EXPECT_EQ(nearest_on_segment({0, 0, 0}, {4, 0, 0}, {9, 3, 4}), (Vec3{4, 0, 0}));
  EXPECT_EQ(nearest_on_segment({1, 2, 3}, {1, 2, 3}, {9, 3, 4}), (Vec3{1, 2, 3}));
  EXPECT_EQ(nearest_on_plane({0, 0, 2}, 6, {1, 2, 10}), (Vec3{1, 2, 3}));
  const Vec3 a{0, 0, 0}, b{4, 0, 0}, c{0, 4, 0};
  EXPECT_EQ(nearest_on_triangle(a, b, c, {1, 1, 5}), (Vec3{1, 1, 0}));
  EXPECT_EQ(nearest_on_triangle(a, b, c, {3, 3, 0}), (Vec3{2, 2, 0}));
  EXPECT_EQ(nearest_on_triangle(a, b, c, {-1, -2, 7}), a);
}

// The place lies on the triangle, and no other place of it is nearer: the slope towards each corner
// is not negative.
TEST(NearestPoints, NoPlaceOfTheTriangleIsNearer) {
  Random random(11);
  const int cases = detail::test::effort(5000);
  for (int k = 0; k < cases; ++k) {
    const Vec3 corner[] = {any(random, 1.0), any(random, 1.0), any(random, 1.0)};
    const Vec3 x = any(random, 2.0);
    const Vec3 place = nearest_on_triangle(corner[0], corner[1], corner[2], x);
    for (const Vec3& other : corner) EXPECT_LE(dot(x - place, other - place), 2e-14) << k;
    const Vec3 n = cross(corner[1] - corner[0], corner[2] - corner[0]);
    EXPECT_NEAR(dot(place - corner[0], normalized(n)), 0.0, 2e-14 / std::fmin(1.0, norm(n))) << k;
    const Vec3 edge = nearest_on_segment(corner[0], corner[1], x);
    EXPECT_LE(norm(x - place), norm(x - edge) + 1e-15) << k;
  }
}

// Beyond two edges, the one that the source would test first is not the nearest.
TEST(NearestPoints, TheFirstViolatedEdgeIsNotTheNearest) {
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{-4, 1, 0}, x{-0.5, -0.25, 0};
  EXPECT_EQ(nearest_on_segment(a, b, x), a);
  const Vec3 right = nearest_on_triangle(a, b, c, x);
  EXPECT_LT(norm(x - right), norm(x - a));
}

TEST(SphereMeeting, TimesOfMeetingAndParting) {
  const SphereMeeting m = sphere_meeting({4, 0, 0}, {-2, 0, 0}, 1.0);
  EXPECT_TRUE(m.meet);
  EXPECT_EQ(m.first, 1.5);
  EXPECT_EQ(m.last, 2.5);
  EXPECT_FALSE(sphere_meeting({4, 2, 0}, {-2, 0, 0}, 1.0).meet);
  EXPECT_FALSE(sphere_meeting({4, 0, 0}, {0, 0, 0}, 1.0).meet);
  EXPECT_EQ(sphere_meeting({0.5, 0, 0}, {0, 0, 0}, 1.0).last,
            std::numeric_limits<double>::infinity());
  // Lengths whose squares overflow or vanish.
  for (const double unit : {1e200, 1e-200}) {
    const SphereMeeting far =
        sphere_meeting(Vec3{4, 0, 0} * unit, Vec3{-2, 0, 0} * unit, 1.0 * unit);
    EXPECT_TRUE(far.meet);
    EXPECT_DOUBLE_EQ(far.first, 1.5);
    EXPECT_DOUBLE_EQ(far.last, 2.5);
  }
  // Two points that fly through each other.
  EXPECT_EQ(sphere_meeting({2, 0, 0}, {-1, 0, 0}, 0.0).first, 2.0);
  // Through the middle.
  EXPECT_EQ(sphere_meeting({0, 0, 0}, {1, 0, 0}, 1.0).first, -1.0);
  EXPECT_EQ(sphere_meeting({0, 0, 0}, {1, 0, 0}, 1.0).last, 1.0);
}

// At both times the spheres touch; the first one is that of the proved cast.
TEST(SphereMeeting, TheSpheresTouchAtBothTimes) {
  Random random(12);
  const int cases = detail::test::effort(4000);
  int met = 0;
  for (int k = 0; k < cases; ++k) {
    const Vec3 apart = any(random, 3.0), way = any(random, 6.0);
    const double one = random.uniform(0.1, 1.0), other = random.uniform(0.1, 1.0);
    const SphereMeeting m = sphere_meeting(apart, way, one + other);
    if (!m.meet) continue;
    ++met;
    for (const double t : {m.first, m.last})
      EXPECT_NEAR(norm(apart + way * t), one + other, 1e-13 * (1.0 + std::fabs(t))) << k;
    if (!(m.first > 0.0 && m.first < 1.0)) continue;
    const CastResult c = cast(Sphere(one), {}, {}, Sphere(other), Pose::translation(apart), way);
    ASSERT_EQ(c.hit, Overlap::yes) << k;
    // Grazing ones are ill-conditioned: a rounding of the distance over the speed of approach.
    const double slow = std::fabs(dot(normalized(apart + way * m.first), way));
    EXPECT_NEAR(c.time, m.first, 1e-12 + 1e-12 / slow) << k;
  }
  EXPECT_GT(met, cases / 8);
}

}  // namespace
