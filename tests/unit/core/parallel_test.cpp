#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tactus/core.hpp"

namespace tactus::detail {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnce) {
  for (const std::size_t count : {0u, 1u, 2u, 63u, 64u, 65u, 1000u}) {
    for (const std::size_t grain : {0u, 1u, 7u, 64u, 5000u}) {
      for (const int threads : {0, 1, 2, 5}) {
        std::vector<int> visits(count, 0);
        parallel_for(
            count, grain,
            [&](std::size_t begin, std::size_t end) {
              for (std::size_t i = begin; i < end; ++i) ++visits[i];
            },
            threads);
        EXPECT_EQ(visits, std::vector<int>(count, 1))
            << count << " by " << grain << " on " << threads;
      }
    }
  }
}

// Runs the last chunk first, on two threads of its own where there are threads.
class Backwards : public Executor {
 public:
  void run(std::size_t chunks, const std::function<void(std::size_t)>& chunk, int) override {
    ++runs;
    const auto last = [&] {
      for (std::size_t i = chunks; i-- > chunks / 2;) chunk(i);
    };
#ifdef __EMSCRIPTEN__
    last();
    for (std::size_t i = chunks / 2; i-- > 0;) chunk(i);
#else
    std::thread other(last);
    for (std::size_t i = chunks / 2; i-- > 0;) chunk(i);
    other.join();
#endif
  }
  int runs = 0;
};

TEST(ParallelFor, RunsOnTheExecutorOfTheProgram) {
  Backwards own;
  use_executor(&own);
  std::vector<int> visits(1000, 0);
  const auto visit = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ++visits[i];
  };
  parallel_for(visits.size(), 10, visit);
  EXPECT_EQ(visits, std::vector<int>(1000, 1));
  EXPECT_EQ(own.runs, 1);
  const auto fail = [&](std::size_t begin, std::size_t) {
    if (begin >= 500) throw InvalidInput("chunk", std::to_string(begin));
  };
  try {
    parallel_for(visits.size(), 10, fail);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.reason(), "500");
  }
  use_executor(nullptr);
  parallel_for(visits.size(), 10, visit);
  EXPECT_EQ(own.runs, 2);
}

TEST(ParallelFor, ChunksDoNotDependOnTheThreads) {
  constexpr std::size_t kCount = 1003;
  constexpr std::size_t kGrain = 10;
  for (const int threads : {0, 1, 2, 8}) {
    std::vector<std::size_t> ends(101, 0);
    parallel_for(
        kCount, kGrain, [&](std::size_t begin, std::size_t end) { ends.at(begin / kGrain) = end; },
        threads);
    for (std::size_t chunk = 0; chunk < ends.size(); ++chunk) {
      EXPECT_EQ(ends[chunk], std::min((chunk + 1) * kGrain, kCount));
    }
  }
}

TEST(ParallelFor, SumsHaveTheSameBitsOnAnyNumberOfThreads) {
  constexpr std::size_t kCount = 20000;
  constexpr std::size_t kGrain = 128;
  const auto sum = [](int threads) {
    std::vector<double> partial((kCount + kGrain - 1) / kGrain, 0.0);
    parallel_for(
        kCount, kGrain,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            partial[begin / kGrain] += std::sqrt(static_cast<double>(i));
        },
        threads);
    return std::accumulate(partial.begin(), partial.end(), 0.0);
  };
  const double serial = sum(1);
  EXPECT_EQ(serial, sum(0));
  EXPECT_EQ(serial, sum(2));
  EXPECT_EQ(serial, sum(7));
}

TEST(ParallelFor, RunsAllChunksAndThrowsTheFirstErrorInIndexOrder) {
  for (const int threads : {0, 1, 2, 8}) {
    std::atomic<int> runs{0};
    try {
      parallel_for(
          100, 1,
          [&](std::size_t begin, std::size_t) {
            ++runs;
            if (begin % 10 == 3) throw std::runtime_error("chunk " + std::to_string(begin));
          },
          threads);
      ADD_FAILURE() << "nothing was thrown on " << threads << " threads";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "chunk 3");
    }
    EXPECT_EQ(runs.load(), 100);
  }
}

TEST(ParallelFor, OneThreadMeansTheCaller) {
  const std::thread::id caller = std::this_thread::get_id();
  parallel_for(
      50, 1, [&](std::size_t, std::size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); }, 1);
}

TEST(ParallelFor, MayBeNested) {
  std::vector<int> visits(400, 0);
  parallel_for(20, 1, [&](std::size_t outer, std::size_t) {
    parallel_for(20, 3, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++visits[20 * outer + i];
    });
  });
  EXPECT_EQ(visits, std::vector<int>(400, 1));
}

}  // namespace
}  // namespace tactus::detail
