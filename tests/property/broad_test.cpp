#include "tactus/broad.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tactus/core/random.hpp"

namespace tactus::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3 random_vec(Random& random, double low, double high) {
  return {random.uniform(low, high), random.uniform(low, high), random.uniform(low, high)};
}

BroadEntry random_entry(Random& random, std::uint64_t id, double scale) {
  BroadEntry entry{id, {}};
  entry.box.lower = random_vec(random, -scale, scale);
  entry.box.upper = entry.box.lower + random_vec(random, 0.0, 0.3);
  // Whole coordinates make sides that touch exactly.
  if (random.below(4) == 0) {
    for (int axis = 0; axis < 3; ++axis) {
      entry.box.lower[axis] = std::floor(entry.box.lower[axis]);
      entry.box.upper[axis] = entry.box.lower[axis] + 1.0;
    }
  }
  if (random.below(20) == 0) {
    const int axis = static_cast<int>(random.below(3));
    entry.box.lower[axis] = -kInfinity;
    if (random.below(2) == 0) entry.box.upper[axis] = kInfinity;
  }
  if (random.below(50) == 0)
    entry.box = {{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}};
  return entry;
}

// One sweep-and-prune lives through motion, teleports, stretching along another axis, and changes
// of the set.
TEST(SweepAndPruneProperty, FindsThePairsOfBruteForceThroughItsWholeHistory) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    std::vector<BroadEntry> entries;
    std::uint64_t next_id = 0;
    const double scale = random.uniform(0.5, 3.0);
    for (int i = 0; i < 120; ++i) entries.push_back(random_entry(random, next_id++, scale));
    SweepAndPrune sweep;
    std::vector<BroadPair> found, expected;
    std::size_t pairs_seen = 0;
    for (int step = 0; step < 60; ++step) {
      sweep.find_pairs(entries, found);
      BruteForce().find_pairs(entries, expected);
      ASSERT_EQ(found, expected) << "seed " << seed << " step " << step;
      pairs_seen += found.size();
      for (BroadEntry& entry : entries) {
        const Vec3 shift = random_vec(random, -0.02, 0.02);
        entry.box.lower += shift;
        entry.box.upper += shift;
      }
      const auto victim = random.below(static_cast<std::uint32_t>(entries.size()));
      switch (random.below(8)) {
        case 0:
          entries[victim] = random_entry(random, entries[victim].id, scale);
          break;
        case 1:
          entries.erase(entries.begin() + victim);
          break;
        case 2:
          entries.push_back(random_entry(random, next_id++, scale));
          break;
        case 3:
          std::swap(entries.front(), entries[victim]);
          break;
        case 4: {
          const int axis = static_cast<int>(random.below(3));
          for (BroadEntry& entry : entries) {
            entry.box.lower[axis] *= 2.0;
            entry.box.upper[axis] *= 2.0;
          }
          break;
        }
        case 5:
          for (BroadEntry& entry : entries) entry = random_entry(random, entry.id, scale);
          break;
        default:
          break;
      }
    }
    EXPECT_GT(pairs_seen, 100u);
  }
}

}  // namespace
}  // namespace tactus::detail
