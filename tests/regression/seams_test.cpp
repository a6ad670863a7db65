// Contacts of one body with several neighbours were judged one by one: a cube that slid over two
// flush boxes hit the side of the second one, which the first one covers.
#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/constants.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/tiles.hpp"

namespace tactus::detail {
namespace {

using test::Floor;
using test::Make;
using test::Ride;
using test::Way;

Ride cube_at(double speed, int steps) {
  return {Box({1, 1, 1}), Pose::translation({0.0, 0.0, 0.5}), {speed, 0.0, 0.0}, 0.0, steps};
}

World two_boxes(double rise) {
  World world;
  test::add_fixed(world, Box({4, 4, 1}), {-2.0, 0.0, -0.5}, 0.0);
  test::add_fixed(world, Box({40, 4, 1}), {20.0, 0.0, -0.5 + rise}, 0.0);
  return world;
}

BodyId add_cube(World& world, const Vec3& place, const Vec3& velocity) {
  BodyDefinition cube{Box({1, 1, 1}), Pose::translation(place), velocity};
  cube.material.friction = 0.0;
  return world.add(cube);
}

TEST(Seams, ACubeSlidesOverTwoFlushBoxes) {
  World world = two_boxes(0.0);
  const BodyId id = add_cube(world, {-1.0, 0.0, 0.5}, {2.0, 0.0, 0.0});
  for (int i = 0; i < 180; ++i) world.step();
  // It had stopped after 2.50 m.
  EXPECT_NEAR(world.body(id).pose().position().x, 5.0, 1e-4);
  EXPECT_NEAR(world.body(id).pose().position().z, 0.5, 1e-5);
  EXPECT_NEAR(norm(world.body(id).angular_velocity()), 0.0, 1e-4);
}

TEST(Seams, ACubeSlidesOverTilesOfEachMake) {
  for (const Make make : test::kMakes) {
    Floor floor;
    floor.make = make;
    floor.rows = 1;
    floor.tiles = 60;
    // It had stopped after 4.7 m and tumbled.
    for (const double speed : {0.5, 8.0, 20.0}) {
      const Way way = run_over(floor, cube_at(speed, speed < 20.0 ? 180 : 80));
      const double far = speed * (speed < 20.0 ? 3.0 : 80.0 / 60.0);
      EXPECT_NEAR(way.end.x, far, 1e-3 * far) << static_cast<int>(make) << " at " << speed;
      EXPECT_NEAR(way.least, 0.5, 1e-4) << static_cast<int>(make) << " at " << speed;
      EXPECT_NEAR(way.most, 0.5, 1e-4) << static_cast<int>(make) << " at " << speed;
    }
  }
}

TEST(Seams, WhatIsToldItsSpeedKeepsIt) {
  for (const Make make : test::kMakes) {
    for (const Shape& shape : {Shape(Box({0.6, 0.6, 1.8})), Shape(Cylinder(0.3, 1.8))}) {
      World world;
      Floor floor;
      floor.make = make;
      test::add_floor(world, floor, 0.5);
      const BodyId id = world.add({shape, Pose::translation({0.0, 0.3, 0.9})});
      for (int i = 0; i < 300; ++i) {
        world.set_velocity(id, {3.0, 0.0, world.body(id).linear_velocity().z}, {});
        world.step();
      }
      // Friction takes some within each step.
      EXPECT_NEAR(world.body(id).pose().position().x, 15.0, 0.3) << static_cast<int>(make);
    }
  }
}

TEST(Seams, AStepOfAMillimetreIsHit) {
  World world = two_boxes(1e-3);
  const BodyId id = add_cube(world, {-1.0, 0.0, 0.5}, {2.0, 0.0, 0.0});
  for (int i = 0; i < 16; ++i) world.step();
  // An impact at its foot leaves it v a^2/4 / (2 a^2/3): it turns about the step's edge.
  EXPECT_NEAR(world.body(id).linear_velocity().x, 0.75, 0.1);
  EXPECT_LT(world.body(id).pose().position().x, -0.4);
}

TEST(Seams, AStepDownIsNoWall) {
  World world = two_boxes(-1e-3);
  const BodyId id = add_cube(world, {-1.0, 0.0, 0.5}, {2.0, 0.0, 0.0});
  for (int i = 0; i < 180; ++i) world.step();
  EXPECT_NEAR(world.body(id).pose().position().x, 5.0, 0.05);
  EXPECT_NEAR(world.body(id).pose().position().z, 0.499, 1e-5);
}

TEST(Seams, AWallKeepsItsContactAtTheFoot) {
  World world;
  test::add_fixed(world, Box({4, 4, 1}), {-2.0, 0.0, -0.5}, 0.0);
  test::add_fixed(world, Box({1, 4, 4}), {0.5, 0.0, 1.0}, 0.0);
  const BodyId id = add_cube(world, {-0.5, 0.0, 0.5}, {});
  world.set_constant_force(id, {20.0 * world.body(id).mass().mass, 0.0, 0.0}, {});
  for (int i = 0; i < 120; ++i) world.step();
  EXPECT_NEAR(world.body(id).pose().position().x, -0.5, 1e-3);
  EXPECT_NEAR(world.body(id).pose().position().z, 0.5, 1e-3);
  int walls = 0, floors = 0;
  for (const Contact& c : world.contacts()) {
    walls += std::fabs(c.normal.x) > 0.99 ? 1 : 0;
    floors += std::fabs(c.normal.z) > 0.99 ? 1 : 0;
  }
  EXPECT_EQ(walls, 4);
  EXPECT_EQ(floors, 4);
}

/// An edge that lies where a wall stands on the floor touches both at the same place.
TEST(Seams, AnEdgeInACornerKeepsBothContacts) {
  World world;
  test::add_fixed(world, Box({4, 4, 1}), {-2.0, 0.0, -0.5}, 0.0);
  test::add_fixed(world, Box({1, 4, 4}), {0.5, 0.0, 1.0}, 0.0);
  const std::vector<Vec3> wedge{{0, -0.5, 0},   {0, 0.5, 0},     {-1, -0.5, 0.7},
                                {-1, 0.5, 0.7}, {-0.7, -0.5, 1}, {-0.7, 0.5, 1}};
  BodyDefinition body{Convex(wedge)};
  body.material.friction = 0.0;
  const BodyId id = world.add(body);
  world.set_constant_force(id, {9.81 * world.body(id).mass().mass, 0.0, 0.0}, {});
  for (int i = 0; i < 3; ++i) {
    world.step();
    double wall = 0.0, floor = 0.0;
    for (const Contact& c : world.contacts()) {
      EXPECT_NEAR(c.point.x, 0.0, 1e-4);
      EXPECT_NEAR(c.point.z, 0.0, 1e-4);
      (std::fabs(c.normal.x) > 0.99 ? wall : floor) += c.normal_impulse;
    }
    EXPECT_GT(wall, 0.0);
    EXPECT_GT(floor, 0.0);
  }
}

/// The ball leaves the first box and lands on the second one within a step.
TEST(Seams, AFastBallLandsBeyondASeam) {
  for (const Make make : {Make::slab, Make::boxes, Make::compound, Make::meshes}) {
    World world;
    Floor floor;
    floor.make = make;
    test::add_floor(world, floor, 0.0);
    BodyDefinition ball{Sphere(0.2), Pose::translation({0.1, 0.3, 0.33}), {15.0, 0.0, -8.0}};
    ball.material.friction = 0.0;
    ball.material.restitution = 1.0;
    const BodyId id = world.add(ball);
    double least = 1.0;
    for (int i = 0; i < 60; ++i) {
      world.step();
      least = std::min(least, world.body(id).pose().position().z);
    }
    EXPECT_NEAR(world.body(id).pose().position().x, 15.1, 1e-2) << static_cast<int>(make);
    EXPECT_GT(least, 0.19) << static_cast<int>(make);
  }
}

/// Over so many tiles that not all of its contacts are compared with each other.
TEST(Seams, AFastCylinderRollsOverNarrowTiles) {
  // The place where it leaves a tile lags behind it: that was taken for one approach after the
  // other, until the cylinder was held where it was.
  for (const double speed : {6.0, 8.0, 14.0, 20.0}) {
    World world;
    for (int i = 0; i < 80; ++i)
      test::add_fixed(world, Box({0.05, 1, 0.2}), {0.05 * i + 0.025, 0, -0.1}, 0.5);
    BodyDefinition roller{Cylinder(0.1, 0.2)};
    const double half = std::sqrt(0.5);
    roller.pose = Pose({0.2, 0, 0.1}, {half, half, 0, 0});
    roller.linear_velocity = {speed, 0, 0};
    roller.angular_velocity = {0, speed / 0.1, 0};
    const BodyId id = world.add(roller);
    const int steps = static_cast<int>(60.0 * 3.0 / speed);
    for (int i = 0; i < steps; ++i) world.step();
    EXPECT_NEAR(world.body(id).center_of_mass().x - 0.2, speed * steps / 60.0, 1e-3 * 3.0) << speed;
    // At some speeds it sinks in by 1e-4, and hops from a rim by millimetres.
    EXPECT_NEAR(world.body(id).center_of_mass().z, 0.1, 0.01) << speed;
  }
}

TEST(Seams, ALongPlankSlidesOverTiles) {
  for (const Make make : {Make::boxes, Make::compound}) {
    Floor floor;
    floor.make = make;
    floor.tiles = 100;
    const Ride ride{
        Box({24.0, 1.0, 0.5}), Pose::translation({12.5, 0.1, 0.25}), {6.0, 0.0, 0.0}, 0.0, 20};
    const Way way = run_over(floor, ride);
    EXPECT_NEAR(way.end.x, 14.5, 2e-3) << static_cast<int>(make);
    EXPECT_NEAR(way.least, 0.25, 1e-4) << static_cast<int>(make);
    EXPECT_NEAR(way.most, 0.25, 1e-4) << static_cast<int>(make);
  }
}

/// Tiles that move together, level or upwards, as bodies or as one, are judged where they are.
TEST(Seams, TilesMayMove) {
  for (const Vec3& train : {Vec3{20.0, 0.0, 0.0}, Vec3{0.0, 0.0, 10.0}}) {
    for (const Make make : {Make::boxes, Make::compound}) {
      World world;
      Floor floor;
      floor.make = make;
      floor.tiles = 60;
      test::add_floor(world, floor, 0.0, train);
      const BodyId id = add_cube(world, {1.0, 0.0, 0.5}, train + Vec3{8.0, 0.0, 0.0});
      for (int i = 0; i < 120; ++i) world.step();
      const Vec3 way = world.body(id).pose().position() - train * 2.0;
      EXPECT_NEAR(way.x, 17.0, 1e-3) << static_cast<int>(make);
      EXPECT_NEAR(way.z, 0.5, 1e-4) << static_cast<int>(make);
    }
  }
}

TEST(Seams, ASeamMayLieAtTheFaceOfAPeriodicSpace) {
  WorldSettings settings;
  settings.periodic[0] = PeriodicAxis{-0.25, 14.75};
  World world(settings);
  for (int i = 0; i < 30; ++i) {
    BodyDefinition tile{Box({0.5, 4, 1}), Pose::translation({0.5 * i, 0.0, -0.5}), {1.0, 0.0, 0.0}};
    tile.type = BodyType::kinematic;
    tile.material.friction = 0.0;
    world.add(tile);
  }
  const BodyId id = add_cube(world, {1.0, 0.0, 0.5}, {7.0, 0.0, 0.0});
  for (int i = 0; i < 300; ++i) world.step();
  EXPECT_NEAR(world.body(id).linear_velocity().x, 7.0, 7e-3);
  EXPECT_NEAR(world.body(id).pose().position().z, 0.5, 1e-4);
}

TEST(Seams, RoundTilesTouchAtPointsOfTheirRims) {
  for (const double speed : {0.5, 8.0, 20.0}) {
    World world;
    for (int i = 0; i < 60; ++i)
      test::add_fixed(world, Cylinder(0.25, 1.0), {0.5 * i, 0.0, -0.5}, 0.0);
    const BodyId id = add_cube(world, {1.0, 0.07, 0.5}, {speed, 0.0, 0.0});
    for (int i = 0; i < 70; ++i) world.step();
    EXPECT_NEAR(world.body(id).pose().position().x, 1.0 + speed * 70.0 / 60.0, 1e-3 * speed);
    EXPECT_NEAR(world.body(id).pose().position().z, 0.5, 1e-4);
  }
}

TEST(Seams, TilesMayBePushed) {
  World world;
  test::add_fixed(world, HalfSpace({0, 0, 1}, -1.0), {}, 0.5);
  for (int i = 0; i < 60; ++i) world.add({Box({0.5, 4, 1}), Pose::translation({0.5 * i, 0, -0.5})});
  const BodyId id = add_cube(world, {1.0, 0.0, 0.5}, {5.0, 0.0, 0.0});
  for (int i = 0; i < 120; ++i) world.step();
  EXPECT_NEAR(world.body(id).pose().position().x, 11.0, 1e-2);
  EXPECT_NEAR(world.body(id).pose().position().z, 0.5, 1e-4);
}

/// Hexagonal prisms of side 0.5, flush, in one mesh: `columns` along x from number `first` on.
TriangleMesh hexagons(int first, int columns) {
  TriangleMesh mesh;
  const double side = 0.5, third = kPi / 3.0;
  for (int i = first; i < first + columns; ++i) {
    for (int j = -1; j < 2; ++j) {
      const double x = 1.5 * side * i, y = std::sqrt(3.0) * side * (j + 0.5 * (i % 2));
      TriangleMesh prism;
      for (const double z : {-0.3, 0.0}) {
        for (int k = 0; k < 6; ++k)
          prism.vertices.emplace_back(x + side * std::cos(k * third),
                                      y + side * std::sin(k * third), z);
      }
      for (std::uint32_t k = 1; k < 5; ++k) {
        prism.triangles.push_back({6, 6 + k, 7 + k});
        prism.triangles.push_back({0, k + 1, k});
      }
      for (std::uint32_t k = 0; k < 6; ++k) {
        const std::uint32_t next = (k + 1) % 6;
        prism.triangles.push_back({k, next, 6 + next});
        prism.triangles.push_back({k, 6 + next, 6 + k});
      }
      test::append(mesh, prism);
    }
  }
  return mesh;
}

/// Inner faces of three prisms meet where their tops do: a box above that place was told to be
/// beyond the crease of two of them, and bounced off the third.
TEST(Seams, ABoxSlidesOverHexagonsInOneMesh) {
  const Mesh floor(hexagons(17, 8));
  for (int phase = 0; phase < test::effort(40); ++phase) {
    World world;
    test::add_fixed(world, floor, {}, 0.0);
    const double turn = 0.15 + 0.01 * phase, speed = 12.0 + 0.03 * phase;
    BodyDefinition box{
        Box({0.5, 0.35, 0.2}),
        Pose({12.99 + 0.01 * phase, 0.13, 0.1}, Quat{std::cos(turn), 0.0, 0.0, std::sin(turn)}),
        {speed, 0.0, 0.0}};
    box.material.friction = 0.0;
    const BodyId id = world.add(box);
    for (int i = 0; i < 15; ++i) world.step();
    EXPECT_LT(norm(world.body(id).linear_velocity() - Vec3{speed, 0.0, 0.0}), 1e-4) << phase;
    EXPECT_LT(norm(world.body(id).angular_velocity()), 1e-3) << phase;
  }
}

}  // namespace
}  // namespace tactus::detail
