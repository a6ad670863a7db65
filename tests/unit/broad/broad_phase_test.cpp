#include <gtest/gtest.h>

#include <limits>

#include "tactus/broad.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

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
using Implementations =
    ::testing::Types<BruteForce, SweepAndPrune, HashGrid, DynamicTree, AutoBroadPhase>;
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

// 100 boxes in one place: 4950 pairs, found when they may be, refused when not, and found again.
TYPED_TEST(BroadPhaseTest, TooManyPairsAreRefusedByTheirNumber) {
  std::vector<BroadEntry> entries;
  for (std::uint64_t i = 0; i < 100; ++i) entries.push_back({i, cube(0, 0, 0)});
  std::vector<BroadPair> out;
  this->broad.find_pairs(entries, out, 4950);
  EXPECT_EQ(out.size(), 4950u);
  try {
    this->broad.find_pairs(entries, out, 4949);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "entries: more than 4949 pairs among 100 boxes overlap");
  }
  EXPECT_TRUE(out.empty());
  this->broad.find_pairs(entries, out);
  EXPECT_EQ(out.size(), 4950u);
}

using Met = std::vector<std::pair<std::uint64_t, double>>;

template <class T>
class SpatialIndexTest : public ::testing::Test {
 public:
  SpatialIndexTest() {
    index.update(std::vector<BroadEntry>{
        {7, cube(0, 0, 0)},
        {3, cube(4, 0, 0)},
        {5, cube(4, 0, 0)},
        {1, {{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, -10.0}}}});
  }
  std::vector<std::uint64_t> in(const Aabb& box) const {
    std::vector<std::uint64_t> out{99};
    index.find_in(box, out);
    return out;
  }
  Met sweep(const Aabb& box, const Vec3& direction, double max_time) const {
    Met met;
    index.sweep(box, direction, max_time, [&](std::uint64_t id, double time) {
      met.emplace_back(id, time);
      return kInfinity;
    });
    return met;
  }
  T index;
};
using Indices = ::testing::Types<BruteForce, DynamicTree>;
TYPED_TEST_SUITE(SpatialIndexTest, Indices);

TYPED_TEST(SpatialIndexTest, BoxesComeByIdsTouchingOnesIncluded) {
  EXPECT_EQ(this->in(cube(1, 1, 1, 3.0)), (std::vector<std::uint64_t>{3, 5, 7}));
  EXPECT_EQ(this->in(cube(1, 1, -11, 1.0)), (std::vector<std::uint64_t>{1}));
  EXPECT_TRUE(this->in(cube(2, 0, 0)).empty());
}

// Along x from -2 with twice the unit speed: the first cube at 1, the others at 3, equal times by
// ids.
TYPED_TEST(SpatialIndexTest, ARayMeetsBoxesByTimeThenId) {
  const Aabb point{{-2, 0.5, 0.5}, {-2, 0.5, 0.5}};
  EXPECT_EQ(this->sweep(point, {2, 0, 0}, kInfinity), (Met{{7, 1.0}, {3, 3.0}, {5, 3.0}}));
  EXPECT_EQ(this->sweep(point, {2, 0, 0}, 3.0).size(), 3u);
  EXPECT_EQ(this->sweep(point, {2, 0, 0}, 2.9), (Met{{7, 1.0}}));
  EXPECT_TRUE(this->sweep(point, {-2, 0, 0}, kInfinity).empty());
  EXPECT_TRUE(this->sweep(point, {}, kInfinity).empty());
}

TYPED_TEST(SpatialIndexTest, AMovingBoxMeetsWithItsFrontAndAHalfSpaceToo) {
  EXPECT_EQ(this->sweep(cube(-3, 0.5, 0), {1, 0, 0}, 4.0), (Met{{7, 2.0}}));
  EXPECT_EQ(this->sweep(cube(-3, 0.5, 0), {0, 0, -4}, 4.0), (Met{{1, 2.5}}));
  // It starts in touch.
  EXPECT_EQ(this->sweep(cube(1, 1, 1), {0, 0, 1}, 4.0), (Met{{7, 0.0}}));
}

TYPED_TEST(SpatialIndexTest, WhatTheVisitorReturnsEndsTheSearch) {
  const Aabb point{{-2, 0.5, 0.5}, {-2, 0.5, 0.5}};
  int met = 0;
  this->index.sweep(point, {1, 0, 0}, kInfinity, [&](std::uint64_t, double) {
    ++met;
    return 5.0;
  });
  EXPECT_EQ(met, 1);
}

TYPED_TEST(SpatialIndexTest, BadQuestionsAreRefused) {
  std::vector<std::uint64_t> out;
  const auto visit = [](std::uint64_t, double) { return 0.0; };
  EXPECT_THROW(this->index.find_in({{0, 0, 0}, {0, -1, 0}}, out), InvalidInput);
  EXPECT_THROW(this->index.find_in({{0, 0, 0}, {0, kInfinity, 0}}, out), InvalidInput);
  EXPECT_THROW(this->index.sweep(cube(0, 0, 0), {kInfinity, 0, 0}, 1.0, visit), InvalidInput);
  EXPECT_THROW(this->index.sweep(cube(0, 0, 0), {1, 0, 0}, -1.0, visit), InvalidInput);
}

// Long sticks in all directions: the grid compares each with most others, the tree with few.
TEST(AutoBroadPhase, ChoosesByWhatItMeasures) {
  AutoBroadPhase broad;
  std::vector<BroadPair> out;
  std::vector<BroadEntry> entries;
  broad.find_pairs(entries, out);
  EXPECT_STREQ(broad.chosen(), "sweep");
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const double x = static_cast<double>(i % 10), y = static_cast<double>(i / 10 % 10),
                 z = static_cast<double>(i / 100);
    entries.push_back({i, cube(2.0 * x, 2.0 * y, 2.0 * z)});
  }
  broad.find_pairs(entries, out);
  EXPECT_STREQ(broad.chosen(), "grid");
  for (BroadEntry& entry : entries) {
    const auto i = static_cast<double>(entry.id);
    entry.box = {{0.0, i, 0.0}, {2000.0, i + 0.1, 0.1}};
  }
  broad.find_pairs(entries, out);
  EXPECT_STREQ(broad.chosen(), "grid");
  broad.find_pairs(entries, out);
  EXPECT_STREQ(broad.chosen(), "tree");
  EXPECT_TRUE(out.empty());
}

}  // namespace
}  // namespace tactus::detail
