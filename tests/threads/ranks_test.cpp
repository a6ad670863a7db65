#include <gtest/gtest.h>

#include "tactus/rigid/body/step_fault.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/local_exchange.hpp"

namespace tactus::detail {
namespace {

/// State hashes after each step.
std::vector<std::uint64_t> hashes_alone(const std::function<World()>& make, int steps) {
  World world = make();
  std::vector<std::uint64_t> result;
  for (int i = 0; i < steps; ++i) {
    world.step();
    result.push_back(world.state_hash());
  }
  return result;
}

void expect_same_on_ranks(const std::function<World()>& make, int steps) {
  const std::vector<std::uint64_t> alone = hashes_alone(make, steps);
  for (const int ranks : {1, 2, 4, 8}) {
    std::vector<std::uint64_t> shared;
    test::run_on_ranks(ranks, [&](Exchange& exchange) {
      World world = make();
      StepUndo::share_out(world, exchange);
      for (int i = 0; i < steps; ++i) {
        world.step();
        const std::uint64_t hash = world.state_hash();
        if (exchange.rank() == 0) shared.push_back(hash);
      }
    });
    for (std::size_t i = 0; i < alone.size(); ++i)
      ASSERT_EQ(alone[i], shared[i]) << ranks << " ranks, step " << i;
  }
}

TEST(Ranks, BallsFallOntoAFloor) {
  expect_same_on_ranks(
      [] {
        WorldSettings settings;
        settings.max_threads = 1;
        World world(settings);
        test::add_ground(world);
        Random random(3);
        for (int i = 0; i < 60; ++i) {
          const double x = random.uniform(-1.5, 1.5), y = random.uniform(-1.5, 1.5);
          const double z = random.uniform(0.3, 2.5);
          test::add_body(world, Sphere(0.2), {x, y, z});
        }
        return world;
      },
      20);
}

TEST(Ranks, MixedBodiesFallIntoABox) {
  expect_same_on_ranks(
      [] {
        WorldSettings settings;
        settings.max_threads = 1;
        World world(settings);
        Material material;
        material.restitution = 0.4;
        test::add_pile(world, 48, 1.4, material);
        return world;
      },
      20);
}

}  // namespace
}  // namespace tactus::detail
