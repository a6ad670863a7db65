#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/local_exchange.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_world.hpp"

namespace tactus::detail {
namespace {

using test::RandomWorld;

std::vector<std::uint64_t> hashes_alone(const RandomWorld& random, int steps) {
  World world = random.make();
  std::vector<std::uint64_t> result;
  for (int i = 0; i < steps; ++i) {
    random.disturb(world, i);
    world.step();
    result.push_back(world.state_hash());
  }
  return result;
}

std::vector<std::uint64_t> hashes_on_ranks(const RandomWorld& random, int steps, int ranks) {
  std::vector<std::uint64_t> result;
  test::run_on_ranks(ranks, [&](Exchange& exchange) {
    World world = random.make();
    StepUndo::share_out(world, exchange);
    for (int i = 0; i < steps; ++i) {
      random.disturb(world, i);
      world.step();
      const std::uint64_t hash = world.state_hash();
      if (exchange.rank() == 0) result.push_back(hash);
    }
  });
  return result;
}

// The bits of a world do not depend on how many ranks share it.
TEST(RanksProperty, RandomWorldsHaveTheBitsOfOneRank) {
  const int steps = 12;
  const char* first = std::getenv("RANKS_FIRST");
  const int from = first != nullptr ? std::atoi(first) : 1;
  for (int seed = from; seed < from + test::effort(8); ++seed) {
    const RandomWorld random(static_cast<std::uint64_t>(seed));
    const std::vector<std::uint64_t> alone = hashes_alone(random, steps);
    Random chance(static_cast<std::uint64_t>(seed));
    const int ranks = 2 + static_cast<int>(chance.uniform(0.0, 7.0));
    std::vector<std::uint64_t> shared;
    std::string failure;
    try {
      shared = hashes_on_ranks(random, steps, ranks);
    } catch (const std::exception& error) {
      failure = error.what();
    }
    shared.resize(alone.size());
    const auto differs = std::mismatch(alone.begin(), alone.end(), shared.begin()).first;
    EXPECT_EQ(differs, alone.end()) << "seed " << seed << ", " << ranks << " ranks, step "
                                    << differs - alone.begin() << ": " << random.text() << failure;
  }
}

}  // namespace
}  // namespace tactus::detail
