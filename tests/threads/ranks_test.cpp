#include <gtest/gtest.h>

#include <vector>

#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/exchange/local_exchange.hpp"
#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

World bouncing_balls() {
  WorldSettings settings;
  settings.max_threads = 1;
  World world(settings);
  test::add_ground(world);
  Random random(3);
  Material material;
  material.restitution = 0.5;
  for (int i = 0; i < 24; ++i) {
    const double x = random.uniform(-1.2, 1.2), y = random.uniform(-1.2, 1.2);
    const double z = random.uniform(0.25, 0.8);
    test::add_body(world, Sphere(0.2), {x, y, z}, material, {0.0, 0.0, -2.0});
  }
  return world;
}

// Ranks share nothing but the messages that they hand over.
TEST(Ranks, ThreadsAsRanksHaveTheBitsOfOne) {
  const int steps = 4;
  World alone = bouncing_balls();
  for (int i = 0; i < steps; ++i) alone.step();
  for (const int ranks : {2, 4}) {
    run_on_ranks(ranks, [&](Exchange& exchange) {
      World world = bouncing_balls();
      StepUndo::share_out(world, exchange);
      for (int i = 0; i < steps; ++i) world.step();
      const std::size_t known = world.bodies().size();
      const std::uint64_t hash = world.state_hash();
      if (exchange.rank() > 0) return;
      EXPECT_EQ(hash, alone.state_hash()) << ranks;
      // The others are elsewhere.
      if (ranks == 4) {
        EXPECT_LT(known, alone.bodies().size());
      }
    });
  }
}

}  // namespace
}  // namespace tactus::detail
