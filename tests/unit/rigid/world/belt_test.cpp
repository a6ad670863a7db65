// Surfaces that run against their bodies, and kinematic bodies that carry what stands on them.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/impulse_world.hpp"
#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

BodyId add_belt(World& world, const Shape& shape, const Pose& pose, const SurfaceVelocity& velocity,
                double friction = 0.5) {
  BodyDefinition belt{shape, pose};
  belt.type = BodyType::fixed;
  belt.material.friction = friction;
  belt.surface_velocity = velocity;
  return world.add(belt);
}

TEST(Belt, BringsWhatLiesOnItToItsSpeedByFriction) {
  for (int kind = 0; kind < 2; ++kind) {
    World world;
    add_belt(world, Box({40, 4, 1}), Pose::translation({0, 0, -0.5}), {{2, 0.5, 0}, {}}, 0.3);
    const Shape shape = kind == 0 ? Shape(Box({0.5, 0.4, 0.2})) : Shape(Cylinder(0.3, 0.2));
    const BodyId id = test::add_body(world, shape, {0, 0, 0.1}, {.friction = 0.3});
    // It slides at mu g, against the slip, for v / (mu g).
    const double rate = 0.3 * 9.81, speed = std::sqrt(4.25);
    test::run(world, 0.4);
    EXPECT_NEAR(norm(world.body(id).linear_velocity()), 0.4 * rate, 0.06);
    test::run(world, 2.0);
    EXPECT_NEAR(world.body(id).linear_velocity().x, 2.0, 1e-6);
    EXPECT_NEAR(world.body(id).linear_velocity().y, 0.5, 1e-6);
    EXPECT_NEAR(norm(world.body(id).angular_velocity()), 0.0, 1e-6);
    EXPECT_NEAR(norm(world.body(id).center_of_mass() - Vec3{0, 0, 0.1}),
                speed * 2.4 - speed * speed / (2 * rate), 0.05);
  }
}

TEST(Belt, IsThatOfItsBodyAndOfTheOneThatMoves) {
  // A belt up a slope: its frame is that of the body; at rest what it carries up rolls back.
  World world;
  const double angle = 0.3;
  const Pose slope = Pose::from_axis_angle({0, 0, 0}, {0, 1, 0}, -angle);
  add_belt(world, Box({20, 4, 1}), slope, {{1.5, 0, 0}, {}}, 0.8);
  const BodyId crate = test::add_body(world, Box({0.4, 0.4, 0.4}), {}, {.friction = 0.8});
  world.set_pose(crate, Pose::from_axis_angle(slope.to_world({0, 0, 0.7}), {0, 1, 0}, -angle));
  test::run(world, 2.0);
  const Vec3 along = slope.direction_to_world({1, 0, 0});
  EXPECT_NEAR(dot(world.body(crate).linear_velocity(), along), 1.5, 1e-6);
  EXPECT_NEAR(slope.to_local(world.body(crate).center_of_mass()).z, 0.7, 1e-3);

  // A tracked vehicle: the belts of the moving body drive it over the ground.
  World field;
  test::add_ground(field, {.friction = 0.9});
  BodyDefinition tank{Box({2, 1, 0.5}), Pose::translation({0, 0, 0.25})};
  tank.material.friction = 0.9;
  tank.surface_velocity = {{-1.2, 0, 0}, {}};
  const BodyId vehicle = field.add(tank);
  test::run(field, 2.0);
  EXPECT_NEAR(field.body(vehicle).linear_velocity().x, 1.2, 1e-6);
  field.set_surface_velocity(vehicle, {});
  test::run(field, 1.0);
  EXPECT_NEAR(field.body(vehicle).linear_velocity().x, 0.0, 1e-6);
}

TEST(Belt, OfADiscTurnsWhatLiesOnIt) {
  World world;
  add_belt(world, Cylinder(3.0, 0.4), Pose::translation({0, 0, -0.2}), {{}, {0, 0, 1.0}}, 0.9);
  const BodyId middle = test::add_body(world, Box({0.5, 0.5, 0.2}), {0, 0, 0.1}, {.friction = 0.9});
  const BodyId rim =
      test::add_body(world, Box({0.3, 0.3, 0.2}), {1.5, 0, 0.1}, {.friction = 0.9}, {0, 1.5, 0});
  world.set_velocity(rim, {0, 1.5, 0}, {0, 0, 1});
  test::run(world, 2.0);
  EXPECT_NEAR(world.body(middle).angular_velocity().z, 1.0, 1e-3);
  EXPECT_NEAR(norm(world.body(middle).linear_velocity()), 0.0, 1e-3);
  EXPECT_NEAR(world.body(rim).angular_velocity().z, 1.0, 0.01);
  const Vec3 at = world.body(rim).center_of_mass();
  EXPECT_NEAR(std::hypot(at.x, at.y), 1.5, 0.05);
}

TEST(Belt, DrivesWhatFallsOnItWithinTheImpact) {
  // A ball that bounces leaves with the friction impulse mu (1 + e) v along the belt.
  World world;
  add_belt(world, Box({40, 4, 1}), Pose::translation({0, 0, -0.5}), {{50, 0, 0}, {}}, 0.2);
  const BodyId ball = test::add_body(world, Sphere(0.2), {0, 0, 0.3},
                                     {.friction = 0.2, .restitution = 0.5}, {0, 0, -4});
  test::run(world, 0.1);
  EXPECT_NEAR(world.body(ball).linear_velocity().x, 0.2 * 1.5 * 4.2, 0.05);
}

TEST(Belt, LeavesOthersAsTheyAreAndIsTheSameForAnyThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 3}) {
    WorldSettings settings;
    settings.max_threads = threads;
    World world(settings);
    test::add_pile(world, 40, 2.0, {});
    world.set_surface_velocity(world.bodies()[0].id(), {{0.7, 0, 0}, {0, 0, 0.4}});
    for (int i = 0; i < 50; ++i) require_done(world.step());
    const WorldState middle = world.save();
    for (int i = 0; i < 10; ++i) require_done(world.step());
    hashes.push_back(world.state_hash());
    world.restore(middle);
    for (int i = 0; i < 10; ++i) require_done(world.step());
    hashes.push_back(world.state_hash());
  }
  EXPECT_EQ(hashes, std::vector<std::uint64_t>(4, hashes.front()));
  ImpulseWorld impulses;
  BodyDefinition belt{Box({1, 1, 1})};
  belt.type = BodyType::fixed;
  const BodyId id = impulses.add(belt);
  EXPECT_THROW(impulses.set_surface_velocity(id, {{1, 0, 0}, {}}), InvalidInput);
  belt.surface_velocity.linear = {std::nan(""), 0, 0};
  EXPECT_THROW(World().add(belt), InvalidInput);
}

TEST(Kinematic, BodiesCarryWhatStandsOnThem) {
  World world;
  BodyDefinition lift{Box({3, 3, 0.2}), Pose::translation({0, 0, -0.1})};
  lift.type = BodyType::kinematic;
  const BodyId platform = world.add(lift);
  const BodyId crate = test::add_body(world, Box({0.5, 0.5, 0.5}), {0.8, 0, 0.25});
  test::run(world, 0.5);
  world.move_to(platform, Pose::from_axis_angle({1, 2, 1}, {0, 0, 1}, 0.8), 4.0);
  const auto local = [&] {
    return world.body(platform).pose().to_local(world.body(crate).center_of_mass());
  };
  // It starts at once: the crate slides until friction has brought it to its speed.
  test::run(world, 0.5);
  const Vec3 early = local();
  EXPECT_NEAR(norm(early - Vec3{0.8, 0, 0.35}), 0.0, 0.05);
  test::run(world, 3.5);
  EXPECT_NEAR(norm(local() - early), 0.0, 2e-3);
}

}  // namespace
}  // namespace tactus::detail
