#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tactus/core/constants.hpp"
#include "tactus/query.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

CastResult toward(const Shape& shape, const Vec3& origin, const Vec3& direction,
                  double reach = kInfinity) {
  return ray_cast(shape, Pose(), origin, normalized(direction), reach);
}

void expect_hit(const CastResult& r, double distance, const Vec3& normal) {
  EXPECT_EQ(r.hit, Overlap::yes);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LE(r.time, distance + 1e-15);
  EXPECT_GE(r.time_upper, distance - 1e-15);
  EXPECT_LT(r.time_upper - r.time, 2e-12);
  EXPECT_LT(norm(r.normal - normal), 2e-11);
}

TEST(RayCast, Primitives) {
  const double r = std::sqrt(0.5);
  expect_hit(toward(Sphere(1.0), {-3, 0, 0}, {1, 0, 0}), 2.0, {-1, 0, 0});
  expect_hit(toward(Sphere(1.0), {-3, r, 0}, {1, 0, 0}), 3.0 - r, {-r, r, 0});
  expect_hit(toward(Box({2, 4, 6}), {0.5, 1, 9}, {0, 0, -1}), 6.0, {0, 0, 1});
  expect_hit(toward(Capsule(1.0, 2.0), {-3, 0, 0.9}, {1, 0, 0}), 2.0, {-1, 0, 0});
  expect_hit(toward(Capsule(1.0, 2.0), {0, 0, 5}, {0, 0, -1}), 3.0, {0, 0, 1});
  expect_hit(toward(Cylinder(1.0, 2.0), {-3, 0, 0.9}, {1, 0, 0}), 2.0, {-1, 0, 0});
  expect_hit(toward(Cylinder(1.0, 2.0), {0.9, 0, 5}, {0, 0, -1}), 4.0, {0, 0, 1});
  expect_hit(toward(Ellipsoid({1, 2, 3}), {0, 9, 0}, {0, -1, 0}), 7.0, {0, 1, 0});
  expect_hit(toward(HalfSpace({0, 0, 1}, 0.5), {0, 0, 3}, {0, 1, -1}), 2.5 / r, {0, 0, 1});
  const Vec3 octahedron[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const double third = std::sqrt(1.0 / 3.0);
  expect_hit(toward(Convex(octahedron), {0.25, 0.25, 4}, {0, 0, -1}), 3.5, {third, third, third});
}

TEST(RayCast, ConeFromAllSides) {
  // Radius 1, apex at z = 1, base at z = -1: the wall falls by 2 over 1.
  const Cone cone(1.0, 2.0);
  const Vec3 wall = normalized(Vec3{-2, 0, 1});
  expect_hit(toward(cone, {-3, 0, 0}, {1, 0, 0}), 2.5, wall);
  expect_hit(toward(cone, {0.5, 0, -4}, {0, 0, 1}), 3.0, {0, 0, -1});
  expect_hit(toward(cone, {-0.5, 0, 4}, {0, 0, -1}), 4.0, wall);
  // Parallel to the opposite wall: the quadratic degenerates.
  const double length = std::sqrt(5.0);
  expect_hit(toward(cone, {1, 0, 1.5}, {-1, 0, -2}), 0.625 * length, normalized(Vec3{2, 0, 1}));
  expect_hit(toward(cone, {-0.25, 0, -3}, {1, 0, 2}), length, {0, 0, -1});
  EXPECT_EQ(toward(cone, {-2, 0, 0}, {1, 0, 2}).hit, Overlap::no);  // meets the mirrored nappe only
  EXPECT_EQ(toward(cone, {-3, 0, 1.5}, {1, 0, 0}).hit,
            Overlap::no);  // above the apex, in the mirrored nappe
  EXPECT_EQ(toward(cone, {-3, 0, 4}, {1, 0, 0}).hit, Overlap::no);
  EXPECT_EQ(toward(cone, {-0.9, 0, 4}, {0, 0, 1}).hit, Overlap::no);
}

TEST(RayCast, InsideStartsAtZeroWithTheWayOut) {
  Random random(3);
  for (const Shape& shape : every_convex_shape(random)) {
    if (shape.type() == ShapeType::convex && shape.rounding_radius() > 0.0) continue;  // flat
    const CastResult hit = toward(shape, {0.01, 0.0, 0.0}, {0, 1, 0});
    EXPECT_EQ(hit.hit, Overlap::yes) << to_string(shape.type());
    EXPECT_EQ(hit.time, 0.0);
    EXPECT_EQ(hit.time_upper, 0.0);
    EXPECT_LT(hit.distance, 0.0);
  }
  expect_hit(toward(Box({2, 4, 6}), {0.5, 0, 0}, {0, 1, 0}), 0.0, {1, 0, 0});
}

TEST(RayCast, EndsAtTheMaximumAndLooksOnlyForward) {
  EXPECT_EQ(toward(Sphere(1.0), {-3, 0, 0}, {1, 0, 0}, 1.99).hit, Overlap::no);
  EXPECT_EQ(toward(Sphere(1.0), {-3, 0, 0}, {1, 0, 0}, 2.01).hit, Overlap::yes);
  EXPECT_EQ(toward(Sphere(1.0), {-3, 0, 0}, {-1, 0, 0}).hit, Overlap::no);
  EXPECT_EQ(toward(Box({1, 1, 1}), {3, 0, 0}, {1, 0, 0}).hit, Overlap::no);
  EXPECT_EQ(toward(HalfSpace({0, 0, 1}, 0.0), {0, 0, 1}, {1, 0, 0}).hit, Overlap::no);
}

TEST(RayCast, GrownBodies) {
  const double r = std::sqrt(0.5);
  // Towards the rounded edge of a box of half width 1, radius 0.5.
  expect_hit(toward(Shape(Box({2, 2, 2}), 0.5), {4, 4, 0}, {-1, -1, 0}), 3.0 / r - 0.5, {r, r, 0});
  expect_hit(toward(Shape(Box({2, 2, 2}), 0.5), {4, 0.3, 0}, {-1, 0, 0}), 2.5, {1, 0, 0});
  expect_hit(toward(Shape(Sphere(1.0), 0.5), {4, 0, 0}, {-1, 0, 0}), 2.5, {1, 0, 0});
  expect_hit(toward(Shape(Capsule(1.0, 2.0), 0.5), {4, 0, 0}, {-1, 0, 0}), 2.5, {1, 0, 0});
  EXPECT_EQ(toward(Shape(Box({2, 2, 2}), 0.5), {4, 1.6, 0}, {-1, 0, 0}).hit, Overlap::no);
}

TEST(RayCast, FlatHullAndMesh) {
  const Vec3 square[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  expect_hit(toward(Convex(square), {0.3, 0.2, 2}, {0, 0, -1}), 2.0, {0, 0, 1});
  expect_hit(toward(Convex(square), {0, 0, 2}, {0, 0, -1}), 2.0, {0, 0, 1});
  expect_hit(toward(Cylinder(1.0, 0.0), {-1.2, 0.2, 2}, {1, 0, -1}), 2.0 * std::sqrt(2.0),
             {0, 0, 1});
  // Through an edge of a flat body: no proof either way.
  const CastResult edge = toward(Convex(square), {1.0, 0.2, 2}, {0, 0, -1});
  EXPECT_EQ(edge.hit, Overlap::undecided);
  EXPECT_LE(edge.time, 2.0);
  EXPECT_NEAR(edge.time, 2.0, 1e-12);
  EXPECT_EQ(toward(Convex(square), {1.3, 0.2, 2}, {0, 0, -1}).hit, Overlap::no);
  const Mesh triangle(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  expect_hit(toward(triangle, {0.3, 0.2, 2}, {0, 0, -1}), 2.0, {0, 0, 1});
  expect_hit(toward(triangle, {0.3, 0.2, -2}, {0, 0, 1}), 2.0, {0, 0, -1});
  EXPECT_EQ(toward(triangle, {0.6, 0.6, 2}, {0, 0, -1}).hit, Overlap::no);
}

TEST(RayCast, CompoundNamesThePart) {
  const Compound pair(
      {{Sphere(0.5), Pose::translation({2, 0, 0})}, {Sphere(0.5), Pose::translation({5, 0, 0})}});
  const CastResult from_left = toward(pair, {0, 0, 0}, {1, 0, 0});
  const CastResult from_right = toward(pair, {9, 0, 0}, {-1, 0, 0});
  expect_hit(from_left, 1.5, {-1, 0, 0});
  expect_hit(from_right, 3.5, {1, 0, 0});
  EXPECT_EQ(from_left.part_a, 0);
  EXPECT_EQ(from_right.part_a, 1);
}

TEST(RayCast, PosesTurnRayAndNormal) {
  const Pose pose({1, 2, 3}, {std::sqrt(0.5), 0, std::sqrt(0.5), 0});  // z becomes x
  const CastResult hit = ray_cast(Cylinder(0.5, 4.0), pose, {9, 2, 3}, {-1, 0, 0}, kInfinity);
  expect_hit(hit, 6.0, {1, 0, 0});
}

TEST(RayCast, RefusesWhatIsNoRay) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Shape ball = Sphere(1.0);
  EXPECT_EQ(ray_cast(ball, Pose(), {3, 0, 0}, {0, 0, 0}, 1.0).status, Status::invalid_input);
  EXPECT_EQ(ray_cast(ball, Pose(), {3, 0, 0}, {1, nan, 0}, 1.0).status, Status::invalid_input);
  EXPECT_EQ(ray_cast(ball, Pose(), {nan, 0, 0}, {1, 0, 0}, 1.0).status, Status::invalid_input);
  EXPECT_EQ(ray_cast(ball, Pose(), {3, 0, 0}, {1, 0, 0}, -1.0).status, Status::invalid_input);
}

}  // namespace
}  // namespace tactus::detail
