#include <gtest/gtest.h>

#include <limits>

#include "tactus/broad.hpp"

namespace tactus::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
class BroadPhaseTest : public ::testing::Test {
 public:
  std::vector<BroadPair> pairs(const std::vector<BroadEntry>& entries) {
    // Left-overs in the list must not survive.
    std::vector<BroadPair> out{{99, 100}};
    broad.find_pairs(entries, out);
    return out;
  }
  T broad;
};
using Implementations = ::testing::Types<BruteForce, SweepAndPrune>;
TYPED_TEST_SUITE(BroadPhaseTest, Implementations);

Aabb cube(double x, double y, double z, double size = 1.0) {
  return {{x, y, z}, {x + size, y + size, z + size}};
}

TYPED_TEST(BroadPhaseTest, NothingGivesNothing) {
  EXPECT_TRUE(this->pairs({}).empty());
  EXPECT_TRUE(this->pairs({{7, cube(0, 0, 0)}}).empty());
}

TYPED_TEST(BroadPhaseTest, PairsComeOrderedByIdsWhateverTheInputOrder) {
  const std::vector<BroadEntry> entries{
      {5, cube(0.0, 0, 0)}, {2, cube(0.5, 0, 0)}, {9, cube(0.7, 0.5, 0)}, {1, cube(9, 0, 0)}};
  EXPECT_EQ(this->pairs(entries), (std::vector<BroadPair>{{2, 5}, {2, 9}, {5, 9}}));
}

TYPED_TEST(BroadPhaseTest, TouchingSidesCount) {
  EXPECT_EQ(this->pairs({{1, cube(0, 0, 0)}, {2, cube(1, 0, 0)}}).size(), 1u);
  EXPECT_EQ(this->pairs({{1, cube(0, 0, 0)}, {2, cube(std::nextafter(1.0, 2.0), 0, 0)}}).size(),
            0u);
}

TYPED_TEST(BroadPhaseTest, EveryAxisSeparates) {
  EXPECT_TRUE(this->pairs({{1, cube(0, 0, 0)}, {2, cube(2, 0, 0)}}).empty());
  EXPECT_TRUE(this->pairs({{1, cube(0, 0, 0)}, {2, cube(0, 2, 0)}}).empty());
  EXPECT_TRUE(this->pairs({{1, cube(0, 0, 0)}, {2, cube(0, 0, 2)}}).empty());
}

TYPED_TEST(BroadPhaseTest, InfiniteBoxesMeetWhatTheyReach) {
  const Aabb everything{{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}};
  const Aabb ground{{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, 0.0}};
  const std::vector<BroadEntry> entries{
      {1, everything}, {2, ground}, {3, cube(0, 0, -0.5)}, {4, cube(100, 0, 3)}};
  EXPECT_EQ(this->pairs(entries), (std::vector<BroadPair>{{1, 2}, {1, 3}, {1, 4}, {2, 3}}));
}

TYPED_TEST(BroadPhaseTest, SameAnswerAgain) {
  std::vector<BroadEntry> entries{{1, cube(0, 0, 0)}, {2, cube(0.5, 0, 0)}, {3, cube(5, 0, 0)}};
  const auto first = this->pairs(entries);
  EXPECT_EQ(this->pairs(entries), first);
  entries[2].box = cube(0.2, 0, 0);
  EXPECT_EQ(this->pairs(entries).size(), 3u);
}

}  // namespace
}  // namespace tactus::detail
