// Saving, continuing, and equal bits.
#include <gtest/gtest.h>

#include <limits>

#include "tactus/query/plan/pair_state.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

World small_pile() {
  World world;
  Material material;
  material.restitution = 0.3;
  material.rolling_friction = material.torsional_friction = 0.02;
  test::add_pile(world, 40, 1.1, material);
  return world;
}

TEST(State, RepeatedRunsGiveTheSameBits) {
  TACTUS_LONG_TEST();
  World first = small_pile(), second = small_pile();
  test::run(first, 1.5);
  test::run(second, 1.5);
  EXPECT_GT(first.statistics().contacts, 30);
  EXPECT_EQ(first.state_hash(), second.state_hash());
  EXPECT_EQ(first.save(), second.save());
}

TEST(State, ContinuedRunGivesTheBitsOfTheStraightOne) {
  World straight = small_pile();
  test::run(straight, 0.8);
  const WorldState half_way = straight.save();
  EXPECT_FALSE(half_way.points.empty());
  test::run(straight, 0.7);
  World continued = small_pile();
  continued.restore(half_way);
  EXPECT_EQ(continued.save(), half_way);
  EXPECT_EQ(continued.state_hash(), hash(half_way));
  test::run(continued, 0.7);
  EXPECT_EQ(continued.step_count(), straight.step_count());
  EXPECT_EQ(continued.state_hash(), straight.state_hash());
}

TEST(State, ContinuesAfterRemovalsAndAdditions) {
  World straight = small_pile();
  test::run(straight, 0.8);
  straight.remove(20);
  test::run(straight, 0.2);
  const WorldState saved = straight.save();
  World continued = small_pile();
  continued.restore(saved);
  EXPECT_FALSE(continued.contains(20));
  EXPECT_EQ(test::add_body(continued, Sphere(0.1), {0, 0, 5}),
            test::add_body(straight, Sphere(0.1), {0, 0, 5}));
  test::run(straight, 0.3);
  test::run(continued, 0.3);
  EXPECT_EQ(continued.state_hash(), straight.state_hash());
}

TEST(State, HashSeesEveryField) {
  World world = small_pile();
  test::run(world, 0.8);
  const WorldState state = world.save();
  const std::uint64_t original = hash(state);
  const auto changed = [&](auto&& change) {
    WorldState copy = state;
    change(copy);
    return hash(copy) != original;
  };
  EXPECT_TRUE(changed([](WorldState& s) { ++s.step; }));
  EXPECT_TRUE(changed([](WorldState& s) { ++s.next_id; }));
  EXPECT_TRUE(changed([](WorldState& s) { s.stiffening += 0.5; }));
  EXPECT_TRUE(changed([](WorldState& s) { s.bodies.pop_back(); }));
  EXPECT_TRUE(changed([](WorldState& s) {
    s.bodies.back().position.x = std::nextafter(s.bodies.back().position.x, 10.0);
  }));
  EXPECT_TRUE(changed([](WorldState& s) { s.bodies.back().orientation.z *= 1.0 + 1e-15; }));
  EXPECT_TRUE(changed([](WorldState& s) { s.bodies.back().angular_velocity.y += 1e-9; }));
  // Which fields a cache holds depends on its pair.
  const auto some_cache = [&](auto&& change) {
    for (std::size_t i = 0; i < state.pairs.size(); ++i) {
      if (changed([&](WorldState& s) { change(warm_start(s.pairs[i].cache)); })) return true;
    }
    return false;
  };
  EXPECT_TRUE(some_cache([](auto& cache) { ++cache.piece_b[0]; }));
  EXPECT_TRUE(some_cache([](auto& cache) { cache.turn.y += 1e-9; }));
  EXPECT_TRUE(some_cache([](auto& cache) { ++cache.surface.place().nearest; }));
  EXPECT_TRUE(changed([](WorldState& s) { ++s.manifolds.back().part_b; }));
  EXPECT_TRUE(changed([](WorldState& s) { s.manifolds.back().rolling_impulse.x += 1.0; }));
  EXPECT_TRUE(changed([](WorldState& s) { ++s.points.back().feature; }));
  EXPECT_TRUE(changed([](WorldState& s) { s.points.back().position.z += 1.0; }));
  EXPECT_TRUE(changed([](WorldState& s) { s.points.back().normal_impulse += 1.0; }));
  EXPECT_TRUE(changed([](WorldState& s) { s.points.back().friction_impulse.x += 1.0; }));
}

TEST(State, DamagedStatesAreRefusedAndChangeNothing) {
  World world = small_pile();
  test::run(world, 0.8);
  const WorldState state = world.save();
  const auto refused = [&](auto&& change) {
    WorldState copy = state;
    change(copy);
    EXPECT_THROW(world.restore(copy), InvalidInput);
    EXPECT_EQ(world.save(), state);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused([](WorldState& s) { s.bodies.back().id = s.next_id; });
  refused([](WorldState& s) { s.stiffening = 2.0 * kMostStiffening; });
  refused([](WorldState& s) { std::swap(s.bodies[0], s.bodies[1]); });
  refused([](WorldState& s) {
    s.next_id += 10;
    s.bodies.back().id += 5;
  });
  refused([&](WorldState& s) { s.bodies[7].position.y = nan; });
  refused([](WorldState& s) { s.bodies[7].orientation = {2.0, 0.0, 0.0, 0.0}; });
  refused([](WorldState& s) { std::swap(s.pairs[0], s.pairs[1]); });
  refused([](WorldState& s) { std::swap(s.pairs[0].body_a, s.pairs[0].body_b); });
  refused([](WorldState& s) { s.pairs.back().count = 1000000; });
  refused([](WorldState& s) { s.manifolds.back().count = 5; });
  refused([](WorldState& s) { s.manifolds.back().first = 1u << 31; });
  refused([&](WorldState& s) { s.points.back().normal_impulse = nan; });
  refused([](WorldState& s) { s.points.back().normal_impulse = -1.0; });
}

}  // namespace
}  // namespace tactus::detail
