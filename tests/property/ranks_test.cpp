#include "tactus/rigid/ranks/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tactus/character.hpp"
#include "tactus/core/random.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/exchange/local_exchange.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/jointed_scenes.hpp"
#include "tests/support/random_world.hpp"

namespace tactus::detail {
namespace {

using test::RandomWorld;

/// State hashes after each step; `make()` and `disturb(world, step)` do the same on all ranks.
template <class Make, class Disturb>
std::vector<std::uint64_t> hashes_alone(const Make& make, const Disturb& disturb, int steps) {
  World world = make();
  std::vector<std::uint64_t> result;
  for (int i = 0; i < steps; ++i) {
    disturb(world, i);
    world.step();
    result.push_back(world.state_hash());
  }
  return result;
}

template <class Make, class Disturb>
std::vector<std::uint64_t> hashes_on_ranks(const Make& make, const Disturb& disturb, int steps,
                                           int ranks) {
  std::vector<std::uint64_t> result;
  run_on_ranks(ranks, [&](Exchange& exchange) {
    World world = make();
    StepUndo::share_out(world, exchange);
    for (int i = 0; i < steps; ++i) {
      disturb(world, i);
      world.step();
      const std::uint64_t hash = world.state_hash();
      if (exchange.rank() == 0) result.push_back(hash);
    }
  });
  return result;
}

const auto in_peace = [](World& /*world*/, int /*step*/) {};

// The bits of a world do not depend on how many ranks share it.
TEST(RanksProperty, RandomWorldsHaveTheBitsOfOneRank) {
  const int steps = 6;
  for (int seed = 1; seed <= test::effort(6); ++seed) {
    const RandomWorld random(static_cast<std::uint64_t>(seed));
    const auto make = [&] { return random.make(); };
    const auto disturb = [&](World& world, int step) { random.disturb(world, step); };
    const int ranks = 2 + 3 * (seed % 3);
    const auto alone = hashes_alone(make, disturb, steps);
    const auto shared = hashes_on_ranks(make, disturb, steps, ranks);
    const auto differs = std::mismatch(alone.begin(), alone.end(), shared.begin()).first;
    EXPECT_EQ(differs, alone.end()) << "seed " << seed << ", " << ranks << " ranks, step "
                                    << differs - alone.begin() << ": " << random.text();
  }
}

// A chain whips, and its steps are taken again on all ranks, also where others have the bodies.
TEST(RanksProperty, WhipsHaveTheBitsOfOneRank) {
  const auto make = [] {
    World world;
    Random random(63);
    test::add_chain(world, 8, JointType::ball, normalized(Vec3{1.0, 0.2, 0.8}));
    for (int i = 0; i < 12; ++i)
      test::add_body(world, Sphere(0.4), {3.0 * i, random.uniform(-0.2, 0.2), -12.0});
    return world;
  };
  const int steps = 150;
  World world = make();
  int refined = 0, last = 0;
  std::vector<std::uint64_t> alone;
  for (int i = 0; i < steps; ++i) {
    const int now = world.step().substeps;
    refined += i > 0 && now >= 2 * last ? 1 : 0;
    last = now;
    alone.push_back(world.state_hash());
  }
  EXPECT_GT(refined, 0);
  EXPECT_EQ(hashes_on_ranks(make, in_peace, steps, 3), alone);
}

/// Presses in a row along x, each with two balls one behind the other, on either side of the border
/// of a column.
World make_presses() {
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  Random random(46);
  for (int i = 0; i < 6; ++i) {
    const Vec3 middle{3.0 * i, 0.0, 0.0};
    for (const double side : {-1.0, 1.0}) {
      BodyDefinition plate{.shape = Box({0.4, 2.0, 2.0})};
      plate.type = BodyType::kinematic;
      plate.pose = Pose::translation(middle + Vec3{0.75 * side, 0.0, 0.0});
      plate.linear_velocity = {-side, 0.0, 0.0};
      world.add(plate);
      test::add_body(world, Sphere(0.25),
                     middle + Vec3{0.26 * side, random.uniform(-0.05, 0.05), 0.0});
    }
  }
  return world;
}

TEST(RanksProperty, CrushedBodiesHaveTheBitsOfOneRank) {
  const int steps = 8;
  const auto alone = hashes_alone(make_presses, in_peace, steps);
  for (const int ranks : {3, 12}) {
    EXPECT_EQ(hashes_on_ranks(make_presses, in_peace, steps, ranks), alone) << ranks;
  }
}

// Who finds the press does not find the other ball of the row: that this one holds it is told.
TEST(RanksProperty, ARowInAPressLiesOnTwoRanks) {
  const auto make = [] {
    WorldSettings settings;
    settings.gravity = {};
    World world(settings);
    // Columns are as wide as 1, and begin a third beside whole numbers.
    const double border = 1.0 / 3.0;
    for (const double side : {-1.0, 1.0}) {
      BodyDefinition plate{.shape = Box({0.4, 2.0, 2.0})};
      plate.type = BodyType::kinematic;
      plate.pose = Pose::translation({border + 0.75 * side, 0.8, 0.0});
      plate.linear_velocity = {-side, 0.0, 0.0};
      world.add(plate);
      test::add_body(world, Sphere(0.25), {border + 0.26 * side, 0.8 + 0.02 * side, 0.0});
    }
    return world;
  };
  const int steps = 8;
  const auto alone = hashes_alone(make, in_peace, steps);
  EXPECT_EQ(hashes_on_ranks(make, in_peace, steps, 2), alone);
  run_on_ranks(2, [&](Exchange& exchange) {
    World world = make();
    StepUndo::share_out(world, exchange);
    for (int i = 0; i < steps; ++i) world.step();
    const RankRegion& region = StepUndo::ranks(world)->region;
    int at_home = 0;
    for (std::size_t i = 0; i < world.bodies().size(); ++i)
      at_home += world.bodies()[i].is_dynamic() && region.is_home(i) ? 1 : 0;
    EXPECT_EQ(at_home, 1) << "rank " << exchange.rank();
  });
}

/// Pairs that touch, or begin or end to, as the ranks keep them in parts; and joints that broke.
struct Told {
  std::vector<std::pair<BodyId, BodyId>> touching, begun, ended;
  std::vector<JointId> broken;
  friend bool operator==(const Told&, const Told&) = default;

  void add(const World& world, bool first) {
    const auto take = [](std::span<const TouchingPair> from, auto& to) {
      for (const TouchingPair& pair : from) to.emplace_back(pair.body_a, pair.body_b);
      std::sort(to.begin(), to.end());
    };
    take(world.touching(), touching);
    take(world.touches_begun(), begun);
    take(world.touches_ended(), ended);
    if (!first) return;
    for (const Joint& joint : world.broken_joints()) broken.push_back(joint.definition.id);
  }
};

// All ranks together tell the touches, those of sensors too, and the broken joints of one rank,
// also where bodies come to a rank within the step.
TEST(RanksProperty, TouchesAndBrokenJointsAreThoseOfOneRank) {
  const int steps = 5, ranks = 3;
  bool any_sensed = false, any_broken = false;
  for (int seed = 41; seed < 41 + test::effort(8); ++seed) {
    const RandomWorld random(static_cast<std::uint64_t>(seed));
    std::vector<Told> alone(steps), shared(steps);
    World whole = random.make();
    for (int i = 0; i < steps; ++i) {
      random.disturb(whole, i);
      whole.step();
      alone[static_cast<std::size_t>(i)].add(whole, true);
      any_broken = any_broken || !whole.broken_joints().empty();
      for (const TouchingPair& pair : whole.touches_begun())
        if (whole.contains(pair.body_a) && whole.contains(pair.body_b))
          any_sensed = any_sensed || whole.body(pair.body_a).is_sensor() ||
                       whole.body(pair.body_b).is_sensor();
    }
    std::mutex adding;
    run_on_ranks(ranks, [&](Exchange& exchange) {
      World world = random.make();
      StepUndo::share_out(world, exchange);
      for (int i = 0; i < steps; ++i) {
        random.disturb(world, i);
        world.step();
        const std::lock_guard lock(adding);
        shared[static_cast<std::size_t>(i)].add(world, exchange.rank() == 0);
      }
    });
    EXPECT_TRUE(alone == shared) << "seed " << seed << ": " << random.text();
  }
  EXPECT_TRUE(any_sensed);
  EXPECT_TRUE(any_broken);
}

// A character walks on any number of ranks as on one: whatever stands in its way.
TEST(RanksProperty, ACharacterMeetsWhatOtherRanksMove) {
  const auto make = [] {
    WorldSettings settings;
    settings.max_threads = 1;
    World world(settings);
    test::add_ground(world);
    BodyDefinition walker{Capsule(0.2, 0.6)};
    walker.type = BodyType::kinematic;
    walker.pose = Pose::translation({-1.0, 0.0, 0.51});
    world.add(walker);
    for (int i = 0; i < 8; ++i)
      test::add_body(world, Box({0.3, 0.3, 0.3}), {0.4 * i - 0.6, 0.1 * (i % 2), 0.15});
    return world;
  };
  const auto walk = [](World& world, int /*step*/) {
    CharacterController(world, 2).update({{2.0, 0.3, 0.0}, 0.0});
  };
  EXPECT_EQ(hashes_alone(make, walk, 20), hashes_on_ranks(make, walk, 20, 3));
}

// Whatever the cuts, and however they move from step to step.
TEST(RanksProperty, OtherCutsInEveryStep) {
  const int steps = 6, ranks = 4;
  for (int seed = 21; seed < 21 + test::effort(2); ++seed) {
    const RandomWorld random(static_cast<std::uint64_t>(seed));
    const auto make = [&] { return random.make(); };
    const auto cut = [&](World& world, int step) {
      random.disturb(world, step);
      Ranks* const part = StepUndo::ranks(world);
      if (part == nullptr) return;
      Random places(static_cast<std::uint64_t>(100 * seed + step));
      std::vector<Columns::Column> columns(20);
      for (Columns::Column& column : columns) {
        column.x = static_cast<std::int64_t>(places.uniform(-4.0, 4.0));
        column.y = static_cast<std::int64_t>(places.uniform(-4.0, 4.0));
      }
      part->region.set_partition(Partition::bisect(Partition::loads_of(columns), ranks));
    };
    EXPECT_EQ(hashes_alone(make, cut, steps), hashes_on_ranks(make, cut, steps, ranks))
        << random.text();
  }
}

// A load that joints carry makes the steps finer on all ranks alike.
TEST(RanksProperty, BridgeUnderALoad) {
  const auto make = [] {
    WorldSettings settings;
    settings.max_threads = 1;
    World world(settings);
    test::add_bridge(world, {6, 0.05, 3.0, 0.0});
    return world;
  };
  EXPECT_EQ(hashes_alone(make, in_peace, 4), hashes_on_ranks(make, in_peace, 4, 3));
}

// A tower asks for stiffer springs by the sum of its overlaps, which passes from rank to rank.
TEST(RanksProperty, LeaningTowersAndTheirLoads) {
  const auto make = [] {
    WorldSettings settings;
    settings.max_threads = 1;
    World world(settings);
    test::add_ground(world);
    for (int i = 0; i < 12; ++i)
      test::add_body(world, Box({1.0, 0.6, 0.2}), {0.08 * i, 0.0, 0.1 + 0.2 * i});
    return world;
  };
  EXPECT_EQ(hashes_alone(make, in_peace, 8), hashes_on_ranks(make, in_peace, 8, 4));
}

// A step that fails on one rank fails on all, with the same words, and leaves all as they were.
TEST(RanksProperty, AStepThatFailsAnywhereIsUndoneEverywhere) {
  const auto make = [] { return RandomWorld(3).make(); };
  const auto disturb = [](World& world, int step) {
    const BodyId body = world.settings().sleep_time > 0.0 ? 3 : 4;
    if (step == 2) world.set_velocity(body, {1e9, 0.0, 0.0}, {});
    if (step == 4) world.set_velocity(body, {0.5, 0.0, 0.0}, {});
  };
  const int steps = 6;
  World alone = make();
  std::vector<std::string> failures;
  for (int i = 0; i < steps; ++i) {
    disturb(alone, i);
    failures.push_back(to_text(alone.step().failure));
  }
  EXPECT_NE(failures[2], failures[0]);
  run_on_ranks(4, [&](Exchange& exchange) {
    World world = make();
    StepUndo::share_out(world, exchange);
    for (int i = 0; i < steps; ++i) {
      disturb(world, i);
      EXPECT_EQ(to_text(world.step().failure), failures[static_cast<std::size_t>(i)]);
    }
    EXPECT_EQ(world.state_hash(), alone.state_hash());
  });
}

bool same_contacts(std::span<const Contact> x, std::span<const Contact> y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Contact& a, const Contact& b) {
    return std::tie(a.body_a, a.body_b, a.point, a.normal, a.depth, a.normal_impulse,
                    a.friction_impulse) == std::tie(b.body_a, b.body_b, b.point, b.normal, b.depth,
                                                    b.normal_impulse, b.friction_impulse);
  });
}

// Ranks that collect a world have its contacts too, in the order of one rank.
TEST(RanksProperty, CollectedContactsAreThoseOfOneRank) {
  const int steps = 5;
  for (int seed = 61; seed < 61 + test::effort(3); ++seed) {
    const RandomWorld random(static_cast<std::uint64_t>(seed));
    World whole = random.make();
    std::vector<std::vector<Contact>> alone;
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < steps; ++i) {
      random.disturb(whole, i);
      whole.step();
      alone.emplace_back(whole.contacts().begin(), whole.contacts().end());
      hashes.push_back(whole.state_hash());
    }
    run_on_ranks(3, [&](Exchange& exchange) {
      World world = random.make();
      StepUndo::share_out(world, exchange);
      for (int i = 0; i < steps; ++i) {
        random.disturb(world, i);
        world.step();
        if (i % 2 == 1) continue;
        StepUndo::collect(world);
        EXPECT_TRUE(same_contacts(world.contacts(), alone[static_cast<std::size_t>(i)]))
            << "seed " << seed << ", step " << i << ": " << random.text();
        EXPECT_EQ(world.state_hash(), hashes[static_cast<std::size_t>(i)]);
      }
    });
  }
}

// Bodies, contacts and states to be written come to the first rank alone, whatever is asked before
// and after it.
TEST(RanksProperty, TheFirstRankAloneHasWhatItWrites) {
  const RandomWorld random(7);
  const int steps = 4, ranks = 3;
  World whole = random.make();
  std::vector<std::vector<Contact>> contacts;
  std::vector<WorldState> states;
  const auto change = [&](World& world, int step) {
    random.disturb(world, step);
    if (step == 2) world.set_velocity(world.bodies().back().id(), {0.1, 0.0, 0.0}, {});
  };
  for (int i = 0; i < steps; ++i) {
    change(whole, i);
    whole.step();
    contacts.emplace_back(whole.contacts().begin(), whole.contacts().end());
    states.push_back(whole.save());
  }
  ASSERT_FALSE(contacts.back().empty());
  run_on_ranks(ranks, [&](Exchange& exchange) {
    const bool first = exchange.rank() == 0;
    World world = random.make();
    StepUndo::share_out(world, exchange);
    for (int i = 0; i < steps; ++i) {
      const auto k = static_cast<std::size_t>(i);
      // All have the whole world, also where the first rank alone has seen it last.
      if (i == 2) StepUndo::collect(world);
      change(world, i);
      world.step();
      EXPECT_EQ(world.state_hash(), hash(states[k]));
      const std::size_t known = world.bodies().size();
      StepUndo::collect_on_first(world);
      StepUndo::collect_on_first(world);
      const WorldState state = world.save();
      EXPECT_EQ(world.state_hash(), hash(states[k]));
      if (first) {
        EXPECT_TRUE(state == states[k]) << i;
        EXPECT_TRUE(same_contacts(world.contacts(), contacts[k])) << i;
        ASSERT_EQ(world.bodies().size(), states[k].bodies.size());
        for (std::size_t b = 0; b < state.bodies.size(); ++b)
          EXPECT_TRUE(world.bodies()[b].motion() == states[k].bodies[b]);
      } else {
        EXPECT_EQ(world.bodies().size(), known);
        EXPECT_LE(state.bodies.size(), known);
      }
      if (i != 1) continue;
      StepUndo::collect(world);
      EXPECT_TRUE(same_contacts(world.contacts(), contacts[k]));
      EXPECT_TRUE(world.save() == states[k]);
      StepUndo::collect_on_first(world);
    }
  });
}

// Statistics are those of the whole world; a state that is saved continues on any number of ranks.
TEST(RanksProperty, StatisticsAndStatesAreThoseOfOneRank) {
  const auto make = [] { return RandomWorld(5).make(); };
  World alone = make();
  for (int i = 0; i < 5; ++i) alone.step();
  WorldState middle;
  run_on_ranks(3, [&](Exchange& exchange) {
    World world = make();
    StepUndo::share_out(world, exchange);
    for (int i = 0; i < 5; ++i) world.step();
    const StepStatistics &s = world.statistics(), &t = alone.statistics();
    EXPECT_EQ(s.bodies, t.bodies);
    EXPECT_EQ(s.moving, t.moving);
    EXPECT_EQ(s.asleep, t.asleep);
    EXPECT_EQ(s.candidate_pairs, t.candidate_pairs);
    EXPECT_EQ(s.contacts, t.contacts);
    EXPECT_EQ(s.contact_points, t.contact_points);
    EXPECT_EQ(s.mean_relative_penetration, t.mean_relative_penetration);
    EXPECT_EQ(s.kinetic_energy, t.kinetic_energy);
    EXPECT_EQ(s.potential_energy, t.potential_energy);
    EXPECT_EQ(s.rms_relative_speed, t.rms_relative_speed);
    std::vector<BodyId> grains;
    for (const Body& body : alone.bodies()) grains.push_back(body.id());
    EXPECT_THROW(measure_grains(world, grains, 1.0), InvalidInput);
    StepUndo::collect(world);
    EXPECT_TRUE(same_contacts(world.contacts(), alone.contacts()));
    EXPECT_EQ(measure_grains(world, grains, 1.0).stress, measure_grains(alone, grains, 1.0).stress);
    const WorldState state = world.save();
    if (exchange.rank() == 0) middle = state;
  });
  EXPECT_TRUE(middle == alone.save());
  for (int i = 0; i < 3; ++i) alone.step();
  for (const int ranks : {1, 5}) {
    run_on_ranks(ranks, [&](Exchange& exchange) {
      World world = make();
      StepUndo::share_out(world, exchange);
      world.restore(middle);
      for (int i = 0; i < 3; ++i) world.step();
      EXPECT_EQ(world.state_hash(), alone.state_hash()) << ranks;
    });
  }
}

}  // namespace
}  // namespace tactus::detail
