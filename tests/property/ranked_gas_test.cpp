#include "tactus/rigid/event/ranked_gas.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/core/random.hpp"
#include "tactus/rigid/exchange/local_exchange.hpp"

namespace tactus::detail {
namespace {

struct Start {
  double edge = 0.0;
  std::vector<Vec3> positions, velocities;
};

/// On a grid, with random velocities; one sphere in a hundred is ten times as fast.
Start grid(int side, double gap, std::uint64_t seed) {
  Random random(seed);
  Start start;
  start.edge = side * gap;
  for (int i = 0; i < side * side * side; ++i) {
    start.positions.push_back(
        {(i % side + 0.5) * gap, (i / side % side + 0.5) * gap, (i / (side * side) + 0.5) * gap});
    Vec3 velocity;
    for (int axis = 0; axis < 3; ++axis) velocity[axis] = random.uniform(-1.0, 1.0);
    start.velocities.push_back(i % 100 == 7 ? velocity * 10.0 : velocity);
  }
  return start;
}

// The spheres of a gas that ranks share fly as those of one rank do, to the last bit: thin, and so
// dense that collisions follow on each other.
TEST(RankedGas, HasTheBitsOfOneRank) {
  for (const double gap : {1.05, 2.0}) {
    const Start start = grid(8, gap, 5);
    SphereGas alone(0.5, start.edge, start.positions, start.velocities);
    for (const double time : {0.7, 1.5}) alone.advance(time);
    ASSERT_GT(alone.collisions(), 200u);
    for (const int ranks : {1, 2, 5, 8}) {
      run_on_ranks(ranks, [&](Exchange& exchange) {
        RankedGas gas(exchange, 0.5, start.edge, start.positions, start.velocities);
        for (const double time : {0.7, 1.5}) gas.advance(time);
        const std::uint64_t collisions = gas.collisions();
        const std::vector<Vec3> velocities = gas.velocities();
        if (exchange.rank() > 0) return;
        EXPECT_EQ(collisions, alone.collisions()) << ranks;
        EXPECT_EQ(velocities, alone.velocities()) << ranks << " ranks, gap " << gap;
        EXPECT_EQ(energy_of(velocities), alone.energy());
        if (ranks == 1) return;
        // Ranks had something to tell each other.
        EXPECT_GT(gas.counts().rounds, gas.counts().windows);
        EXPECT_GT(gas.counts().ghosts, 0u);
      });
    }
  }
}

TEST(RankedGas, RefusesWhatIsNoGas) {
  EXPECT_THROW(run_on_ranks(1, [&](Exchange& exchange) { RankedGas(exchange, 1.0, 5.0, {}, {}); }),
               InvalidInput);
}

// When two spheres meet does not depend on who asks, and when.
TEST(SphereGas, LooksLeaveNoTrace) {
  const Start start = grid(6, 1.3, 9);
  SphereGas at_once(0.5, start.edge, start.positions, start.velocities);
  at_once.advance(2.0);
  SphereGas in_parts(0.5, start.edge, start.positions, start.velocities);
  std::vector<SphereGas::Member> members;
  for (int part = 1; part <= 20; ++part) {
    in_parts.advance(0.1 * part);
    members.clear();
    for (std::uint32_t i = 0; i < in_parts.size(); ++i)
      members.push_back({i, in_parts.flight(i), true});
    // All events are found anew.
    in_parts = SphereGas(0.5, start.edge, members.size(), in_parts.time(), members);
  }
  EXPECT_EQ(in_parts.velocities(), at_once.velocities());
  EXPECT_GT(at_once.collisions(), 100u);
}

}  // namespace
}  // namespace tactus::detail
