// The velocity at a contact was set for the place where the bodies touch at the start of a substep,
// not along the way: rolling lost or gained energy, and a turntable threw out what it carries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "tactus/world.hpp"

namespace tactus::detail {
namespace {

Material rough() {
  Material material;
  material.friction = 5.0;
  return material;
}

double energy(const World& world) {
  return world.statistics().kinetic_energy + world.statistics().potential_energy;
}

/// Largest change of the energy after the first steps, over the energy at their end, in which
/// potential energy counts from the ground.
double lost(World& world, double seconds) {
  for (int i = 0; i < 6; ++i) world.step();
  const double start = energy(world);
  double most = 0.0;
  while (world.time() < seconds) {
    world.step();
    most = std::max(most, std::fabs(energy(world) - start));
  }
  return most / start;
}

BodyId add_ground(World& world) {
  BodyDefinition ground{HalfSpace({0, 0, 1}, 0.0)};
  ground.type = BodyType::fixed;
  ground.material = rough();
  return world.add(ground);
}

TEST(Rolling, AnEllipsoidRocksWithoutLoss) {
  World world;
  add_ground(world);
  const double tilt = 1.2;
  BodyDefinition body{Ellipsoid({0.5, 0.5, 0.2})};
  body.material = rough();
  const double height = std::hypot(0.5 * std::sin(tilt), 0.2 * std::cos(tilt));
  body.pose = Pose({0, 0, height}, Quat{std::cos(0.5 * tilt), 0, std::sin(0.5 * tilt), 0});
  world.add(body);
  // It had lost 26 % in 10 s.
  EXPECT_LT(lost(world, 5.0), 1e-4);
}

TEST(Rolling, OnAMeshAsOnASlab) {
  TriangleMesh plane;
  for (int i = 0; i <= 20; ++i) {
    plane.vertices.push_back({3.0 * i - 30.0, -4, 0});
    plane.vertices.push_back({3.0 * i - 30.0, 4, 0});
  }
  for (std::uint32_t i = 0; i < 20; ++i) {
    plane.triangles.push_back({2 * i, 2 * i + 2, 2 * i + 1});
    plane.triangles.push_back({2 * i + 1, 2 * i + 2, 2 * i + 3});
  }
  const double half = std::sqrt(0.5);
  const Quat side{half, half, 0, 0};
  const std::pair<Shape, Quat> bodies[] = {{Sphere(0.2), Quat{1, 0, 0, 0}},
                                           {Ellipsoid({0.25, 0.2, 0.2}), Quat{1, 0, 0, 0}},
                                           {Cylinder(0.2, 0.4), side},
                                           {Capsule(0.2, 0.4), side}};
  for (const auto& [shape, turn] : bodies) {
    World world;
    BodyDefinition ground{Mesh(plane)};
    ground.type = BodyType::fixed;
    ground.material = rough();
    world.add(ground);
    BodyDefinition body{shape, Pose({0, 0, 0.2}, turn)};
    body.material = rough();
    const MassProperties own = mass_properties(shape);
    body.mass = BodyMass{1000.0 * own.volume, {0.04, 0, 0}, own.inertia * 1000.0};
    body.linear_velocity = {1, 0, 0};
    body.angular_velocity = {0, 5, 0};
    world.add(body);
    // It had lost 0.8 %.
    EXPECT_LT(lost(world, 15.0), 1e-4) << to_string(shape.type());
  }
}

TEST(Rolling, ABallWithItsMassOffTheCentreRollsWithoutLoss) {
  World world;
  add_ground(world);
  BodyDefinition body{Sphere(0.5), Pose::translation({0, 0, 0.5})};
  body.material = rough();
  body.mass = BodyMass{500.0, {0.2, 0, 0}, Mat3::diagonal({45, 45, 45})};
  body.angular_velocity = {1, 5, 2};
  body.linear_velocity = cross(Vec3{-0.2, 0, -0.5}, body.angular_velocity);
  world.add(body);
  EXPECT_LT(lost(world, 5.0), 1e-4);
}

TEST(Rolling, AConeRollsAboutItsApexWithoutLoss) {
  WorldSettings settings;
  settings.gravity = {2.0, 0, -9.6};
  World world(settings);
  add_ground(world);
  const double half = std::atan(0.3 / 0.8), turn = 0.5 * 3.14159265358979323846 + half;
  BodyDefinition body{Cone(0.3, 0.8)};
  body.material = rough();
  const Quat lying{std::cos(0.5 * turn), 0, std::sin(0.5 * turn), 0};
  const Quat aside{std::cos(0.3), 0, 0, std::sin(0.3)};
  const Quat q = aside * lying;
  body.pose = Pose(-(to_matrix(q) * Vec3{0, 0, 0.4}), q);
  world.add(body);
  for (int i = 0; i < 6; ++i) world.step();
  const double start = energy(world);
  double most = 0.0, moving = 0.0;
  while (world.time() < 5.0) {
    world.step();
    most = std::max(most, std::fabs(energy(world) - start));
    moving = std::max(moving, world.statistics().kinetic_energy);
  }
  EXPECT_GT(moving, 1.0);
  EXPECT_LT(most, 1e-4 * moving);
}

TEST(Rolling, ATurntableCarriesABlockWithinItsFriction) {
  for (const double part : {0.9, 1.1}) {
    World world;
    Material material;
    material.friction = 0.5;
    const double spin = std::sqrt(part * material.friction * 9.81);
    BodyDefinition table{Cylinder(5.0, 0.2), Pose::translation({0, 0, -0.1})};
    table.type = BodyType::kinematic;
    table.angular_velocity = {0, 0, spin};
    table.material = material;
    world.add(table);
    BodyDefinition block{Box({0.1, 0.1, 0.05}), Pose::translation({1, 0, 0.025})};
    block.linear_velocity = {0, spin, 0};
    block.angular_velocity = {0, 0, spin};
    block.material = material;
    const BodyId id = world.add(block);
    while (world.time() < 20.0) world.step();
    const Vec3 place = world.body(id).center_of_mass();
    const double radius = std::hypot(place.x, place.y);
    // It had been thrown out at 0.9.
    if (part < 1.0) {
      EXPECT_NEAR(radius, 1.0, 1e-4);
    } else {
      EXPECT_GT(radius, 5.0);
    }
  }
}

TEST(Rolling, ABallOnATurntableGoesInCircles) {
  World world;
  BodyDefinition table{Cylinder(5.0, 0.2), Pose::translation({0, 0, -0.1})};
  table.type = BodyType::kinematic;
  table.angular_velocity = {0, 0, 6};
  table.material = rough();
  world.add(table);
  const double radius = 0.2, speed = 0.5, turning = 2.0 / 7.0 * 6.0;
  BodyDefinition ball{Sphere(radius), Pose::translation({1, 0, radius})};
  ball.linear_velocity = {0, speed, 0};
  ball.angular_velocity = {(6.0 - speed) / radius, 0, 0};
  ball.material = rough();
  const BodyId id = world.add(ball);
  double most = 0.0;
  while (world.time() < 5.0) {
    world.step();
    const double angle = turning * world.time(), circle = speed / turning;
    const Vec3 place{1.0 - circle + circle * std::cos(angle), circle * std::sin(angle), radius};
    most = std::max(most, norm(world.body(id).center_of_mass() - place));
  }
  EXPECT_LT(most, 1e-4);
}

}  // namespace
}  // namespace tactus::detail
