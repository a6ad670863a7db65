#include "tactus/dynamics/contact/solver_blocks.hpp"

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
};

/// Across the faces of a space that repeats along x, too, if it does.
Ground random_ground(std::size_t count, double side, double near, std::uint64_t seed,
                     bool periodic = false) {
  Random random(seed);
  Ground ground;
  std::vector<Vec3> centers;
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
  const auto sweep = [&](std::uint32_t i) {
    const ContactPatch& patch = ground.patches[i];
    for (const std::uint32_t body : {patch.body_a, patch.body_b}) {
      if (!(ground.bodies[body].inverse_mass > 0.0)) continue;
      conflicts += earlier.contains(body) ? 1 : 0;
      own.insert(body);
    }
  };
  sweep_all(blocks, sweep, kThreads);
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

TEST(SolverBlocks, APileHasTheSameBitsOnAnyNumberOfThreads) {
  const auto hash_with = [](int threads) {
    WorldSettings settings;
    settings.max_threads = threads;
    World world(settings);
    BodyDefinition floor{HalfSpace({0.0, 0.0, 1.0}, 0.0)};
    floor.type = BodyType::fixed;
    world.add(floor);
    Random random(3);
    for (int i = 0; i < 300; ++i) {
      const double x = i % 10 + 0.1 * random.uniform(), y = i / 10 % 5 + 0.1 * random.uniform();
      const Shape shape = i % 2 == 0 ? Shape(Sphere(0.5)) : Shape(Box({0.8, 0.8, 0.8}));
      world.add({shape, Pose::translation({x, y, 0.55 + 1.05 * (i / 50)})});
    }
    for (int i = 0; i < 30; ++i) world.step();
    EXPECT_GT(world.statistics().contacts, 100);
    return world.state_hash();
  };
  const auto alone = hash_with(1);
  EXPECT_EQ(hash_with(2), alone);
  EXPECT_EQ(hash_with(3), alone);
}

}  // namespace
}  // namespace tactus::detail
