// Walls that keep a force, against the balance of forces and momentum.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tactus/core/random.hpp"
#include "tactus/impulse_world.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/refusal.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::refusal;
using test::run;

BodyDefinition wall(const Shape& shape, const Servo& servo) {
  BodyDefinition body{shape};
  body.type = BodyType::kinematic;
  body.servo = servo;
  return body;
}

/// Force of all contacts of a body along a direction.
double force_on(const World& world, BodyId id, const Vec3& direction) {
  double sum = 0.0;
  for (const Contact& c : world.contacts()) {
    if (c.body_a != id && c.body_b != id) continue;
    const Vec3 on_b =
        (c.normal * c.normal_impulse + c.friction_impulse) * (1.0 / world.contact_time());
    sum += dot(direction, c.body_b == id ? on_b : -on_b);
  }
  return sum;
}

/// Loose balls on a floor below a wall that presses on them, in a space that repeats level.
struct Pack {
  explicit Pack(double force, int max_threads = 0, int side = 4)
      : world(settings(side, max_threads)) {
    BodyDefinition plane{HalfSpace({0, 0, 1}, 0.0)};
    plane.type = BodyType::fixed;
    floor = world.add(plane);
    Random random(7);
    for (int i = 0; i < side * side * side; ++i) {
      const int row = i / side;
      const double x = random.uniform(0.0, 0.02), y = random.uniform(0.0, 0.02);
      const BodyId ball =
          add_body(world, Sphere(0.05),
                   {0.11 * (i % side) + x, 0.11 * (row % side) + y, 0.06 + 0.11 * (row / side)});
      weight += 9.81 * world.body(ball).mass().mass;
    }
    lid = world.add(wall(HalfSpace({0, 0, -1}, -0.13 * side), {{0, 0, -2}, force, 0.2}));
  }
  static WorldSettings settings(int side, int max_threads) {
    WorldSettings settings;
    settings.max_threads = max_threads;
    settings.periodic[0] = settings.periodic[1] = PeriodicAxis{0.0, 0.12 * side};
    return settings;
  }
  World world;
  BodyId floor = kNoBody, lid = kNoBody;
  double weight = 0.0;
};

TEST(Servo, APackBearsTheForceOfItsWallAndItsOwnWeight) {
  for (const double times : {0.5, 5.0}) {
    Pack pack(1.0);
    const double force = times * pack.weight;
    pack.world.set_servo(pack.lid, Servo{{0, 0, -1}, force, 0.2});
    run(pack.world, 6.0);
    ASSERT_EQ(pack.world.servos().size(), 1U);
    const ServoReading& reading = pack.world.servos()[0];
    EXPECT_EQ(reading.body, pack.lid);
    EXPECT_NEAR(reading.load, force, 1e-3 * force);
    EXPECT_NEAR(reading.load, force_on(pack.world, pack.lid, {0, 0, 1}), 1e-9 * force);
    EXPECT_NEAR(force_on(pack.world, pack.floor, {0, 0, -1}), force + pack.weight, 1e-3 * force);
    EXPECT_LT(std::fabs(reading.speed), 1e-4);
    EXPECT_EQ(reading.position, -pack.world.body(pack.lid).center_of_mass().z);
    EXPECT_LT(pack.world.body(pack.lid).center_of_mass().z, -0.02);
  }
}

TEST(Servo, WhatPressesNothingMovesAtItsMaxSpeedOrAcceleratesByItsMass) {
  World world;
  const BodyId light = world.add(wall(Box({1, 1, 0.1}), {{3, 0, 0}, 2.0, 0.5}));
  const BodyId idle = world.add(wall(Box({1, 1, 0.1}), {{0, 1, 0}, 0.0, 0.5}));
  const BodyId heavy = world.add(wall(Box({1, 1, 0.1}), {{0, 0, 1}, 2.0, 0.5, 8.0}));
  world.set_pose(idle, Pose::translation({0, 5, 0}));
  world.set_pose(heavy, Pose::translation({0, 9, 0}));
  world.set_velocity(light, {0, 0.25, 0}, {});
  for (int i = 0; i < 30; ++i) require_done(world.step());
  // A twentieth of it in each step.
  EXPECT_EQ(world.body(light).linear_velocity(), (Vec3{0.5, 0.25, 0}));
  EXPECT_EQ(world.body(idle).linear_velocity(), Vec3{});
  // v' = v + (F / m) (1 - v / v_max) dt.
  const double left = std::pow(1.0 - 2.0 / (8.0 * 0.5 * 60.0), 30);
  EXPECT_NEAR(world.body(heavy).linear_velocity().z, 0.5 * (1.0 - left), 1e-12);
}

TEST(Servo, ALiftStandsUnderItsLoadAndRisesBySpeedAsItHasForceToSpare) {
  for (const double times : {1.0, 2.0, 4.0}) {
    World world;
    const BodyId load = add_body(world, Box({0.5, 0.5, 0.5}), {0, 0, 0.3});
    const double weight = 9.81 * world.body(load).mass().mass;
    world.add(wall(Box({1, 1, 0.1}), {{0, 0, 1}, times * weight, 0.02}));
    run(world, 8.0);
    EXPECT_NEAR(world.servos()[0].load, weight, 1e-3 * weight);
    // F (1 - v / v_max) = weight.
    EXPECT_NEAR(world.body(load).linear_velocity().z, 0.02 * (1.0 - 1.0 / times), 1e-5);
  }
}

TEST(Servo, ALiftThatMayBeFastThrowsOffNothing) {
  for (const double fastest : {0.1, 0.2, 0.5}) {
    World world;
    const BodyId load = add_body(world, Box({1, 1, 1}), {0, 0, 0.6});
    const double weight = 9.81 * world.body(load).mass().mass;
    const BodyId lift = world.add(wall(Box({2, 2, 0.1}), {{0, 0, 1}, 2.0 * weight, fastest}));
    run(world, 3.0);
    EXPECT_NEAR(world.servos()[0].load, weight, 1e-3 * weight) << fastest;
    EXPECT_NEAR(world.body(load).linear_velocity().z, world.body(lift).linear_velocity().z, 1e-3);
    EXPECT_GT(world.body(load).linear_velocity().z, 0.01);
  }
}

TEST(Servo, AnImpactGivesTheWallTheMomentumOfTheBody) {
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  Material material;
  material.restitution = 0.5;
  const BodyId ball = add_body(world, Sphere(0.2), {0, 0, 0.5}, material, {0, 0, -4});
  const double mass = world.body(ball).mass().mass;
  const BodyId plate = world.add(wall(Box({1, 1, 0.1}), {{0, 0, 1}, 0.0, 5.0, 20.0 * mass}));
  run(world, 0.3);
  EXPECT_NEAR(world.body(ball).linear_velocity().z, 2.0, 1e-9);
  EXPECT_NEAR(world.body(plate).linear_velocity().z, -6.0 / 20.0, 1e-9);
}

TEST(Servo, NoBitDependsOnThreadsOrOnASaveBetween) {
  Pack one(200.0, 1, 6), many(200.0, 4, 6), continued(200.0, 0, 6);
  run(one.world, 0.8);
  run(many.world, 0.4);
  const WorldState half = many.world.save();
  run(many.world, 0.4);
  EXPECT_EQ(one.world.state_hash(), many.world.state_hash());
  continued.world.restore(half);
  EXPECT_TRUE(continued.world.servos().empty());
  run(continued.world, 0.4);
  EXPECT_EQ(one.world.state_hash(), continued.world.state_hash());
  EXPECT_TRUE(std::equal(one.world.servos().begin(), one.world.servos().end(),
                         continued.world.servos().begin(), continued.world.servos().end()));
}

TEST(Servo, AFailedStepLeavesTheReading) {
  Pack pack(100.0);
  run(pack.world, 0.1);
  const ServoReading before = pack.world.servos()[0];
  const BodyId fast = add_body(pack.world, Sphere(0.05), {0.1, 0.1, 3.0}, {}, {0, 0, 1e9});
  EXPECT_TRUE(pack.world.step().failure.any());
  EXPECT_EQ(pack.world.servos()[0], before);
  pack.world.remove(fast);
  pack.world.remove(pack.lid);
  EXPECT_TRUE(pack.world.servos().empty());
}

TEST(Servo, ItKeepsWithItsBodyWhenTheMaterialChanges) {
  Pack pack(100.0);
  pack.world.set_material(pack.lid, Material{});
  ASSERT_TRUE(pack.world.body(pack.lid).has_servo());
  EXPECT_EQ(pack.world.body(pack.lid).servo(), (Servo{{0, 0, -1}, 100.0, 0.2}));
  pack.world.set_servo(pack.lid, std::nullopt);
  EXPECT_FALSE(pack.world.body(pack.lid).has_servo());
}

TEST(Servo, RefusesWhatItCannotBe) {
  const Servo good{{0, 0, 1}, 1.0, 1.0};
  const auto refused = [](Servo servo, auto field, auto value) {
    servo.*field = value;
    return refusal([&] { validate(servo); });
  };
  EXPECT_EQ(refused(good, &Servo::axis, Vec3{}), "axis: must be finite and not zero");
  EXPECT_EQ(refused(good, &Servo::force, -1.0), "force: must be finite and not negative");
  EXPECT_EQ(refused(good, &Servo::mass, -1.0), "mass: must be finite and not negative");
  EXPECT_EQ(refused(good, &Servo::max_speed, 0.0), "max_speed: must be finite and positive");
  World world;
  BodyDefinition body = wall(Sphere(1.0), good);
  body.type = BodyType::fixed;
  EXPECT_EQ(refusal([&] { world.add(body); }), "servo: is for kinematic bodies");
  Servo bad = good;
  bad.force = -2.0;
  EXPECT_EQ(refusal([&] { world.add(wall(Sphere(1.0), bad)); }),
            "servo.force: must be finite and not negative");
  ImpulseWorld impulses;
  EXPECT_EQ(refusal([&] { impulses.add(wall(Sphere(1.0), good)); }),
            "servo: is not for a world that moves by impulses");
}

}  // namespace
}  // namespace tactus::detail
