#include "tactus/broad/sweep_observer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "tactus/core/random.hpp"

// The steps that an observer of a sweep is told of are true of the boxes and give the pairs.
namespace tactus::detail {
namespace {

struct Truth : SweepObserver {
  void axis(int chosen, const std::array<double, 3>& variance, bool order_kept) override {
    along = chosen;
    kept = order_kept;
    for (const double v : variance)
      EXPECT_LE(v, 1.5 * variance[static_cast<std::size_t>(chosen)] + 1e-15);
  }
  void moved(std::uint64_t id, std::size_t from, std::size_t to) override {
    EXPECT_LT(to, from);
    ASSERT_EQ(order.at(from), id);
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), id);
  }
  void sorted(std::span<const std::uint64_t> ids) override {
    if (kept) {
      EXPECT_TRUE(std::equal(order.begin(), order.end(), ids.begin(), ids.end()));
    }
    order.assign(ids.begin(), ids.end());
    for (std::size_t i = 1; i < ids.size(); ++i)
      EXPECT_LE(boxes.at(ids[i - 1]).lower[along], boxes.at(ids[i]).lower[along]);
  }
  void reached(std::uint64_t id) override { swept.push_back(id); }
  void compared(std::uint64_t id, std::uint64_t other, bool meet) override {
    EXPECT_EQ(id, swept.back());
    EXPECT_LE(boxes.at(other).lower[along], boxes.at(id).upper[along]);
    EXPECT_EQ(meet, overlaps(boxes.at(id), boxes.at(other)));
    EXPECT_TRUE(pairs.insert({std::min(id, other), std::max(id, other)}).second);
    if (meet) met.push_back({std::min(id, other), std::max(id, other)});
  }
  void passed(std::uint64_t id, std::uint64_t other) override {
    EXPECT_GT(boxes.at(other).lower[along], boxes.at(id).upper[along]);
  }

  std::map<std::uint64_t, Aabb> boxes;
  std::vector<std::uint64_t> order, swept;
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  std::vector<BroadPair> met;
  int along = 0;
  bool kept = false;
};

TEST(SweepObserver, StepsAreTrueAndGiveThePairs) {
  Random random(3, 4);
  ObservedSweep sweep;
  SweepAndPrune plain;
  std::vector<BroadEntry> entries;
  for (std::uint64_t id = 0; id < 40; ++id) {
    const double x = random.uniform(0, 8), y = random.uniform(0, 4), z = random.uniform(0, 1);
    entries.push_back({100 - id, {{x, y, z}, {x + 1, y + 1, z + 1}}});
  }
  std::vector<std::uint64_t> order;
  int kept = 0;
  for (int round = 0; round < 30; ++round) {
    Truth truth;
    truth.order = order;
    for (const BroadEntry& entry : entries) truth.boxes[entry.id] = entry.box;
    std::vector<BroadPair> found, right;
    sweep.find_pairs(entries, found, truth);
    plain.find_pairs(entries, right);
    EXPECT_EQ(found, right);
    BruteForce().find_pairs(entries, right);
    std::sort(truth.met.begin(), truth.met.end());
    EXPECT_EQ(found, right);
    EXPECT_EQ(truth.met, right);
    EXPECT_EQ(truth.swept, truth.order);
    order = truth.order;
    kept += truth.kept ? 1 : 0;
    for (BroadEntry& entry : entries) {
      const Vec3 way{random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0.0};
      entry.box = {entry.box.lower + way, entry.box.upper + way};
    }
  }
  EXPECT_GT(kept, 20);
}

}  // namespace
}  // namespace tactus::detail
