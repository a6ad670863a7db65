#include "tactus/rigid/solver/solver_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {
namespace {

/// Bodies at random places over a level square, each near its neighbours; body 0 never moves.
struct Ground {
  std::vector<SolverBody> bodies;
  std::vector<ContactPatch> patches;
  std::vector<Vec3> centers;  ///< of the bodies

  bool moves(std::uint32_t body) const { return bodies[body].inverse_mass > 0.0; }
  /// Moving bodies in the slabs without a patch that spans slabs: a part of a sweep has them alone.
  std::vector<std::uint32_t> bodies_in(const SolverBlocks& blocks,
                                       SolverBlocks::Range slabs) const {
    std::set<std::uint32_t> far;
    for (const std::uint32_t i : blocks.far_patches())
      for (const std::uint32_t body : {patches[i].body_a, patches[i].body_b}) far.insert(body);
    std::vector<std::uint32_t> result;
    for (std::uint32_t body = 0; body < bodies.size(); ++body) {
      const std::uint32_t slab = blocks.slab(centers[body]);
      if (moves(body) && !far.contains(body) && slab >= slabs.first && slab < slabs.last)
        result.push_back(body);
    }
    return result;
  }
};

/// Across the faces of a space that repeats along x, too, if it does.
Ground random_ground(std::size_t count, double side, double near, std::uint64_t seed,
                     bool periodic = false) {
  Random random(seed);
  Ground ground;
  std::vector<Vec3>& centers = ground.centers;
  for (std::size_t i = 0; i < count; ++i) {
    SolverBody body;
    body.inverse_mass = i == 0 ? 0.0 : 1.0;
    ground.bodies.push_back(body);
    const double x = random.uniform(0.0, side), y = random.uniform(0.0, 0.5 * side);
    centers.push_back({x, y, random.uniform(0.0, 2.0 * side)});
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t j = i + 1; j < count; ++j) {
      const double way = centers[j].x - centers[i].x;
      const double shift = periodic && i != 0 ? std::remainder(way, side) - way : 0.0;
      const double apart = std::max(std::fabs(way + shift), std::fabs(centers[i].y - centers[j].y));
      if (i != 0 && apart > near) continue;
      ContactPatch patch;
      patch.body_a = i;
      patch.body_b = j;
      patch.center_a = centers[i];
      patch.center_b = centers[j] + Vec3{shift, 0.0, 0.0};
      patch.shift.x = std::fabs(shift) > 0.5 * side ? shift : 0.0;
      ground.patches.push_back(patch);
    }
  }
  return ground;
}

constexpr Vec3 kDown{0.0, 0.0, -9.81};

template <class Sweep>
void sweep_all(const SolverBlocks& blocks, const Sweep& sweep, int threads) {
  blocks.for_each_part(
      [&](std::size_t part) {
        for (const std::uint32_t patch : blocks.patches(part)) sweep(patch);
      },
      threads);
}

TEST(SolverBlocks, EveryPatchIsSweptOnce) {
  for (const std::size_t count : {2u, 20u, 300u}) {
    const Ground ground = random_ground(count, 10.0, 1.0, count);
    SolverBlocks blocks;
    blocks.arrange(ground.patches, ground.bodies, kDown, 1);
    std::vector<int> swept(ground.patches.size(), 0);
    sweep_all(blocks, [&](std::uint32_t patch) { ++swept[patch]; }, 1);
    EXPECT_EQ(std::count(swept.begin(), swept.end(), 1),
              static_cast<std::ptrdiff_t>(ground.patches.size()));
  }
}

/// Runs chunks one after the other, and tells where one starts.
class InTurn : public Executor {
 public:
  explicit InTurn(std::function<void(bool)> starts) : starts_(std::move(starts)) {
    use_executor(this);
  }
  InTurn(const InTurn&) = delete;
  InTurn& operator=(const InTurn&) = delete;
  ~InTurn() override { use_executor(nullptr); }
  void run(std::size_t chunks, const std::function<void(std::size_t)>& chunk, int) override {
    for (std::size_t i = 0; i < chunks; ++i) {
      starts_(i == 0);
      chunk(i);
    }
  }

 private:
  std::function<void(bool)> starts_;  ///< true at the first chunk of a loop
};

void expect_no_shared_body(const Ground& ground) {
  SolverBlocks blocks;
  // As many threads as blocks, so that each is a part.
  constexpr int kThreads = 64;
  blocks.arrange(ground.patches, ground.bodies, kDown, kThreads);
  std::set<std::uint32_t> earlier, own;
  int conflicts = 0, together = 0;
  const InTurn executor([&](bool first) {
    earlier.merge(own);
    own.clear();
    if (first) earlier.clear();
    together += first ? 0 : 1;
  });
  const auto meet = [&](std::uint32_t body) {
    if (!ground.moves(body)) return;
    conflicts += earlier.contains(body) ? 1 : 0;
    own.insert(body);
  };
  blocks.for_each_part(
      [&](std::size_t part) {
        for (const std::uint32_t i : blocks.patches(part))
          for (const std::uint32_t body : {ground.patches[i].body_a, ground.patches[i].body_b})
            meet(body);
        for (const SolverBlocks::Range slabs :
             {blocks.begun(part), blocks.ended(part)[0], blocks.ended(part)[1]})
          for (const std::uint32_t body : ground.bodies_in(blocks, slabs)) meet(body);
      },
      kThreads);
  EXPECT_EQ(conflicts, 0);
  EXPECT_GE(together, 4);
}

TEST(SolverBlocks, BlocksOfOneTurnShareNoMovingBody) {
  expect_no_shared_body(random_ground(400, 12.0, 0.9, 7));
}

TEST(SolverBlocks, NorDoTheyAcrossTheFacesOfAPeriodicSpace) {
  // Slabs little wider than the contacts reach.
  const Ground ground = random_ground(900, 12.0, 0.6, 7, true);
  EXPECT_GT(std::count_if(ground.patches.begin(), ground.patches.end(),
                          [](const ContactPatch& patch) { return patch.shift.x != 0.0; }),
            10);
  expect_no_shared_body(ground);
}

TEST(SolverBlocks, BodiesBeginBeforeTheirFirstPatchAndEndAfterTheLast) {
  for (const std::size_t count : {10u, 60u, 400u, 900u}) {
    for (const int threads : {1, 2, 3, 64}) {
      const Ground ground = random_ground(count, 12.0, 0.8, count, count == 900);
      SolverBlocks blocks;
      blocks.arrange(ground.patches, ground.bodies, kDown, threads);
      enum class State { waits, begun, ended };
      std::vector<State> states(count, State::waits);
      int wrong = 0;
      const auto change = [&](SolverBlocks::Range slabs, State from, State to) {
        for (const std::uint32_t body : ground.bodies_in(blocks, slabs)) {
          wrong += states[body] == from ? 0 : 1;
          states[body] = to;
        }
      };
      std::set<std::uint32_t> in_slabs;
      for (const std::uint32_t body : ground.bodies_in(blocks, {0, blocks.slabs()}))
        in_slabs.insert(body);
      blocks.for_each_part(
          [&](std::size_t part) {
            change(blocks.begun(part), State::waits, State::begun);
            for (const std::uint32_t i : blocks.patches(part)) {
              for (const std::uint32_t body : {ground.patches[i].body_a, ground.patches[i].body_b})
                wrong += in_slabs.contains(body) && states[body] != State::begun ? 1 : 0;
            }
            for (const SolverBlocks::Range& slabs : blocks.ended(part))
              change(slabs, State::begun, State::ended);
          },
          1);
      for (const std::uint32_t body : in_slabs) wrong += states[body] == State::ended ? 0 : 1;
      EXPECT_EQ(wrong, 0) << count << " bodies, " << threads << " threads";
      EXPECT_TRUE(count < 400 || blocks.slabs() >= 4) << blocks.slabs();
      EXPECT_GT(in_slabs.size(), count / 2);
    }
  }
}

TEST(SolverBlocks, WhatStandsOnOneAnotherKeepsItsOrder) {
  // Columns side by side, the patches of each from below.
  std::vector<SolverBody> bodies(1);
  std::vector<ContactPatch> patches;
  for (int column = 0; column < 40; ++column) {
    for (int level = 0; level < 10; ++level) {
      SolverBody body;
      body.inverse_mass = 1.0;
      bodies.push_back(body);
      ContactPatch patch;
      patch.body_b = static_cast<std::uint32_t>(bodies.size() - 1);
      patch.body_a = level == 0 ? 0 : patch.body_b - 1;
      patch.center_a = Vec3{1.0 * column, 0.0, level - 1.0};
      patch.center_b = Vec3{1.0 * column, 0.0, 1.0 * level};
      patches.push_back(patch);
    }
  }
  SolverBlocks blocks;
  blocks.arrange(patches, bodies, kDown, 1);
  std::vector<std::size_t> when(patches.size());
  std::size_t clock = 0;
  sweep_all(blocks, [&](std::uint32_t patch) { when[patch] = clock++; }, 1);
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (i % 10 == 0) continue;
    EXPECT_LT(when[i - 1], when[i]);
  }
}

// With bodies that no part of a sweep has for itself: a plank that reaches over many, a plate that
// is led along under others, and bodies that joints hold.
TEST(SolverBlocks, APileHasTheSameBitsOnAnyNumberOfThreads) {
  const auto hash_with = [](int threads) {
    WorldSettings settings;
    settings.max_threads = threads;
    World world(settings);
    BodyDefinition floor{HalfSpace({0.0, 0.0, 1.0}, 0.0)};
    floor.type = BodyType::fixed;
    world.add(floor);
    BodyDefinition plate{Box({4.0, 4.0, 0.5})};
    plate.type = BodyType::kinematic;
    plate.pose = Pose::translation({5.0, 2.0, 0.26});
    const BodyId led = world.add(plate);
    world.set_velocity(led, {0.2, 0.0, 0.0}, {0.0, 0.0, 0.1});
    Random random(3);
    std::vector<BodyId> ids;
    for (int i = 0; i < 300; ++i) {
      const double x = i % 10 + 0.1 * random.uniform(), y = i / 10 % 5 + 0.1 * random.uniform();
      const Shape shape = i % 2 == 0 ? Shape(Sphere(0.5)) : Shape(Box({0.8, 0.8, 0.8}));
      ids.push_back(world.add({shape, Pose::translation({x, y, 1.1 + 1.05 * (i / 50)})}));
    }
    world.add({Box({9.0, 3.0, 0.3}), Pose::translation({4.5, 2.5, 7.6})});
    for (const std::size_t i : {120u, 122u}) {
      const Body &a = world.body(ids[i]), &b = world.body(ids[i + 1]);
      const Vec3 anchor = (a.center_of_mass() + b.center_of_mass()) * 0.5;
      world.add_joint(joint_at(JointType::ball, a, b, anchor));
    }
    for (int i = 0; i < 45; ++i) world.step();
    EXPECT_GT(world.statistics().contacts, 100);
    return world.state_hash();
  };
  const auto alone = hash_with(1);
  EXPECT_EQ(hash_with(2), alone);
  EXPECT_EQ(hash_with(3), alone);
}

}  // namespace
}  // namespace tactus::detail
