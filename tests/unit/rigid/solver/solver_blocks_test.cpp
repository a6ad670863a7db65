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

/// Balls at random places over a level square, each near its neighbours; body 0 never moves.
struct Ground {
  WorldSettings settings;
  std::vector<Body> balls;
  std::vector<SolverBody> bodies;
  std::vector<ContactPatch> patches;
  Columns columns;

  void add(const Vec3& center, double radius) {
    BodyDefinition ball{Sphere(radius), Pose::translation(center)};
    if (balls.empty()) ball.type = BodyType::fixed;
    SolverBody& body = bodies.emplace_back();
    body.inverse_mass = balls.empty() ? 0.0 : 1.0;
    balls.emplace_back(ball);
  }
  void touch(std::uint32_t a, std::uint32_t b, const Vec3& shift = {}) {
    ContactPatch& patch = patches.emplace_back();
    patch.body_a = a;
    patch.body_b = b;
    patch.center_a = balls[a].center_of_mass();
    patch.center_b = balls[b].center_of_mass() + shift;
    patch.shift = shift;
  }
  SolverBlocks blocks(int threads) {
    columns.place(balls, settings);
    SolverBlocks result;
    result.arrange(patches, bodies, columns, threads);
    return result;
  }

  bool moves(std::uint32_t body) const { return bodies[body].inverse_mass > 0.0; }
  /// Moving bodies in the slabs without a far patch: a part of a sweep has them alone.
  std::vector<std::uint32_t> bodies_in(const SolverBlocks& blocks,
                                       SolverBlocks::Range slabs) const {
    std::set<std::uint32_t> far;
    for (const std::uint32_t i : blocks.far_patches())
      for (const std::uint32_t body : {patches[i].body_a, patches[i].body_b}) far.insert(body);
    std::vector<std::uint32_t> result;
    for (std::uint32_t body = 0; body < bodies.size(); ++body) {
      const std::size_t slab = blocks.slab(columns, body);
      if (moves(body) && !far.contains(body) && slab >= slabs.first && slab < slabs.last)
        result.push_back(body);
    }
    return result;
  }
};

enum class Space { open, along_x, along_both };

/// Across the faces of a space that repeats, too. A few of the pairs are far from each other.
Ground random_ground(std::size_t count, double side, double near, std::uint64_t seed,
                     Space space = Space::open) {
  Random random(seed);
  Ground ground;
  const Vec3 period{side, 0.5 * side, 0.0};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(space); ++axis)
    ground.settings.periodic[axis] = PeriodicAxis{0.0, period[static_cast<int>(axis)]};
  for (std::size_t i = 0; i < count; ++i) {
    const double x = random.uniform(0.0, period.x), y = random.uniform(0.0, period.y);
    ground.add({x, y, random.uniform(0.0, 2.0 * side)}, 0.45 * near);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t j = i + 1; j < count; ++j) {
      const Vec3 way = ground.balls[j].center_of_mass() - ground.balls[i].center_of_mass();
      Vec3 shift;
      for (int axis = 0; axis < static_cast<int>(space) && i != 0; ++axis)
        shift[axis] = -std::nearbyint(way[axis] / period[axis]) * period[axis];
      const double apart = std::max(std::fabs(way.x + shift.x), std::fabs(way.y + shift.y));
      const double reach = i % 100 == 1 && j % 40 == 0 ? 8.0 * near : near;
      if (i == 0 || apart <= reach) ground.touch(i, j, shift);
    }
  }
  return ground;
}

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
    Ground ground = random_ground(count, 10.0, 1.0, count);
    const SolverBlocks blocks = ground.blocks(1);
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
    running_ = true;
    for (std::size_t i = 0; i < chunks; ++i) {
      starts_(i == 0);
      chunk(i);
    }
    running_ = false;
  }
  /// A loop of one chunk is no loop.
  bool is_running() const { return running_; }

 private:
  std::function<void(bool)> starts_;  ///< true at the first chunk of a loop
  bool running_ = false;
};

void expect_no_shared_body(Ground ground) {
  // As many threads as blocks, so that each is a part.
  constexpr int kThreads = 1024;
  const SolverBlocks blocks = ground.blocks(kThreads);
  std::set<std::uint32_t> earlier, own;
  int conflicts = 0, together = 0;
  const auto start = [&](bool first) {
    earlier.merge(own);
    own.clear();
    if (first) earlier.clear();
    together += first ? 0 : 1;
  };
  const InTurn executor(start);
  const auto meet = [&](std::uint32_t body) {
    if (!ground.moves(body)) return;
    conflicts += earlier.contains(body) ? 1 : 0;
    own.insert(body);
  };
  blocks.for_each_part(
      [&](std::size_t part) {
        if (!executor.is_running()) start(true);
        for (const std::uint32_t i : blocks.patches(part))
          for (const std::uint32_t body : {ground.patches[i].body_a, ground.patches[i].body_b})
            meet(body);
        for (const SolverBlocks::Range slabs : {blocks.begun(part), blocks.ended(part)})
          for (const std::uint32_t body : ground.bodies_in(blocks, slabs)) meet(body);
      },
      kThreads);
  EXPECT_EQ(conflicts, 0);
  EXPECT_GE(together, 30);
}

TEST(SolverBlocks, BlocksOfOneTurnShareNoMovingBody) {
  expect_no_shared_body(random_ground(400, 12.0, 0.9, 7));
}

TEST(SolverBlocks, NorDoTheyAcrossTheFacesOfAPeriodicSpace) {
  for (const Space space : {Space::along_x, Space::along_both}) {
    // As many columns as their least width allows, or fewer by nearly half.
    for (const double side : {8.0, 12.0, 15.9}) {
      const Ground ground = random_ground(900, side, 0.6, 7, space);
      EXPECT_GT(std::count_if(ground.patches.begin(), ground.patches.end(),
                              [](const ContactPatch& patch) { return patch.shift != Vec3{}; }),
                10);
      expect_no_shared_body(ground);
    }
  }
}

TEST(SolverBlocks, BodiesBeginBeforeTheirFirstPatchAndEndAfterTheLast) {
  for (const std::size_t count : {10u, 60u, 400u, 900u}) {
    for (const int threads : {1, 2, 3, 64}) {
      Ground ground =
          random_ground(count, 12.0, 0.8, count, count == 900 ? Space::along_both : Space::open);
      const SolverBlocks blocks = ground.blocks(threads);
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
            change(blocks.ended(part), State::begun, State::ended);
          },
          1);
      for (const std::uint32_t body : in_slabs) wrong += states[body] == State::ended ? 0 : 1;
      EXPECT_EQ(wrong, 0) << count << " bodies, " << threads << " threads";
      EXPECT_TRUE(count < 400 || threads < 64 || blocks.slabs() >= 10) << blocks.slabs();
      EXPECT_GT(in_slabs.size(), count / 2);
    }
  }
}

TEST(SolverBlocks, WhatStandsOnOneAnotherKeepsItsOrder) {
  // Towers side by side at round places, the patches of each from below.
  Ground ground;
  ground.add({}, 0.3);
  for (int tower = 0; tower < 40; ++tower) {
    for (int level = 0; level < 10; ++level) {
      const double aside = level % 2 == 0 ? 1e-9 : -1e-9;
      ground.add({1.0 * tower + aside, aside, 0.6 * level}, 0.3);
      const auto body = static_cast<std::uint32_t>(ground.bodies.size() - 1);
      ground.touch(level == 0 ? 0 : body - 1, body);
    }
  }
  const SolverBlocks blocks = ground.blocks(1);
  std::vector<std::size_t> when(ground.patches.size());
  std::size_t clock = 0;
  sweep_all(blocks, [&](std::uint32_t patch) { when[patch] = clock++; }, 1);
  for (std::size_t i = 0; i < ground.patches.size(); ++i) {
    if (i % 10 == 0) continue;
    EXPECT_LT(when[i - 1], when[i]);
  }
}

// Which of two patches of a body comes first.
TEST(SolverBlocks, TheOrderOfSomePatchesDoesNotFollowFromOthers) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Ground part = random_ground(300, 9.0, 0.8, seed);
    Ground whole = part;
    // The ground of others, farther along both axes, in between by number, and far above.
    const Ground others = random_ground(700, 30.0, 0.8, 100 + seed);
    const auto first = static_cast<std::uint32_t>(whole.bodies.size());
    for (const Body& ball : others.balls)
      whole.add(ball.center_of_mass() + Vec3{-20.0, 5.0, 1000.0}, 0.36);
    std::vector<std::uint32_t> known;
    whole.patches.clear();
    for (std::size_t i = 0; i < std::max(others.patches.size(), part.patches.size()); ++i) {
      if (i < part.patches.size()) {
        known.push_back(static_cast<std::uint32_t>(whole.patches.size()));
        whole.patches.push_back(part.patches[i]);
      }
      if (i >= others.patches.size()) continue;
      const ContactPatch& patch = others.patches[i];
      if (patch.body_a != 0) whole.touch(first + patch.body_a, first + patch.body_b);
    }
    ASSERT_EQ(known.size(), part.patches.size());
    const auto order = [](Ground ground, int threads) {
      std::vector<std::size_t> when(ground.patches.size());
      std::size_t clock = 0;
      sweep_all(ground.blocks(threads), [&](std::uint32_t i) { when[i] = clock++; }, 1);
      return when;
    };
    const std::vector<std::size_t> alone = order(part, 1);
    for (const int threads : {1, 3}) {
      const std::vector<std::size_t> among = order(whole, threads);
      int other_way = 0;
      for (std::size_t i = 0; i < part.patches.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const ContactPatch &p = part.patches[i], &q = part.patches[j];
          const auto shares = [&](std::uint32_t body) {
            return part.moves(body) && (body == q.body_a || body == q.body_b);
          };
          if (!shares(p.body_a) && !shares(p.body_b)) continue;
          const bool before = alone[j] < alone[i];
          other_way += before == (among[known[j]] < among[known[i]]) ? 0 : 1;
        }
      }
      EXPECT_EQ(other_way, 0);
    }
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
  for (const int threads : {2, 3, 4}) EXPECT_EQ(hash_with(threads), alone);
}

}  // namespace
}  // namespace tactus::detail
