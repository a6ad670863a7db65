#include "tactus/rigid/ranks/partition.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace tactus::detail {
namespace {

/// A body in each of eight by eight columns.
std::vector<Partition::Load> board() {
  std::vector<Columns::Column> columns;
  for (std::int64_t x = 0; x < 8; ++x)
    for (std::int64_t y = 0; y < 8; ++y) columns.push_back({x, y});
  return Partition::loads_of(columns);
}

// A square of two by two columns is not cut where there are enough of them.
TEST(Partition, KeepsSquaresTogether) {
  const Partition partition = Partition::bisect(board(), 16);
  std::set<int> owners;
  for (std::int64_t x = 0; x < 8; ++x) {
    for (std::int64_t y = 0; y < 8; ++y) {
      const int owner = partition.owner({x, y}, 0);
      EXPECT_EQ(owner, partition.owner({x / 2, y / 2}, 1));
      owners.insert(owner);
    }
  }
  EXPECT_EQ(owners.size(), 16u);
}

// With more ranks than squares, each rank owns a column.
TEST(Partition, CutsSquaresWhereRanksWouldOwnNothing) {
  const Partition partition = Partition::bisect(board(), 64);
  std::set<int> owners;
  for (std::int64_t x = 0; x < 8; ++x) {
    for (std::int64_t y = 0; y < 8; ++y) {
      owners.insert(partition.owner({x, y}, 0));
      std::vector<char> marks(64, 0);
      partition.mark_owners({x, y}, {x, y}, marks);
      EXPECT_EQ(marks[static_cast<std::size_t>(partition.owner({x, y}, 0))], 1);
    }
  }
  EXPECT_EQ(owners.size(), 64u);
}

// A column of many bodies weighs as much as many columns of one.
TEST(Partition, WeighsColumnsByTheirBodies) {
  const std::vector<Partition::Load> loads{{{0, 0}, 6}, {{2, 0}, 1}, {{4, 0}, 1}, {{6, 0}, 4}};
  const Partition partition = Partition::bisect(loads, 2);
  EXPECT_EQ(partition.owner({0, 0}, 0), 0);
  for (const std::int64_t x : {2, 4, 6}) EXPECT_EQ(partition.owner({x, 0}, 0), 1);
  EXPECT_EQ(Partition::loads_of({{1, 0}, {0, 5}, {1, 0}}).size(), 2u);
}

}  // namespace
}  // namespace tactus::detail
