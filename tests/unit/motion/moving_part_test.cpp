#include "tactus/motion/moving_part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

constexpr double kRounding = 1e-13;

Vec3 random_direction(Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
  return normalized(Vec3{x, y, z});
}

// A part bounds its support value along a direction that stands still.
TEST(MovingPart, BendAndSweepBoundTheSupportValueAtAllTimes) {
  Random random(1);
  for (int i = 0; i < test::effort(300); ++i) {
    for (const Shape& shape : every_convex_shape(random)) {
      SCOPED_TRACE(to_string(shape.type()));
      const Pose body({}, random_rotation(random));
      // Every other part stands about its body's origin.
      const Pose local = i % 2 == 0 ? Pose() : random_pose(random, 1.0);
      const double spin = random.uniform(0.0, 8.0);
      Vec3 axis = random_direction(random);
      // Some of them spin about their own axis, or nearly.
      if (i % 3 == 0)
        axis = normalized((body * local).rotation().column(2) + axis * (0.01 * (i % 2)));
      const MovingPart part(shape, body, local, {{}, axis * spin});
      const Vec3 n = random_direction(random);
      const double start = random.uniform(), length = random.uniform(0.0, 1.0);
      const auto value = [&](double t) { return part.support_value(part.at(t, {}), n); };
      const double first = value(start), last = value(start + length);
      for (const double u : {0.1, 0.5, 0.8}) {
        const double between = value(start + u * length);
        const double chord = first + u * (last - first);
        const double room = 0.5 * part.bend(n) * u * (1.0 - u) * length * length;
        EXPECT_LE(between, chord + room + kRounding);
        EXPECT_LE(between, part.swept_value(n) + kRounding);
        EXPECT_LE(std::fabs(between), part.core_reach() + part.ball_radius() + kRounding);
      }
      EXPECT_LE(part.bend(n), part.largest_bend() * (1.0 + 1e-12));
    }
  }
}

// Not all vertices of a large hull are asked: the distance from the axis is little too large.
TEST(MovingPart, KnowsHowFarALargeHullIsFromItsAxis) {
  Random random(2);
  for (int i = 0; i < test::effort(300); ++i) {
    std::vector<Vec3> points;
    for (int k = 0; k < 300; ++k)
      points.push_back(component_product(random_direction(random), {1.0, 0.4, 0.7}));
    const Shape hull = Convex(points);
    const auto& vertices = std::get<Convex>(hull.geometry()).hull().vertices;
    ASSERT_GT(vertices.size(), 128u);
    const Vec3 axis = random_direction(random);
    const Pose local = i % 2 == 0 ? Pose() : random_pose(random, 3.0);
    const MovingPart part(hull, Pose(), local, {{}, axis});
    double most = 0.0;
    for (const Vec3& v : vertices) most = std::max(most, norm(cross(axis, local.to_world(v))));
    // The bend across the axis is that distance at a spin of one.
    const double bend = part.bend(any_perpendicular(axis));
    EXPECT_GE(bend, most * (1.0 - kRounding));
    EXPECT_LE(bend, most * 1.0013);
  }
}

TEST(MovingPart, KnowsWhatDoesNotMove) {
  const RigidMotion spin{{}, {0, 0, 10}};
  const Vec3 n = normalized(Vec3{1, 2, 3});
  for (const Shape& shape : {Shape(Sphere(1.0)), Shape(Cylinder(1.0, 2.0)), Shape(Cone(1.0, 2.0)),
                             Shape(Ellipsoid({1, 1, 2})), Shape(Capsule(0.3, 2.0))}) {
    EXPECT_LT(MovingPart(shape, Pose(), Pose(), spin).largest_bend(), 1e-11);
  }
  // A ball on an arm of 2: 10^2 * 2, times what n is across the axis.
  const MovingPart ball(Sphere(0.5), Pose(), Pose::translation({2, 0, 5}), spin);
  EXPECT_NEAR(ball.bend(n), 200.0 * std::sqrt(5.0 / 14.0), 6e-11);
  EXPECT_NEAR(ball.swept_value(n), (2.0 * std::sqrt(5.0) + 15.0) / std::sqrt(14.0) + 0.5, 3e-13);
  EXPECT_EQ(ball.bend({0, 0, 1}), 0.0);
  // The corners of a box are its farthest points.
  const MovingPart box(Box({6, 8, 2}), Pose(), Pose(), spin);
  EXPECT_NEAR(box.bend({1, 0, 0}), 500.0, 3e-10);
  EXPECT_EQ(box.bend({0, 0, 1}), 0.0);
}

}  // namespace
}  // namespace tactus::detail
