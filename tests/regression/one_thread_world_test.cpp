// A world with `max_threads` 1 searched its pairs on all processors, once it had many bodies.
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>

#include "tactus/core.hpp"
#include "tactus/world.hpp"

namespace tactus {
namespace {

/// Counts how often other threads are asked for.
class Counter : public Executor {
 public:
  Counter() { use_executor(this); }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  ~Counter() override { use_executor(nullptr); }
  void run(std::size_t chunks, const std::function<void(std::size_t)>& chunk, int) override {
    ++calls;
    for (std::size_t i = 0; i < chunks; ++i) chunk(i);
  }
  int calls = 0;
};

int calls_with(int max_threads) {
  WorldSettings settings;
  settings.max_threads = max_threads;
  settings.substeps = 1;
  World world(settings);
  for (int i = 0; i < 4096; ++i)
    world.add(
        {Sphere(0.5), Pose::translation({1.5 * (i % 16), 1.5 * (i / 16 % 16), 1.5 * (i / 256)})});
  Counter counter;
  world.step();
  return counter.calls;
}

TEST(OneThreadWorld, AsksForNoOther) {
  EXPECT_EQ(calls_with(1), 0);
  EXPECT_GT(calls_with(2), 0);
}

}  // namespace
}  // namespace tactus
