#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <functional>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
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
      if (ranks == 4) {
        EXPECT_LT(world.bodies().size(), alone.bodies().size());
      }
      for (int i = 0; i < steps; ++i) world.step();
      const std::size_t known = world.bodies().size();
      const std::uint64_t hash = world.state_hash();
      if (exchange.rank() > 0) return;
      EXPECT_EQ(hash, alone.state_hash()) << ranks;
      // The others are elsewhere, from the start.
      if (ranks == 4) {
        EXPECT_LT(known, alone.bodies().size());
      }
    });
  }
}

std::string error_of(int ranks, const std::function<void(Exchange&)>& act) {
  try {
    run_on_ranks(ranks, act);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

// Whatever the others wait for.
TEST(Ranks, OneThatFailsEndsAllWithItsMessage) {
  for (const bool all_at_once : {false, true}) {
    std::atomic<int> ended{0};
    const std::string error = error_of(4, [&](Exchange& exchange) {
      std::vector<std::string> messages(1);
      // One that is slow to wake may end in the first call.
      try {
        exchange.any(false);
        if (exchange.rank() == 2) throw std::runtime_error("the disk is full");
        if (all_at_once)
          exchange.any(true);
        else
          exchange.trade(std::vector<int>{}, std::vector<int>{2}, messages);
      } catch (...) {
        ++ended;
        throw;
      }
    });
    EXPECT_EQ(error, "the disk is full");
    EXPECT_EQ(ended, 4);
  }
}

TEST(Ranks, MessagesThatNobodyAwaitsAreErrors) {
  EXPECT_EQ(error_of(2,
                     [](Exchange& exchange) {
                       std::vector<std::string> messages(1, "more");
                       if (exchange.rank() == 0)
                         exchange.trade(std::vector<int>{1}, std::vector<int>{}, messages);
                     }),
            "a rank has sent a message that nobody awaits");
}

/// Memory runs out on this rank when it asks for the `calls`th time what all have.
class ShortOfMemory final : public Exchange {
 public:
  ShortOfMemory(Exchange& between, int calls) : between_(between), calls_(calls) {}

  int rank() const override { return between_.rank(); }
  int ranks() const override { return between_.ranks(); }
  void trade(std::vector<std::string>& messages) override { between_.trade(messages); }
  void trade(std::span<const int> to, std::span<const int> from,
             std::vector<std::string>& messages) override {
    between_.trade(to, from, messages);
  }
  std::vector<std::string> gather(const std::string& mine) override {
    return between_.gather(mine);
  }
  std::vector<std::string> gather_on_first(const std::string& mine) override {
    return between_.gather_on_first(mine);
  }
  double most(double mine) override {
    if (--calls_ == 0) throw std::bad_alloc();
    return between_.most(mine);
  }

 private:
  Exchange& between_;
  int calls_;
};

// A step that cannot be done for want of memory is undone on one rank; of several the others have
// gone on, and all end.
TEST(Ranks, OneWithoutMemoryEndsAll) {
  for (const int calls : {1, 7, 30}) {
    const std::string error = error_of(3, [&](Exchange& exchange) {
      ShortOfMemory short_of(exchange, exchange.rank() == 1 ? calls : -1);
      World world = bouncing_balls();
      StepUndo::share_out(world, short_of);
      for (int i = 0; i < 4; ++i) world.step();
    });
    EXPECT_EQ(error, "out of memory") << calls;
  }
}

}  // namespace
}  // namespace tactus::detail
