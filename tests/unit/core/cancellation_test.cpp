#include "tactus/core/cancellation.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "tactus/core.hpp"

namespace tactus::detail {
namespace {

std::atomic<int> asked = 0, most_asked = 0;
bool ask() { return ++asked >= most_asked; }

TEST(Cancellation, EndsNothingWithoutOne) {
  EXPECT_EQ(current_cancellation(), nullptr);
  EXPECT_FALSE(is_work_cancelled());
  EXPECT_NO_THROW(end_if_cancelled());
}

TEST(Cancellation, StaysOnceItWasAsked) {
  asked = 0, most_asked = 3;
  const Cancellation cancellation(&ask);
  EXPECT_FALSE(is_work_cancelled());
  EXPECT_NO_THROW(end_if_cancelled());
  EXPECT_FALSE(cancellation.is_cancelled());
  EXPECT_TRUE(is_work_cancelled());
  EXPECT_TRUE(cancellation.is_cancelled());
  EXPECT_THROW(end_if_cancelled(), Cancelled);
  EXPECT_EQ(asked, 3);
}

TEST(Cancellation, TheInnermostIsAsked) {
  asked = 0, most_asked = 1;
  const Cancellation outer([] { return false; });
  {
    const Cancellation inner(&ask);
    EXPECT_TRUE(is_work_cancelled());
  }
  EXPECT_FALSE(is_work_cancelled());
  EXPECT_EQ(current_cancellation(), &outer);
}

// The loop ends on all threads, soon after its caller has asked.
TEST(Cancellation, EndsParallelLoops) {
  for (const int threads : {1, 2, 4}) {
    asked = 0, most_asked = 5;
    std::atomic<int> done = 0;
    const Cancellation cancellation(&ask);
    EXPECT_THROW(parallel_for(
                     1'000'000, 1, [&](std::size_t, std::size_t) { ++done; }, threads),
                 Cancelled)
        << threads;
    EXPECT_LT(done, 1'000'000) << threads;
    EXPECT_TRUE(threads != 1 || done == 4) << done;
  }
  EXPECT_EQ(current_cancellation(), nullptr);
}

}  // namespace
}  // namespace tactus::detail
