#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/experiment.hpp"
#include "lab/planar_truth.hpp"
#include "lab/whole.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail::lab {
namespace {

constexpr long double kAny = std::numeric_limits<long double>::infinity();

GridRings square(std::int64_t low, std::int64_t high) {
  return {{{low, low}, {high, low}, {high, high}, {low, high}}};
}

GridRings moved(GridRings rings, std::int64_t x, std::int64_t y) {
  for (GridRing& ring : rings) {
    for (GridPoint& p : ring) p = {p.x + x, p.y + y};
  }
  return rings;
}

TEST(Whole, MultipliesAndSubtracts) {
  const Whole a{Int128{1} << 100}, b{Int128{-3}};
  EXPECT_EQ(sign_of(a * b), -1);
  EXPECT_EQ(to_real(a * a), std::ldexp(1.0L, 200));
  EXPECT_EQ(to_real(a * b), -3 * std::ldexp(1.0L, 100));
  EXPECT_EQ(sign_of(a * a - a * a), 0);
  EXPECT_EQ(sign_of(a * a - (a * a + Whole{Int128{1}})), -1);
}

TEST(PlanarTruth, TrianglesFillARegionWithAHole) {
  GridRings frame = square(0, 8);
  frame.push_back(square(3, 5)[0]);
  EXPECT_EQ(triangles_of(frame).size(), 8U);
  EXPECT_EQ(triangles_of({{{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 4}, {0, 4}}}).size(), 4U);
}

// Both arithmetics, on paper.
TEST(PlanarTruth, KnownAnswers) {
  GridRings frame = square(0, 8);
  frame.push_back(square(3, 5)[0]);
  for (const bool small : {true, false}) {
    EXPECT_TRUE(true_overlap(square(0, 4), moved(square(0, 4), 3, 2), small));
    EXPECT_FALSE(true_overlap(square(0, 4), moved(square(0, 4), 4, 2), small));
    EXPECT_FALSE(true_overlap(square(0, 4), moved(square(0, 4), 4, 4), small));
    EXPECT_TRUE(true_overlap(square(0, 4), square(1, 2), small));
    EXPECT_TRUE(true_overlap(square(0, 4), square(0, 4), small));
    EXPECT_FALSE(true_overlap(frame, square(3, 5), small));
    EXPECT_TRUE(true_overlap(frame, square(2, 5), small));
    EXPECT_EQ(true_depth(square(0, 4), moved(square(0, 4), 3, 2), kAny, small), 1.0L);
    EXPECT_EQ(true_depth(square(0, 4), square(0, 4), kAny, small), 4.0L);
    // One step aside there is room for the small peg, for the exact one there is none.
    GridRings tight = square(0, 8), wide = square(0, 8);
    tight.push_back(square(3, 5)[0]);
    wide.push_back(square(2, 5)[0]);
    EXPECT_EQ(true_depth(wide, moved(square(3, 5), 1, 0), kAny, small), 1.0L);
    EXPECT_EQ(true_depth(tight, moved(square(3, 5), 1, 0), kAny, small), 4.0L);
    EXPECT_EQ(true_depth(tight, moved(square(3, 5), 1, 0), 2.0L, small), kAny);
  }
  EXPECT_EQ(true_distance(square(0, 4), moved(square(0, 4), 7, 8)), 5.0L);
  EXPECT_TRUE(is_simple({{0, 0}, {4, 0}, {4, 4}}));
  EXPECT_FALSE(is_simple({{0, 0}, {4, 4}, {4, 0}, {0, 4}}));
  EXPECT_FALSE(is_simple({{0, 0}, {4, 0}, {2, 0}, {2, 3}}));
}

TEST(PlanarOracle, NothingIsWrong) {
  Settings settings;
  // With fewer rounds, some kind of case would not occur: depths are asked of few.
  settings.pairs = static_cast<std::uint64_t>(std::max(test::effort(200), 150));
  const Report report = run_planar_oracle(settings);
  EXPECT_TRUE(report.ok()) << to_text(report) << to_lines(report.incidents);
  for (const std::vector<Cell>& row : report.tables[0].rows) {
    EXPECT_GT(std::get<double>(row[1]), 0.0);
  }
}

TEST(Tracing, KeepsToKnownOutlines) {
  Settings settings;
  settings.pairs = 1;
  const Report report = run_tracing(settings);
  // Times are the machine's.
  for (const Bar& bar : report.bars) {
    if (bar.name.rfind("milliseconds", 0) == 0) continue;
    EXPECT_TRUE(bar.ok()) << bar.name << ' ' << bar.value;
  }
}

}  // namespace
}  // namespace tactus::detail::lab
