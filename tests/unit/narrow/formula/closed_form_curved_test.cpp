#include "tactus/narrow/formula/closed_form_curved.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tactus/shape.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/membership.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

// About the signed distance by definition, never more: minus the least of f(m) = h(m) - m.p over
// the directions of a grid and about the best of them.
double by_definition(const Shape& shape, const Vec3& p) {
  const auto f = [&](const Vec3& m) { return support_value(shape, m) - dot(m, p); };
  double least = std::numeric_limits<double>::infinity();
  Vec3 best;
  const auto consider = [&](const Vec3& m) {
    const double value = f(m);
    if (value < least) {
      least = value;
      best = m;
    }
  };
  for (int i = -12; i <= 12; ++i) {
    for (int j = -12; j <= 12; ++j) {
      for (int k = -12; k <= 12; ++k) {
        if (std::max({std::abs(i), std::abs(j), std::abs(k)}) == 12)
          consider(normalized(Vec3{i / 12.0, j / 12.0, k / 12.0}));
      }
    }
  }
  for (double width = 0.1; width > 1e-9; width *= 0.7) {
    const Vec3 u = any_perpendicular(best);
    const Vec3 v = cross(best, u);
    const Vec3 center = best;
    for (int i = 0; i < 8; ++i) {
      const double angle = i * 0.7853981633974483;
      consider(normalized(center + (u * std::cos(angle) + v * std::sin(angle)) * width));
    }
  }
  return -least;
}

std::array<Shape, 8> curved_shapes() {
  return {Cylinder(0.4, 0.9),
          Cylinder(0.8, 0.2),
          Cone(0.4, 0.9),
          Cone(1.0, 0.1),
          Cone(0.05, 1.0),
          Ellipsoid({0.5, 0.3, 0.4}),
          Ellipsoid({2.0, 0.1, 0.7}),
          Ellipsoid({0.3, 0.3, 1.0})};
}

TEST(ClosedFormCurved, IsTheLeastOfTheSupportFunction) {
  Random random(61);
  for (const Shape& shape : curved_shapes()) {
    const Core core = core_of(shape);
    for (int n = 0; n < 60; ++n) {
      const double reach = n % 3 == 0 ? 0.2 : 1.2;
      const double x = random.uniform(-reach, reach);
      const double y = random.uniform(-reach, reach);
      const double z = random.uniform(-reach, reach);
      const Vec3 p{x, n % 7 == 0 ? 0.0 : y, n % 5 == 0 ? 0.0 : z};
      const PointToCurved r = point_to_curved(core, p, 1e-15);
      const double distance = r.value - core.radius;
      EXPECT_NEAR(norm(r.outward), 1.0, 1e-15);
      // The direction proves the value from below, the foot from above; no other direction does
      // better.
      EXPECT_NEAR(dot(r.outward, p) - support_value(shape, r.outward), distance, 4e-15);
      EXPECT_LE(distance_outside(shape, p - r.outward * distance), 4e-15) << n;
      EXPECT_GE(distance, by_definition(shape, p) - 4e-15) << n;
    }
  }
}

TEST(ClosedFormCurved, KnownPlaces) {
  const Core cylinder = core_of(Shape(Cylinder(0.5, 2.0)));
  EXPECT_NEAR(point_to_curved(cylinder, {3.5, 4.0, 3.0}, 1e-15).value,
              std::hypot(std::sqrt(28.25) - 0.5, 2.0), 1e-15);
  const PointToCurved axis = point_to_curved(cylinder, {0, 0, 0.1}, 1e-15);
  EXPECT_EQ(axis.value, -0.5);
  EXPECT_FALSE(axis.unique);
  const PointToCurved near_end = point_to_curved(cylinder, {0.1, 0, 0.9}, 1e-15);
  EXPECT_NEAR(near_end.value, -0.1, 1e-16);
  EXPECT_EQ(near_end.outward, (Vec3{0, 0, 1}));
  EXPECT_TRUE(near_end.unique);

  const Core cone = core_of(Shape(Cone(3.0, 4.0)));
  EXPECT_EQ(point_to_curved(cone, {0, 0, 5}, 1e-15).value, 3.0);     // above the apex
  EXPECT_EQ(point_to_curved(cone, {1, 0, -2.5}, 1e-15).value, 0.5);  // below the base
  EXPECT_NEAR(point_to_curved(cone, {6, 4, -6}, 1e-15).value,
              std::hypot(std::sqrt(52.0) - 3.0, 4.0), 1e-15);              // beyond the rim
  EXPECT_NEAR(point_to_curved(cone, {4, 0, 4}, 1e-15).value, 4.4, 1e-15);  // beside the mantle
  EXPECT_EQ(point_to_curved(cone, {4, 0, 4}, 1e-15).outward, (Vec3{0.8, 0, 0.6}));
  EXPECT_EQ(point_to_curved(cone, {0, 0, -1.9}, 1e-15).outward, (Vec3{0, 0, -1}));

  const Core ellipsoid = core_of(Shape(Ellipsoid({3.0, 1.0, 2.0})));
  const PointToCurved middle = point_to_curved(ellipsoid, {}, 1e-15);
  EXPECT_EQ(middle.value - ellipsoid.shrink, -1.0);
  EXPECT_EQ(std::fabs(middle.outward.y), 1.0);
  EXPECT_FALSE(middle.unique);
  const PointToCurved outside = point_to_curved(ellipsoid, {5, 0, 0}, 1e-15);
  EXPECT_EQ(outside.value - ellipsoid.shrink, 2.0);
  EXPECT_TRUE(outside.unique);
}

TEST(ClosedFormCurved, FlatAndThinBodies) {
  EXPECT_EQ(point_to_curved(core_of(Shape(Cone(0.0, 0.0))), {3, 0, 4}, 1e-15).value, 5.0);
  EXPECT_EQ(point_to_curved(core_of(Shape(Cone(0.0, 2.0))), {0, 0, 3}, 1e-15).value, 2.0);
  EXPECT_EQ(point_to_curved(core_of(Shape(Cone(2.0, 0.0))), {1, 0, -3}, 1e-15).value, 3.0);
  EXPECT_EQ(point_to_curved(core_of(Shape(Cone(2.0, 0.0))), {5, 0, 4}, 1e-15).value, 5.0);
  EXPECT_EQ(point_to_curved(core_of(Shape(Cylinder(0.0, 2.0))), {3, 4, 0}, 1e-15).value, 5.0);
  EXPECT_EQ(point_to_curved(core_of(Shape(Cylinder(2.0, 0.0))), {1, 0, 3}, 1e-15).value, 3.0);
  EXPECT_FALSE(point_to_curved(core_of(Shape(Cylinder(2.0, 0.0))), {1, 0, 0}, 1e-15).unique);
}

}  // namespace
}  // namespace tactus::detail
