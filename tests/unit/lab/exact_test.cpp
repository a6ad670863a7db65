#include "lab/exact.hpp"

#include <gtest/gtest.h>

#include "tactus/check.hpp"
#include "tactus/query.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail::lab {
namespace {

// Two computations that share no code agree.
void expect_agreement(const Shape& a, const Shape& b, double reach) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const Pose pose_a = random_pose(random, reach), pose_b = random_pose(random, reach);
    const DistanceResult r = distance(a, pose_a, b, pose_b);
    for (const bool swapped : {false, true}) {
      const Exact exact =
          swapped ? exact_distance(b, pose_b, a, pose_a) : exact_distance(a, pose_a, b, pose_b);
      EXPECT_LE(Real(r.lower) - 1e-15L, exact.distance) << i;
      EXPECT_GE(Real(r.upper) + 1e-15L, exact.distance) << i;
      EXPECT_NEAR(static_cast<double>(norm(exact.normal)), 1.0, 1e-15);
      const Real along = dot(Point(r.normal), exact.normal);
      if (r.unique) {
        EXPECT_GT(swapped ? -along : along, 1 - 1e-12L) << i;
      }
    }
  }
}

TEST(Exact, Spheres) { expect_agreement(Sphere(0.4), Sphere(0.7), 1.0); }
TEST(Exact, SphereAndBox) { expect_agreement(Sphere(0.4), Box({0.8, 0.5, 0.6}), 0.8); }
TEST(Exact, Boxes) { expect_agreement(Box({0.7, 0.9, 0.4}), Box({0.8, 0.5, 0.6}), 0.8); }
TEST(Exact, Capsules) { expect_agreement(Capsule(0.3, 0.8), Capsule(0.2, 1.1), 0.8); }
// Newton's method from the line of centres needs bodies that do not overlap deeply.
TEST(Exact, NearlyRoundEllipsoids) {
  expect_agreement(Ellipsoid({0.25, 0.26, 0.24}), Ellipsoid({0.2, 0.21, 0.22}), 1.0);
}

TEST(Exact, RefusesWhatItHasNoFormulaFor) {
  EXPECT_THROW(exact_distance(Cone(1, 1), {}, Sphere(1), {}), InvalidInput);
  EXPECT_THROW(exact_distance(Shape(Box({1, 1, 1}), 0.1), {}, Sphere(1), {}), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail::lab
