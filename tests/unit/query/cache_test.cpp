// Contents of a cache by kind of pair; a cache survives as bytes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

struct Case {
  Shape a, b;
  std::size_t kind;  // of the variant
};

std::vector<Case> cases(Random& random) {
  const Shape mesh = Mesh(test::bumpy_mesh(3, 0.3, random));
  const Shape hull = random_hull(random, 30), cone = Cone(0.4, 0.8);
  const Shape parts = Compound({{hull, Pose::translation({0.4, 0, 0})},
                                {cone, Pose()},
                                {mesh, Pose::translation({3, 0, 0})}});
  return {{hull, cone, 0}, {mesh, cone, 1}, {mesh, mesh, 2}, {parts, hull, 3}, {parts, parts, 3}};
}

TEST(QueryCache, ClosedFormsLeaveNothing) {
  QueryCache cache;
  distance(Sphere(1.0), Pose(), Box({1, 2, 3}), Pose::translation({3, 0, 0}), {}, &cache);
  distance(Capsule(0.2, 1.0), Pose(), Sphere(1.0), Pose(), {}, &cache);
  contacts(Sphere(1.0), Pose(), HalfSpace({0, 0, 1}, 0.0), Pose(), {}, {}, &cache);
  EXPECT_TRUE(cache.empty());
  EXPECT_LE(sizeof(QueryCache), sizeof(void*));
  EXPECT_LE(sizeof(PairState), 128u);
}

TEST(QueryCache, ComesBackFromItsBytes) {
  Random random(71);
  for (const Case& c : cases(random)) {
    QueryCache cache;
    Pose pose = random_pose(random, 1.5);
    distance(c.a, Pose(), c.b, pose, {}, &cache);
    ASSERT_FALSE(cache.empty());
    EXPECT_EQ(CacheAccess::state(cache).kept.index(), c.kind);
    QueryCache again = QueryCache::from_bytes(cache.to_bytes());
    EXPECT_EQ(again, cache);
    // And goes on with the same bits.
    for (int step = 0; step < 5; ++step) {
      pose = Pose(pose.position() + Vec3{0.01, 0.0, -0.01},
                  normalized(Quat{1.0, 0.01 * step, 0.0, 0.0}));
      const DistanceResult x = distance(c.a, Pose(), c.b, pose, {}, &cache);
      const DistanceResult y = distance(c.a, Pose(), c.b, pose, {}, &again);
      EXPECT_EQ(x.distance, y.distance);
      EXPECT_EQ(x.point_a, y.point_a);
      EXPECT_EQ(x.iterations, y.iterations);
      EXPECT_EQ(again, cache);
    }
  }
  EXPECT_EQ(QueryCache::from_bytes(QueryCache().to_bytes()), QueryCache());
}

// Bytes that were cut, changed or forged are refused, or they cost time and nothing else.
TEST(QueryCache, DamagedBytesNeverChangeTheTruth) {
  Random random(72);
  int refused = 0, taken = 0;
  for (const Case& c : cases(random)) {
    const Pose pose = random_pose(random, 1.5);
    QueryCache cache;
    const DistanceResult truth = distance(c.a, Pose(), c.b, pose, {}, &cache);
    const std::string good = cache.to_bytes();
    for (int i = 0; i < 200; ++i) {
      std::string bad = good;
      if (i % 4 == 0) {
        bad.resize(random.below(static_cast<std::uint32_t>(bad.size())));
      } else {
        for (int k = 0; k <= i % 3; ++k)
          bad[random.below(static_cast<std::uint32_t>(bad.size()))] =
              static_cast<char>(random.below(256));
      }
      try {
        QueryCache forged = QueryCache::from_bytes(bad);
        const DistanceResult r = distance(c.a, Pose(), c.b, pose, {}, &forged);
        EXPECT_LE(r.lower, truth.upper);
        EXPECT_GE(r.upper, truth.lower);
        ++taken;
      } catch (const InvalidInput&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 200);
  EXPECT_GT(taken, 200);
}

TEST(QueryCache, OfAnotherPairIsMadeAnew) {
  Random random(73);
  const std::vector<Case> all = cases(random);
  for (const Case& first : all) {
    for (const Case& second : all) {
      const Pose pose = random_pose(random, 1.5);
      QueryCache cache;
      distance(first.a, Pose(), first.b, pose, {}, &cache);
      const DistanceResult r = distance(second.a, Pose(), second.b, pose, {}, &cache);
      const DistanceResult truth = distance(second.a, Pose(), second.b, pose);
      EXPECT_LE(r.lower, truth.upper);
      EXPECT_GE(r.upper, truth.lower);
    }
  }
}

}  // namespace
}  // namespace tactus::detail
