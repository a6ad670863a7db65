// Approaches without restitution that the solver's rows stop, in place of impacts.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

World heap(double least_impact, double restitution) {
  WorldSettings settings;
  settings.substeps = 4;
  settings.load_overlap = 0.0;
  settings.least_impact = least_impact;
  World world(settings);
  Material material;
  material.restitution = restitution;
  test::add_pile(world, 80, 1.6, material);
  return world;
}

TEST(LeastImpact, AHeapFallsAndRestsWithoutSinkingIn) {
  World exact = heap(0.0, 0.0), world = heap(0.005, 0.0);
  double deepest = 0.0;
  for (int i = 0; i < 600; ++i) {
    exact.step();
    deepest = std::max(deepest, world.step().deepest_relative_penetration);
  }
  EXPECT_NE(exact.state_hash(), world.state_hash());
  EXPECT_LT(deepest, 0.06);
  EXPECT_LT(world.statistics().mean_relative_penetration, 2e-3);
  EXPECT_LT(world.statistics().rms_relative_speed, 0.2);
}

TEST(LeastImpact, WhatBouncesHasTheSameBits) {
  World exact = heap(0.0, 0.5), world = heap(0.005, 0.5);
  test::run(exact, 2.0);
  test::run(world, 2.0);
  EXPECT_EQ(exact.state_hash(), world.state_hash());
}

// In a substep it goes by more than its size: that is an impact as ever.
TEST(LeastImpact, ABulletDoesNotPassAPlate) {
  for (const double speed : {5.0, 50.0, 500.0}) {
    WorldSettings settings;
    settings.substeps = 4;
    settings.gravity = {};
    settings.least_impact = 0.005;
    World world(settings);
    BodyDefinition plate{Box({4, 4, 0.02})};
    plate.type = BodyType::fixed;
    world.add(plate);
    const BodyId id =
        world.add({Sphere(0.1), Pose::translation({0.3, 0.2, 1.0}), {0.0, 0.0, -speed}});
    for (int i = 0; i < 60; ++i) {
      world.step();
      EXPECT_GT(world.body(id).pose().position().z, 0.109) << speed;
    }
    EXPECT_LT(norm(world.body(id).linear_velocity()), 1e-6 * speed) << speed;
  }
}

}  // namespace
}  // namespace tactus::detail
