#include "tactus/broad.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"

namespace tactus::detail {
namespace {

Vec3 random_vec(Random& random, double low, double high) {
  Vec3 v;
  for (int axis = 0; axis < 3; ++axis) v[axis] = random.uniform(low, high);
  return v;
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

template <class T>
class BroadPhaseProperty : public ::testing::Test {};
using Implementations = ::testing::Types<SweepAndPrune, HashGrid, DynamicTree, AutoBroadPhase>;
TYPED_TEST_SUITE(BroadPhaseProperty, Implementations);

/// A change of one kind to some of the entries, or to all.
void change(Random& random, std::vector<BroadEntry>& entries, double scale,
            std::uint64_t& next_id) {
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

// One broad phase lives through motion, teleports, stretching along another axis, and changes of
// the set.
TYPED_TEST(BroadPhaseProperty, FindsThePairsOfBruteForceThroughItsWholeHistory) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    std::vector<BroadEntry> entries;
    std::uint64_t next_id = 0;
    const double scale = random.uniform(0.5, 3.0);
    for (int i = 0; i < 120; ++i) entries.push_back(random_entry(random, next_id++, scale));
    TypeParam broad;
    std::vector<BroadPair> found, expected;
    std::size_t pairs_seen = 0;
    for (int step = 0; step < 50; ++step) {
      broad.find_pairs(entries, found);
      BruteForce().find_pairs(entries, expected);
      ASSERT_EQ(found, expected) << "seed " << seed << " step " << step;
      pairs_seen += found.size();
      for (BroadEntry& entry : entries) {
        const Vec3 shift = random_vec(random, -0.02, 0.02);
        entry.box.lower += shift;
        entry.box.upper += shift;
      }
      change(random, entries, scale, next_id);
    }
    EXPECT_GT(pairs_seen, 100u);
  }
}

// -------- worlds that strain cells and codes

using World = std::vector<BroadEntry>;

World boxes(Random& random, int count, double extent, double smallest, double largest) {
  World world;
  for (int i = 0; i < count; ++i) {
    const Vec3 lower = random_vec(random, -extent, extent);
    Vec3 sides;
    // Log-uniform by halvings and a rest.
    for (int axis = 0; axis < 3; ++axis) {
      double side = largest * random.uniform(0.5, 1.0);
      for (std::uint32_t k = random.below(40); k > 0 && side > smallest; --k) side *= 0.5;
      sides[axis] = side;
    }
    world.push_back({static_cast<std::uint64_t>(i), {lower, lower + sides}});
  }
  return world;
}

World clusters(Random& random, int count) {
  World world;
  for (int i = 0; i < count; ++i) {
    const double far = 1e6 * random.below(4);
    const Vec3 lower = Vec3{far, -far, 3.0 * far} + random_vec(random, 0.0, 2.0);
    world.push_back({static_cast<std::uint64_t>(i), {lower, lower + Vec3{0.2, 0.2, 0.2}}});
  }
  return world;
}

World diagonal(Random& random, int count) {
  World world;
  for (int i = 0; i < count; ++i) {
    const double along = random.uniform(0.0, 0.4 * count);
    const Vec3 lower{along, along, along};
    world.push_back({static_cast<std::uint64_t>(i), {lower, lower + Vec3{1.0, 1.0, 1.0}}});
  }
  return world;
}

World points(Random& random, int count) {
  World world;
  for (int i = 0; i < count; ++i) {
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis) p[axis] = static_cast<double>(random.below(7)) - 3.0;
    // Zeros of both signs are one place.
    if (random.below(2) == 0) p = -p;
    world.push_back({static_cast<std::uint64_t>(i), {p, p}});
  }
  return world;
}

World same(int count) {
  return World(static_cast<std::size_t>(count), BroadEntry{0, {{1, 2, 3}, {2, 3, 4}}});
}

World extreme(Random& random, int count) {
  World world;
  for (int i = 0; i < count; ++i) {
    constexpr double kSizes[] = {5e-324, 1e-310, 1e-200, 1e-9, 1.0, 1e9, 1e150, 1e300};
    const double size = kSizes[random.below(8)];
    const Vec3 lower = random_vec(random, -2.0, 2.0) * kSizes[random.below(8)];
    world.push_back({static_cast<std::uint64_t>(i), {lower, lower + Vec3{size, size, size}}});
  }
  return world;
}

World sticks(Random& random, int count) {
  World world;
  for (int i = 0; i < count; ++i) {
    const Vec3 lower = random_vec(random, 0.0, 30.0);
    Vec3 sides{0.1, 0.1, 0.1};
    sides[static_cast<int>(random.below(3))] = 20.0;
    world.push_back({static_cast<std::uint64_t>(i), {lower, lower + sides}});
  }
  return world;
}

World outermost(Random& random, int count) {
  World world;
  constexpr double kMost = std::numeric_limits<double>::max();
  for (int i = 0; i < count; ++i) {
    Aabb box;
    for (int axis = 0; axis < 3; ++axis) {
      const double a = random.below(2) == 0 ? -kMost : random.uniform(-1.0, 1.0) * kMost;
      const double b = random.below(2) == 0 ? kMost : random.uniform(-1.0, 1.0) * kMost;
      box.lower[axis] = std::min(a, b);
      box.upper[axis] = std::max(a, b);
    }
    world.push_back({static_cast<std::uint64_t>(i), box});
  }
  return world;
}

std::vector<std::pair<const char*, World>> worlds(Random& random) {
  std::vector<std::pair<const char*, World>> all;
  all.emplace_back("equal", boxes(random, 400, 4.0, 1.0, 1.0));
  all.emplace_back("sizes", boxes(random, 500, 60.0, 1e-9, 20.0));
  all.emplace_back("clusters", clusters(random, 500));
  all.emplace_back("diagonal", diagonal(random, 400));
  all.emplace_back("points", points(random, 300));
  all.emplace_back("same", same(60));
  all.emplace_back("extreme", extreme(random, 300));
  all.emplace_back("sticks", sticks(random, 400));
  all.emplace_back("outermost", outermost(random, 100));
  World mixture;
  for (auto& [name, world] : all) mixture.insert(mixture.end(), world.begin(), world.end());
  all.emplace_back("all of them", mixture);
  // Ids without order.
  for (auto& [name, world] : all) {
    for (std::uint64_t i = 0; i < world.size(); ++i)
      world[i].id = (i * 7919 + 13) % 100003 + (std::uint64_t{1} << 40u);
  }
  return all;
}

TYPED_TEST(BroadPhaseProperty, FindsThePairsOfBruteForceInDegenerateWorlds) {
  Random random(5);
  TypeParam broad;
  std::vector<BroadPair> found, expected;
  for (const auto& [name, world] : worlds(random)) {
    BruteForce().find_pairs(world, expected);
    broad.find_pairs(world, found);
    ASSERT_EQ(found, expected) << name;
    broad.find_pairs(world, found);
    ASSERT_EQ(found, expected) << name << ", again";
  }
}

TEST(BroadPhaseThreads, AnyNumberOfThemGivesTheSameList) {
  Random random(8);
  World world = boxes(random, 40000, 30.0, 1.0, 1.0);
  for (const BroadEntry& far : clusters(random, 20)) {
    world.push_back(far);
    world.back().id += 40000;
  }
  std::vector<BroadPair> one, two, three;
  HashGrid(1).find_pairs(world, one);
  HashGrid(3).find_pairs(world, two);
  EXPECT_EQ(one, two);
  DynamicTree(1).find_pairs(world, two);
  DynamicTree(3).find_pairs(world, three);
  EXPECT_EQ(one, two);
  EXPECT_EQ(one, three);
  EXPECT_GT(one.size(), 5000u);
}

// -------- single questions

TEST(SpatialIndexProperty, TheTreeFindsTheBoxesOfBruteForce) {
  Random random(11);
  for (const auto& [name, world] : worlds(random)) {
    DynamicTree tree;
    BruteForce all;
    tree.update(world);
    all.update(world);
    std::vector<std::uint64_t> found, expected;
    for (int i = 0; i < 100; ++i) {
      Aabb box = world[random.below(static_cast<std::uint32_t>(world.size()))].box;
      if (i % 2 == 0) box.lower = box.upper;
      tree.find_in(box, found);
      all.find_in(box, expected);
      ASSERT_EQ(found, expected) << name;
      EXPECT_FALSE(found.empty()) << name;
    }
  }
}

using Met = std::pair<std::uint64_t, double>;

template <class Index>
std::vector<Met> sweep(const Index& index, const Aabb& box, const Vec3& direction, double max_time,
                       std::size_t most) {
  std::vector<Met> met;
  index.sweep(box, direction, max_time, [&](std::uint64_t id, double time) {
    met.emplace_back(id, time);
    return met.size() < most ? kInfinity : time;
  });
  return met;
}

TEST(SpatialIndexProperty, TheTreeMeetsTheBoxesOfBruteForceInTheirOrder) {
  Random random(12);
  std::size_t met_in_all = 0;
  for (const auto& [name, world] : worlds(random)) {
    DynamicTree tree;
    BruteForce all;
    tree.update(world);
    all.update(world);
    for (int i = 0; i < 150; ++i) {
      const Aabb& start = world[random.below(static_cast<std::uint32_t>(world.size()))].box;
      const Aabb& goal = world[random.below(static_cast<std::uint32_t>(world.size()))].box;
      const bool ray = i % 2 == 0;
      const Aabb box = ray ? Aabb{start.lower, start.lower} : start;
      Vec3 direction = goal.lower * 0.5 - start.lower * 0.5;
      if (i % 5 == 0) direction[static_cast<int>(random.below(3))] = 0.0;
      if (i % 30 == 0) direction = {};
      const double max_time = i % 3 == 0 ? kInfinity : 1.5;
      const std::size_t most = i % 4 == 0 ? 3 : 1u << 30u;
      const auto found = sweep(tree, box, direction, max_time, most);
      ASSERT_EQ(found, sweep(all, box, direction, max_time, most)) << name << ' ' << i;
      EXPECT_FALSE(found.empty()) << name;
      EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](const Met& a, const Met& b) {
        return std::tie(a.second, a.first) < std::tie(b.second, b.first);
      })) << name;
      met_in_all += found.size();
    }
  }
  EXPECT_GT(met_in_all, 3000u);
}

// A ray from the outside to a point of a box meets that box no later than at that point, also when
// the point lies on an edge or a corner.
TEST(SpatialIndexProperty, NoRayToAPointOfABoxMissesIt) {
  Random random(13);
  const World world = boxes(random, 300, 10.0, 0.01, 2.0);
  DynamicTree tree;
  tree.update(world);
  for (int i = 0; i < 3000; ++i) {
    const BroadEntry& entry = world[random.below(300)];
    Vec3 target;
    for (int axis = 0; axis < 3; ++axis) {
      const auto kind = random.below(3);
      target[axis] = kind == 0   ? entry.box.lower[axis]
                     : kind == 1 ? entry.box.upper[axis]
                                 : 0.5 * (entry.box.lower[axis] + entry.box.upper[axis]);
    }
    // Whole sixteenths: the way to the target is exact.
    Vec3 direction;
    for (int axis = 0; axis < 3; ++axis)
      direction[axis] = (static_cast<double>(random.below(33)) - 16.0) / 16.0;
    const Vec3 origin = target - direction;
    const Vec3 way = target - origin;
    double first = kInfinity;
    tree.sweep({origin, origin}, way, kInfinity, [&](std::uint64_t id, double time) {
      if (id == entry.id) first = time;
      return kInfinity;
    });
    ASSERT_LE(first, 1.0 + 1e-12) << i;
  }
}

}  // namespace
}  // namespace tactus::detail
