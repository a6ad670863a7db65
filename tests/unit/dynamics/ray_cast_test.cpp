#include "tactus/dynamics/ray_cast.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/dynamics_scene.hpp"

namespace tactus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::optional<ShapeRayHit> cast(const Shape& shape, const Vec3& origin, const Vec3& direction,
                                double reach = kInfinity) {
  return ray_cast(shape, Pose(), {origin, normalized(direction), reach});
}

void expect_hit(const std::optional<ShapeRayHit>& hit, double distance, const Vec3& normal) {
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(hit->distance, distance, 1e-9);
  EXPECT_LT(norm(hit->normal - normal), 1e-7);
}

TEST(RayCast, Primitives) {
  const double r = std::sqrt(0.5);
  expect_hit(cast(Sphere(1.0), {-3, 0, 0}, {1, 0, 0}), 2.0, {-1, 0, 0});
  expect_hit(cast(Sphere(1.0), {-3, r, 0}, {1, 0, 0}), 3.0 - r, {-r, r, 0});
  expect_hit(cast(Box({2, 4, 6}), {0.5, 1, 9}, {0, 0, -1}), 6.0, {0, 0, 1});
  expect_hit(cast(Capsule(1.0, 2.0), {-3, 0, 0.9}, {1, 0, 0}), 2.0, {-1, 0, 0});
  expect_hit(cast(Capsule(1.0, 2.0), {0, 0, 5}, {0, 0, -1}), 3.0, {0, 0, 1});
  expect_hit(cast(Cylinder(1.0, 2.0), {-3, 0, 0.9}, {1, 0, 0}), 2.0, {-1, 0, 0});
  expect_hit(cast(Cylinder(1.0, 2.0), {0.9, 0, 5}, {0, 0, -1}), 4.0, {0, 0, 1});
  expect_hit(cast(Ellipsoid({1, 2, 3}), {0, 9, 0}, {0, -1, 0}), 7.0, {0, 1, 0});
  expect_hit(cast(HalfSpace({0, 0, 1}, 0.5), {0, 0, 3}, {0, 1, -1}), 2.5 / r, {0, 0, 1});
  const Vec3 octahedron[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const double third = std::sqrt(1.0 / 3.0);
  expect_hit(cast(Convex(octahedron), {0.25, 0.25, 4}, {0, 0, -1}), 3.5, {third, third, third});
}

TEST(RayCast, ConeFromAllSides) {
  // Radius 1, apex at z = 1, base at z = -1: the wall falls by 2 over 1.
  const Cone cone(1.0, 2.0);
  const Vec3 wall = normalized(Vec3{-2, 0, 1});
  expect_hit(cast(cone, {-3, 0, 0}, {1, 0, 0}), 2.5, wall);
  expect_hit(cast(cone, {0.5, 0, -4}, {0, 0, 1}), 3.0, {0, 0, -1});
  expect_hit(cast(cone, {-0.5, 0, 4}, {0, 0, -1}), 4.0, wall);
  // Parallel to the opposite wall: the quadratic degenerates.
  const double length = std::sqrt(5.0);
  expect_hit(cast(cone, {1, 0, 1.5}, {-1, 0, -2}), 0.625 * length, normalized(Vec3{2, 0, 1}));
  expect_hit(cast(cone, {-0.25, 0, -3}, {1, 0, 2}), length, {0, 0, -1});
  EXPECT_FALSE(cast(cone, {-2, 0, 0}, {1, 0, 2}));    // meets the mirrored nappe only
  EXPECT_FALSE(cast(cone, {-3, 0, 1.5}, {1, 0, 0}));  // above the apex, in the mirrored nappe
  EXPECT_FALSE(cast(cone, {-3, 0, 4}, {1, 0, 0}));
  EXPECT_FALSE(cast(cone, {-0.9, 0, 4}, {0, 0, 1}));
}

TEST(RayCast, InsideStartsAtZero) {
  for (int kind = 0; kind < 8; ++kind) {
    const auto hit = cast(test::mixed_shape(kind), {0.01, 0.0, 0.0}, {0, 1, 0});
    ASSERT_TRUE(hit) << kind;
    EXPECT_EQ(hit->distance, 0.0);
    EXPECT_EQ(hit->normal, (Vec3{0, -1, 0}));
  }
}

TEST(RayCast, EndsAtTheMaximumAndLooksOnlyForward) {
  EXPECT_FALSE(cast(Sphere(1.0), {-3, 0, 0}, {1, 0, 0}, 1.99));
  EXPECT_TRUE(cast(Sphere(1.0), {-3, 0, 0}, {1, 0, 0}, 2.01));
  EXPECT_FALSE(cast(Sphere(1.0), {-3, 0, 0}, {-1, 0, 0}));
  EXPECT_FALSE(cast(Box({1, 1, 1}), {3, 0, 0}, {1, 0, 0}));
  EXPECT_FALSE(cast(HalfSpace({0, 0, 1}, 0.0), {0, 0, 1}, {1, 0, 0}));
}

TEST(RayCast, GrownBodies) {
  const double r = std::sqrt(0.5);
  // Towards the rounded edge of a box of half width 1, radius 0.5.
  expect_hit(cast(Shape(Box({2, 2, 2}), 0.5), {4, 4, 0}, {-1, -1, 0}), 3.0 / r - 0.5, {r, r, 0});
  expect_hit(cast(Shape(Box({2, 2, 2}), 0.5), {4, 0.3, 0}, {-1, 0, 0}), 2.5, {1, 0, 0});
  expect_hit(cast(Shape(Sphere(1.0), 0.5), {4, 0, 0}, {-1, 0, 0}), 2.5, {1, 0, 0});
  expect_hit(cast(Shape(Capsule(1.0, 2.0), 0.5), {4, 0, 0}, {-1, 0, 0}), 2.5, {1, 0, 0});
  EXPECT_FALSE(cast(Shape(Box({2, 2, 2}), 0.5), {4, 1.6, 0}, {-1, 0, 0}));
}

TEST(RayCast, FlatHullAndMesh) {
  const Vec3 square[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  expect_hit(cast(Convex(square), {0.3, 0.2, 2}, {0, 0, -1}), 2.0, {0, 0, 1});
  EXPECT_FALSE(cast(Convex(square), {1.3, 0.2, 2}, {0, 0, -1}));
  const Mesh triangle(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  expect_hit(cast(triangle, {0.3, 0.2, 2}, {0, 0, -1}), 2.0, {0, 0, 1});
  expect_hit(cast(triangle, {0.3, 0.2, -2}, {0, 0, 1}), 2.0, {0, 0, -1});
  EXPECT_FALSE(cast(triangle, {0.6, 0.6, 2}, {0, 0, -1}));
}

TEST(RayCast, CompoundNamesThePart) {
  const Compound pair(
      {{Sphere(0.5), Pose::translation({2, 0, 0})}, {Sphere(0.5), Pose::translation({5, 0, 0})}});
  const auto from_left = cast(pair, {0, 0, 0}, {1, 0, 0});
  const auto from_right = cast(pair, {9, 0, 0}, {-1, 0, 0});
  expect_hit(from_left, 1.5, {-1, 0, 0});
  expect_hit(from_right, 3.5, {1, 0, 0});
  EXPECT_EQ(from_left->part, 0);
  EXPECT_EQ(from_right->part, 1);
}

TEST(RayCast, PosesTurnRayAndNormal) {
  const Pose pose({1, 2, 3}, {std::sqrt(0.5), 0, std::sqrt(0.5), 0});  // z becomes x
  const auto hit = ray_cast(Cylinder(0.5, 4.0), pose, {{9, 2, 3}, {-1, 0, 0}, kInfinity});
  expect_hit(hit, 6.0, {1, 0, 0});
}

TEST(WorldRayCast, NearestBodyInTheMask) {
  World world;
  test::add_ground(world);
  BodyDefinition ghost{Sphere(0.5), Pose::translation({0, 0, 5})};
  ghost.filter.category = 8;
  const BodyId high = world.add(ghost);
  const BodyId low = test::add_body(world, Box({1, 1, 1}), {0, 0, 2});
  const auto first = world.ray_cast({0, 0, 10}, {0, 0, -2}, 100.0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->body, high);
  EXPECT_NEAR(first->distance, 4.5, 1e-12);
  EXPECT_LT(norm(first->point - Vec3{0, 0, 5.5}), 1e-12);
  EXPECT_EQ(world.ray_cast({0, 0, 10}, {0, 0, -1}, 100.0, 1)->body, low);
  EXPECT_EQ(world.ray_cast({3, 0, 10}, {0, 0, -1}, 100.0)->body, world.bodies()[0].id());
  EXPECT_FALSE(world.ray_cast({3, 0, 10}, {0, 0, -1}, 9.0));
  EXPECT_THROW(world.ray_cast({0, 0, 0}, {0, 0, 0}, 1.0), InvalidInput);
  EXPECT_THROW(world.ray_cast({0, 0, 0}, {1, 0, 0}, -1.0), InvalidInput);
}

}  // namespace
}  // namespace tactus
