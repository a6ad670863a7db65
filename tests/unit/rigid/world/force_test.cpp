#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tactus/impulse_world.hpp"
#include "tactus/world.hpp"
#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::add_ground;

World weightless() {
  WorldSettings settings;
  settings.gravity = {};
  return World(settings);
}

TEST(Force, MovesABodyAsNewtonSays) {
  World world = weightless();
  const BodyId id = add_body(world, Sphere(0.5), {0, 0, 0});
  const double mass = world.body(id).mass().mass;
  const Vec3 force{3.0, -2.0, 1.0};
  for (int i = 0; i < 90; ++i) {
    world.apply_force(id, force);
    world.step();
  }
  const double t = world.time();
  EXPECT_LT(norm(world.body(id).linear_velocity() - force * (t / mass)), 8e-15);
  EXPECT_LT(norm(world.body(id).center_of_mass() - force * (0.5 * t * t / mass)), 3e-15);
  EXPECT_EQ(world.body(id).angular_velocity(), Vec3{});
  // It acts in one step only.
  const Vec3 velocity = world.body(id).linear_velocity();
  world.step();
  EXPECT_EQ(world.body(id).linear_velocity(), velocity);
}

TEST(Force, ConstantOnesActLikeThoseGivenInEveryStep) {
  const Vec3 force{3.0, -2.0, 1.0}, torque{0.1, 0.2, -0.3};
  World by_step, constant;
  const BodyId a = add_body(by_step, Box({0.2, 0.4, 0.6}), {0, 0, 0});
  BodyDefinition definition{Box({0.2, 0.4, 0.6})};
  definition.force = force;
  definition.torque = torque;
  const BodyId b = constant.add(definition);
  // A new material leaves the constant force and torque as they are.
  constant.set_material(b, by_step.body(a).material());
  for (int i = 0; i < 60; ++i) {
    by_step.apply_force(a, force);
    by_step.apply_torque(a, torque);
    by_step.step();
    constant.step();
    ASSERT_EQ(constant.body(b).motion(), by_step.body(a).motion());
  }
  // Both kinds add up; the constant one stays after the step, and until it is replaced.
  constant.apply_force(b, force);
  by_step.apply_force(a, force * 2.0);
  by_step.apply_torque(a, torque);
  constant.step();
  by_step.step();
  EXPECT_LT(norm(constant.body(b).linear_velocity() - by_step.body(a).linear_velocity()), 1e-14);
  EXPECT_EQ(constant.body(b).constant_force(), force);
  EXPECT_EQ(constant.body(b).force(), Vec3{});
  constant.set_constant_force(b, {}, {});
  const Vec3 velocity = constant.body(b).linear_velocity();
  constant.step();
  const Vec3 fallen = velocity + constant.settings().gravity * constant.settings().time_step;
  EXPECT_LT(norm(constant.body(b).linear_velocity() - fallen), 1e-13);
}

TEST(Force, ConstantOnesOutliveARestoredState) {
  World world = weightless();
  BodyDefinition definition{Sphere(0.5)};
  definition.force = {2.0, 0.0, 0.0};
  const BodyId id = world.add(definition);
  const WorldState start = world.save();
  for (int i = 0; i < 10; ++i) world.step();
  const std::uint64_t straight = world.state_hash();
  world.restore(start);
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_EQ(world.state_hash(), straight);
  EXPECT_GT(world.body(id).linear_velocity().x, 0.0);
}

TEST(Force, ConstantOnesAreRefusedWithTheirField) {
  const auto refused = [](RigidWorld& world, const BodyDefinition& definition) {
    try {
      world.add(definition);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  World world;
  ImpulseWorld impulses;
  BodyDefinition definition{Sphere(0.5)};
  definition.force = {0.0, 0.0, 1.0};
  definition.type = BodyType::kinematic;
  EXPECT_EQ(refused(world, definition), "force: must be zero unless the body is moving");
  definition = BodyDefinition{Sphere(0.5)};
  definition.torque = {0.0, std::nan(""), 0.0};
  EXPECT_EQ(refused(world, definition), "torque: must be finite");
  definition.torque = {0.0, 1.0, 0.0};
  EXPECT_EQ(refused(impulses, definition),
            "torque: must be zero in a world that moves by impulses");
  EXPECT_TRUE(world.bodies().empty());
  const BodyId id = world.add(definition);
  EXPECT_THROW(world.set_constant_force(id, {std::nan(""), 0.0, 0.0}, {}), InvalidInput);
  EXPECT_THROW(world.set_constant_force(id + 1, {}, {}), InvalidInput);
  EXPECT_EQ(world.body(id).constant_torque(), definition.torque);
}

TEST(Force, ActsAtAPoint) {
  World world = weightless();
  const BodyId id = add_body(world, Sphere(0.5), {1, 2, 3});
  const Body& body = world.body(id);
  const Vec3 force{0.0, 4.0, 0.0}, arm{0.5, 0.0, 0.0};
  world.apply_force(id, force, body.center_of_mass() + arm);
  world.step();
  const double spin = cross(arm, force).z * world.time() / body.mass().inertia(2, 2);
  EXPECT_NEAR(world.body(id).angular_velocity().z, spin, 1e-15);
  EXPECT_NEAR(world.body(id).linear_velocity().y, 4.0 * world.time() / body.mass().mass, 1e-15);
}

TEST(Force, TorqueTurnsABoxAboutItsAxis) {
  World world = weightless();
  const BodyId id = add_body(world, Box({0.2, 0.4, 0.6}), {0, 0, 0});
  for (int i = 0; i < 60; ++i) {
    world.apply_torque(id, {0, 0, 0.25});
    world.apply_torque(id, {0, 0, 0.25});
    world.step();
  }
  const Body& body = world.body(id);
  const double acceleration = 0.5 / body.mass().inertia(2, 2);
  EXPECT_NEAR(body.angular_velocity().z, acceleration, 1e-12);
  // Substeps follow the turn to second order.
  const double angle = 2.0 * std::atan2(body.motion().orientation.z, body.motion().orientation.w);
  EXPECT_NEAR(std::remainder(angle - 0.5 * acceleration, 2.0 * std::acos(-1.0)), 0.0, 1e-7);
}

TEST(Force, HoldsABallAgainstGravity) {
  World world;
  const BodyId id = add_body(world, Sphere(0.5), {0, 0, 4});
  for (int i = 0; i < 120; ++i) {
    world.apply_force(id, world.settings().gravity * -world.body(id).mass().mass);
    world.step();
  }
  EXPECT_NEAR(world.body(id).center_of_mass().z, 4.0, 1e-12);
}

TEST(Force, PushesABoxOverARoughFloorOnlyBeyondItsFriction) {
  for (const double push : {0.45, 0.6}) {
    World world;
    Material rough;
    rough.friction = 0.5;
    add_ground(world, rough);
    const BodyId id = add_body(world, Box({1.0, 1.0, 0.2}), {0, 0, 0.1}, rough);
    test::run(world, 0.5);
    const double start = world.body(id).center_of_mass().x;
    const double weight = world.body(id).mass().mass * 9.81;
    for (int i = 0; i < 60; ++i) {
      // Low, so that it does not tip.
      world.apply_force(id, {push * weight, 0, 0}, world.body(id).center_of_mass());
      world.step();
    }
    const double way = world.body(id).center_of_mass().x - start;
    const double expected = push < 0.5 ? 0.0 : 0.5 * (push - 0.5) * 9.81;
    EXPECT_NEAR(way, expected, push < 0.5 ? 1e-4 : 0.01 * expected) << push;
  }
}

TEST(Force, RefusesNonsenseByName) {
  World world;
  const BodyId ground = add_ground(world);
  const BodyId ball = add_body(world, Sphere(0.5), {0, 0, 2});
  EXPECT_THROW(world.apply_force(99, {1, 0, 0}), InvalidInput);
  EXPECT_THROW(world.apply_force(ball, {NAN, 0, 0}), InvalidInput);
  EXPECT_THROW(world.apply_force(ball, {1, 0, 0}, {INFINITY, 0, 0}), InvalidInput);
  EXPECT_THROW(world.apply_torque(ball, {0, NAN, 0}), InvalidInput);
  world.apply_force(ground, {1e300, 0, 0});  // nothing moves it
  world.step();

  const auto refused = [&] {
    const WorldState before = world.save();
    const StepFailure failure = world.step().failure;
    if (failure.any()) {
      EXPECT_EQ(world.save(), before);
      EXPECT_EQ(failure.bodies, std::vector<BodyId>{ball});
    }
    return failure.error;
  };
  world.apply_force(ball, {0, 0, 1e308});
  EXPECT_EQ(refused(), StepError::force);
  EXPECT_EQ(refused(), StepError::force);  // kept
  world.apply_force(ball, {0, 0, -1e308});
  EXPECT_EQ(refused(), StepError::none);
  world.apply_torque(ball, {0, 1e300, 0});
  EXPECT_EQ(refused(), StepError::force);
  world.apply_torque(ball, {0, -1e300, 0});
  EXPECT_EQ(refused(), StepError::none);
}

}  // namespace
}  // namespace tactus::detail
