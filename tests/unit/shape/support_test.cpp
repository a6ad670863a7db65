#include <gtest/gtest.h>

#include <limits>

#include "tactus/shape.hpp"
#include "tests/support/effort.hpp"
#include "tests/unit/shape/samples.hpp"

namespace tactus::detail {
namespace {

using test::convex_samples;
using test::random_direction;

TEST(Support, IsAFarthestPointOfTheBody) {
  for (const double rounding : {0.0, 0.25}) {
    for (const test::Sample& sample : convex_samples(rounding)) {
      Random random(1);
      const auto points = test::core_points(sample, random, 5000);
      ASSERT_GT(points.size(), 50u) << sample.name;
      for (int i = 0; i < test::effort(200); ++i) {
        const Vec3 n = random_direction(random);
        const Vec3 s = support(sample.shape, n * 3.0);
        const double value = support_value(sample.shape, n);
        ASSERT_NEAR(dot(s, n), value, 1e-15) << sample.name;
        // A point of the core, grown along the direction; and no point of the core is farther.
        ASSERT_LE(sample.outside(s - n * rounding), 4e-15) << sample.name;
        for (const Vec3& p : points) ASSERT_LE(dot(p, n) + rounding, value + 1e-15) << sample.name;
      }
    }
  }
}

TEST(Support, TiesFollowTheRule) {
  EXPECT_EQ(support(Box({2, 4, 6}), {1, 0, 0}), (Vec3{1, 2, 3}));
  EXPECT_EQ(support(Box({2, 4, 6}), {0, -1, 0}), (Vec3{1, -2, 3}));
  EXPECT_EQ(support(Cylinder(2, 6), {0, 0, -1}), (Vec3{2, 0, -3}));
  EXPECT_EQ(support(Cylinder(2, 6), {0, 1, 0}), (Vec3{0, 2, 3}));
  EXPECT_EQ(support(Cone(2, 6), {0, 0, -1}), (Vec3{2, 0, -3}));
  EXPECT_EQ(support(Cone(6, 6), {1, 0, 1}), (Vec3{0, 0, 3}));
  const std::vector<Vec3> square = {{1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}};
  EXPECT_EQ(support(Convex(square), {0, 0, 1}), square[0]);
  EXPECT_EQ(support(Convex(square), {-1, 0, 0}), square[1]);
}

TEST(Support, TakesDirectionsOfAnyLength) {
  for (const test::Sample& sample : convex_samples(0.1)) {
    const Vec3 n{0.6, -0.48, 0.64};
    const Vec3 expected = support(sample.shape, n);
    for (const double scale : {1e-300, 1e-10, 1e10, 1e300}) {
      EXPECT_LE(norm(support(sample.shape, n * scale) - expected), 1e-14) << sample.name;
    }
  }
}

TEST(Support, OfFlatBodies) {
  EXPECT_EQ(support(Sphere(0), {1, 2, 3}), Vec3{});
  EXPECT_EQ(support(Cylinder(0, 2), {1, 0, -1}), (Vec3{0, 0, -1}));
  EXPECT_EQ(support(Cone(1, 0), {1, 0, 0.5}), (Vec3{1, 0, 0}));
  EXPECT_EQ(support_value(Cone(1, 0), {0, 0, 1}), 0.0);
}

TEST(Support, OfNonConvexShapesIsThatOfTheirHull) {
  const TriangleMesh triangle{{{0, 0, 0}, {3, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  EXPECT_EQ(support(Mesh(triangle), {1, 0.1, 5}), (Vec3{3, 0, 0}));
  const Compound pair{{{Sphere(1.0), Pose::translation({5, 0, 0})},
                       {Box({2, 2, 2}), Pose::translation({-5, 0, 0})}}};
  EXPECT_EQ(support(pair, {1, 0, 0}), (Vec3{6, 0, 0}));
  EXPECT_EQ(support(pair, {-1, 0, 0}), (Vec3{-6, 1, 1}));
  EXPECT_EQ(support_value(pair, {0, 1, 0}), 1.0);
  const HalfSpace floor({0, 0, 1}, 0.5);
  EXPECT_EQ(support(floor, {0, 0, 1}), (Vec3{0, 0, 0.5}));
  EXPECT_EQ(support_value(floor, {0, 0, 1}), 0.5);
  EXPECT_EQ(support_value(floor, {0, 0, -1}), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace tactus::detail
