#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/shape.hpp"
#include "tests/unit/shape/samples.hpp"

namespace tactus::detail {
namespace {

void expect_near(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.volume, b.volume, tolerance);
  EXPECT_LE(norm(a.center - b.center), tolerance);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(a.inertia(r, c), b.inertia(r, c), tolerance);
  }
}

MassProperties placed(const MassProperties& mass, const Pose& pose) {
  return {mass.volume, pose.to_world(mass.center),
          pose.rotation() * mass.inertia * transpose(pose.rotation())};
}

// A cylinder or cone as a polygon-based hull; `top` is the radius of the upper disc.
Convex faceted(double radius, double top, double length, int corners) {
  std::vector<Vec3> points;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.0 * kPi * i / corners;
    const double c = std::cos(angle), s = std::sin(angle);
    points.push_back({radius * c, radius * s, -0.5 * length});
    points.push_back({top * c, top * s, 0.5 * length});
  }
  return Convex(points);
}

TEST(Mass, OfPrimitivesFollowsTheTextbook) {
  const double ball = 4.0 / 3.0 * kPi * 8.0;
  expect_near(mass_properties(Sphere(2)), {ball, {}, Mat3::identity() * (0.4 * ball * 4.0)}, 1e-13);
  expect_near(mass_properties(Box({1, 2, 3})), {6.0, {}, Mat3::diagonal({6.5, 5.0, 2.5})}, 1e-13);
  // radius 2, length 3
  const double disc = kPi * 4.0 * 3.0;
  expect_near(mass_properties(Cylinder(2, 3)),
              {disc, {}, Mat3::diagonal({disc * 1.75, disc * 1.75, disc * 2.0})}, 1e-13);
  const double cone = disc / 3.0;
  const double across = cone * (0.15 * 4.0 + 3.0 / 80.0 * 9.0);
  expect_near(mass_properties(Cone(2, 3)),
              {cone, {0, 0, -0.75}, Mat3::diagonal({across, across, cone * 0.3 * 4.0})}, 1e-13);
  const double egg = 4.0 / 3.0 * kPi * 6.0;
  expect_near(mass_properties(Ellipsoid({1, 2, 3})),
              {egg, {}, Mat3::diagonal({egg * 13.0, egg * 10.0, egg * 5.0}) * 0.2}, 1e-13);
}

TEST(Mass, OfACapsuleIsThatOfARoundedSegment) {
  const MassProperties capsule = mass_properties(Capsule(0.5, 2.0));
  EXPECT_NEAR(capsule.volume, kPi * 0.25 * 2.0 + 4.0 / 3.0 * kPi * 0.125, 1e-15);
  expect_near(mass_properties(Shape(Capsule(0.2, 2.0), 0.3)), capsule, 1e-15);
  expect_near(mass_properties(Shape(Cylinder(0.0, 2.0), 0.5)), capsule, 1e-14);
  const std::vector<Vec3> ends = {{0, 0, -1}, {0, 0, 1}};
  expect_near(mass_properties(Shape(Convex(ends), 0.5)), capsule, 1e-14);
}

TEST(Mass, OfRoundedPointsAreBalls) {
  const MassProperties ball = mass_properties(Sphere(0.7));
  expect_near(mass_properties(Shape(Sphere(0.0), 0.7)), ball, 1e-15);
  expect_near(mass_properties(Shape(Box({0, 0, 0}), 0.7)), ball, 1e-15);
  expect_near(mass_properties(Shape(Cone(0, 0), 0.7)), ball, 1e-15);
  const Vec3 center{1, 2, 3};
  expect_near(mass_properties(Shape(Convex(std::vector<Vec3>{center}), 0.7)),
              {ball.volume, center, ball.inertia}, 1e-14);
  expect_near(mass_properties(Shape(Ellipsoid({0.4, 0.4, 0.4}), 0.3)), ball, 1e-13);
}

TEST(Mass, OfRoundedHullsIsExact) {
  // The box has a closed form of its own: against hulls of dimension 3, 2 and 1, and the same moved
  // and turned, when rounding makes thin bodies of the flat ones.
  Random random(1);
  for (const Vec3& size : {Vec3{1.0, 2.0, 0.5}, Vec3{1.0, 2.0, 0.0}, Vec3{0.0, 2.0, 0.0}}) {
    const Pose pose = test::random_pose(random, 3.0);
    std::vector<Vec3> exact, turned;
    for (int i = 0; i < 8; ++i) {
      const Vec3 corner =
          component_product(size, {(i & 1) - 0.5, ((i >> 1) & 1) - 0.5, (i >> 2) - 0.5});
      exact.push_back(corner);
      turned.push_back(pose.to_world(corner));
    }
    for (const double r : {0.1, 1.0}) {
      const MassProperties box = mass_properties(Shape(Box(size), r));
      expect_near(mass_properties(Shape(Convex(exact), r)), box, 2e-13);
      // Turned corners are coplanar up to rounding only.
      expect_near(mass_properties(Shape(Convex(turned), r)), placed(box, pose), 1e-12);
    }
  }
}

TEST(Mass, OfRoundedCylindersFollowsSteiner) {
  const double radius = 0.7, length = 1.3, r = 0.4;
  const double surface = 2.0 * kPi * radius * (radius + length);
  const double mean_curvature = kPi * (length + kPi * radius);
  const double volume = kPi * radius * radius * length + surface * r + mean_curvature * r * r +
                        4.0 / 3.0 * kPi * r * r * r;
  EXPECT_NEAR(mass_properties(Shape(Cylinder(radius, length), r)).volume, volume, 1e-14);
}

TEST(Mass, OfRoundedSolidsOfRevolutionIsTheLimitOfFacetedOnes) {
  // The error of a regular polygon falls with the square of its corners: 2000 of them leave 1e-5.
  for (const double r : {0.05, 0.5}) {
    expect_near(mass_properties(Shape(Cylinder(0.7, 1.3), r)),
                mass_properties(Shape(faceted(0.7, 0.7, 1.3, 2000), r)), 2e-5);
    expect_near(mass_properties(Shape(Cone(0.7, 1.3), r)),
                mass_properties(Shape(faceted(0.7, 0.0, 1.3, 2000), r)), 2e-5);
    expect_near(mass_properties(Shape(Cone(0.7, 0.0), r)),
                mass_properties(Shape(Cylinder(0.7, 0.0), r)), 1e-14);
  }
}

// A spheroid with radii a, a, c grown by r, by Simpson's rule along its meridian from pole to pole.
MassProperties grown_spheroid(double a, double c, double r, int steps) {
  double volume = 0.0, second_x = 0.0, second_z = 0.0;
  for (int i = 0; i <= steps; ++i) {
    const double t = kPi * (static_cast<double>(i) / steps - 0.5);
    const double weight = kPi / steps / 3.0 * (i == 0 || i == steps ? 1 : (i % 2 == 0 ? 2 : 4));
    const double u = c * std::cos(t), v = a * std::sin(t), length = std::sqrt(u * u + v * v);
    const double rho = a * std::cos(t) + r * u / length, z = c * std::sin(t) + r * v / length;
    // The normal turns by a c / length^2 per unit of t.
    const double dz = c * std::cos(t) + r * (u / length) * (a * c / (length * length));
    const double disc = kPi * rho * rho * dz * weight;
    volume += disc;
    second_x += 0.25 * disc * rho * rho;
    second_z += disc * z * z;
  }
  const double across = second_x + second_z;
  return {volume, {}, Mat3::diagonal({across, across, 2 * second_x})};
}

TEST(Mass, OfARoundedSpheroidIsAnIntegralAlongItsMeridian) {
  for (const auto& [a, c] : {std::pair(0.8, 0.3), {0.3, 0.8}, {1.0, 0.01}, {0.01, 1.0}}) {
    expect_near(mass_properties(Shape(Ellipsoid({a, a, c}), 0.25)),
                grown_spheroid(a, c, 0.25, 200000), 1e-12);
  }
}

TEST(Mass, OfEveryBodyIsThatOfTheHullOfManyOfItsPoints) {
  for (const double rounding : {0.0, 0.2}) {
    for (const test::Sample& sample : test::convex_samples(rounding)) {
      if (sample.shape.type() == ShapeType::custom) continue;
      // The hull of points in n directions lacks a part of the order of 1 / n.
      std::vector<Vec3> points;
      Random random(1);
      for (int i = 0; i < 8000; ++i) {
        points.push_back(support(sample.shape, test::random_direction(random)));
      }
      const MassProperties inner = mass_properties(convex_hull(points));
      const MassProperties mass = mass_properties(sample.shape);
      EXPECT_LE(inner.volume, mass.volume * (1.0 + 1e-14)) << sample.name;
      SCOPED_TRACE(sample.name);
      expect_near(inner, mass, 5e-3);
    }
  }
}

TEST(Mass, OfThinEllipsoidsStaysAccurate) {
  // With rounding, a pancake is a rounded disc in the limit, a needle a segment.
  const MassProperties disc = mass_properties(Shape(Cylinder(1.0, 0.0), 0.5));
  expect_near(mass_properties(Shape(Ellipsoid({1.0, 1.0, 1e-6}), 0.5)), disc, 2e-5);
  expect_near(mass_properties(Shape(Ellipsoid({1.0, 1.0, 1e-300}), 0.5)), disc, 1e-10);
  const MassProperties segment = mass_properties(Capsule(0.5, 2.0));
  expect_near(mass_properties(Shape(Ellipsoid({1e-6, 1e-6, 1.0}), 0.5)), segment, 2e-5);
}

TEST(Mass, OfACompoundSumsItsParts) {
  // A box cut into two parts, each turned in its own frame.
  const Pose turn({0, 0, 0}, {0.5, 0.5, 0.5, 0.5});  // maps x to y, y to z, z to x
  const Compound halves({{Box({1, 3, 2}), Pose::translation({-0.5, 0, 0})},
                         {Box({3, 2, 1}), Pose({0.5, 0, 0}, {0.5, 0.5, 0.5, 0.5})}});
  EXPECT_EQ(turn.to_world({1, 2, 3}), (Vec3{3, 1, 2}));
  expect_near(mass_properties(halves), mass_properties(Box({2, 3, 2})), 1e-13);
  Random random(2);
  const Pose pose = test::random_pose(random, 2.0);
  expect_near(mass_properties(Compound({{halves, pose}})),
              placed(mass_properties(Box({2, 3, 2})), pose), 1e-13);
  const MassProperties points = mass_properties(Compound(
      {{Sphere(0), Pose::translation({1, 0, 0})}, {Sphere(0), Pose::translation({3, 0, 0})}}));
  EXPECT_EQ(points.volume, 0.0);
  EXPECT_EQ(points.center, (Vec3{2, 0, 0}));
}

TEST(Mass, OfDiscsIsZero) {
  for (const Shape& shape : {Shape(Cylinder(1, 0)), Shape(Cone(1, 0)), Shape(Cylinder(0, 1))}) {
    EXPECT_EQ(mass_properties(shape).volume, 0.0);
    EXPECT_EQ(mass_properties(shape).inertia, Mat3::zero());
  }
}

TEST(Mass, OfUnboundedOrUnknownBodiesIsRefused) {
  EXPECT_THROW(mass_properties(HalfSpace({0, 0, 1}, 0)), InvalidInput);
  EXPECT_THROW(
      mass_properties(CustomConvex(std::make_shared<test::OctahedronSupport>(Vec3{1, 1, 1}))),
      InvalidInput);
  try {
    mass_properties(Compound({{Sphere(1), Pose()}, {HalfSpace({0, 0, 1}, 0), Pose()}}));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "parts[1].halfspace");
  }
}

}  // namespace
}  // namespace tactus::detail
