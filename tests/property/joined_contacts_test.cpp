// Jointed bodies under loads come to rest, their joints hold, and no energy comes from nowhere.
#include <gtest/gtest.h>

#include "tests/support/effort.hpp"
#include "tests/support/jointed_scenes.hpp"

namespace tactus::detail {
namespace {

using test::JointedRun;

constexpr double kRest = 1e-3;   // sizes per second
constexpr double kApart = 1e-3;  // sizes

void expect_at_rest(World& world, const char* what, int seed) {
  const JointedRun seen = test::run_jointed(world, 10.0);
  EXPECT_FALSE(seen.failed) << what << " " << seed;
  EXPECT_LT(seen.apart, kApart) << what << " " << seed;
  EXPECT_LT(seen.speed, kRest) << what << " " << seed;
  // Rounding of the energy, which is some ten thousand joules.
  EXPECT_LT(seen.rise, 1e-6) << what << " " << seed;
}

TEST(JoinedContactsProperty, LevelBridgesRest) {
  TACTUS_LONG_TEST();
  Random random(21);
  for (int seed = 0; seed < test::effort(1); ++seed) {
    World world;
    const int planks = 4 + 2 * static_cast<int>(random.uniform(0.0, 2.999));
    test::add_bridge(world, {planks, 0.0, random.uniform(1.0, 100.0), 0.0});
    expect_at_rest(world, "bridge", seed);
  }
}

TEST(JoinedContactsProperty, TablesRest) {
  Random random(22);
  for (int seed = 0; seed < test::effort(2); ++seed) {
    World world;
    test::add_table(world, random, seed % 2 == 0 ? 0.0 : random.uniform(1.0, 100.0));
    expect_at_rest(world, "table", seed);
  }
}

TEST(JoinedContactsProperty, RagdollsRest) {
  TACTUS_LONG_TEST();
  Random random(23);
  for (int seed = 0; seed < test::effort(1); ++seed) {
    World world;
    test::add_ragdoll(world, random);
    expect_at_rest(world, "ragdoll", seed);
  }
}

}  // namespace
}  // namespace tactus::detail
