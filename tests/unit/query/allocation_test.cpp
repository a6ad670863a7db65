// Counts every allocation of this test program.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tactus/query.hpp"
#include "tests/support/random_shapes.hpp"

namespace {
std::atomic<long> allocations{0};
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace tactus::detail {
namespace {

constexpr int kPosesOfAPair = 12;

/// Every convex kind, a hull that is large enough for climbing, a half-space and compounds.
std::vector<Shape> every_shape(Random& random) {
  std::vector<Shape> shapes = every_convex_shape(random);
  shapes.push_back(random_hull(random, 1000));
  shapes.emplace_back(HalfSpace({0.0, 0.6, 0.8}, 0.1));
  const Shape two =
      Compound({{Sphere(0.3), Pose()}, {Box({0.4, 0.5, 0.6}), Pose::translation({0.5, 0, 0})}});
  shapes.push_back(two);
  shapes.emplace_back(Compound({{two, Pose()}, {Cone(0.3, 0.5), Pose::translation({0, 0.5, 0})}}));
  return shapes;
}

TEST(Allocation, TheCounterCounts) {
  const long before = allocations;
  // Looked at from outside, or a compiler may leave it out.
  std::vector<int> block(100);
  volatile int* const seen = block.data();
  EXPECT_EQ(seen[99], 0);
  EXPECT_EQ(allocations - before, 1);
}

TEST(Allocation, NoQueryOfAnyPairAllocates) {
  Random random(9);
  const std::vector<Shape> shapes = every_shape(random);
  std::vector<Manifold> manifolds(16);
  Derivatives derivatives;
  QueryOptions full;
  full.derivatives = &derivatives;
  full.margin = 0.1;
  full.tolerance = 1e-12;
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      SCOPED_TRACE(std::string(to_string(a.type())) + " " + std::string(to_string(b.type())));
      for (int n = 0; n < kPosesOfAPair; ++n) {
        // Deep, shallow and apart.
        const Pose pa = random_pose(random, 0.1 + 0.1 * n);
        const Pose pb = random_pose(random, 0.1 + 0.1 * n);
        QueryCache cache;
        const auto ask_all = [&](QueryCache* given) {
          for (const QueryOptions& options : {QueryOptions{}, full}) {
            distance(a, pa, b, pb, options, given);
            overlap(a, pa, b, pb, options, given);
            contacts(a, pa, b, pb, manifolds, options, given);
          }
        };
        // A fresh cache allocates, and one of compounds until it has met all pairs of parts that
        // the queries of a round look at, from wherever they begin.
        ask_all(&cache);
        ask_all(&cache);
        cast(a, pa, {1.0, 0.2, 0.1}, b, pb, {0.0, -0.5, 0.3}, {}, &cache);
        const long before = allocations;
        ask_all(nullptr);
        ask_all(&cache);
        cast(a, pa, {1.0, 0.2, 0.1}, b, pb, {0.0, -0.5, 0.3}, {}, &cache);
        ray_cast(a, pa, pb.position() * 3.0, pa.position() - pb.position() * 3.0, 1.0);
        swept_overlap(a, pa, pb, b, pb, pa);
        // Parts wait in a queue.
        const bool parts = a.type() == ShapeType::compound || b.type() == ShapeType::compound;
        if (!parts) impact(a, pa, {{1.0, 0.2, 0.1}, {1, 2, 3}}, b, pb, {{}, {0, 5, 0}}, {}, &cache);
        // The surface that proves the depth of an unknown smooth body may have many corners.
        const bool custom = a.type() == ShapeType::custom || b.type() == ShapeType::custom;
        if (!custom) {
          ASSERT_EQ(allocations - before, 0);
        }
      }
    }
  }
}

TEST(Allocation, NoBatchOnOneThreadAllocates) {
  Random random(10);
  const std::vector<Shape> shapes = every_shape(random);
  std::vector<PlacedShape> bodies;
  std::vector<BroadPair> pairs;
  for (const Shape& shape : shapes) {
    for (std::size_t other = 0; other < bodies.size(); ++other)
      pairs.push_back({other, bodies.size()});
    bodies.push_back({&shape, random_pose(random, 0.4)});
  }
  std::vector<DistanceResult> distances(pairs.size());
  std::vector<OverlapResult> overlaps(pairs.size());
  std::vector<ContactsResult> found(pairs.size());
  std::vector<Manifold> manifolds(pairs.size());
  std::vector<QueryCache> caches(pairs.size());
  BatchOptions options;
  options.caches = caches;
  options.max_threads = 1;
  // Fresh caches allocate: see above.
  for (int round = 0; round < 2; ++round) {
    distance(bodies, pairs, distances, options);
    overlap(bodies, pairs, overlaps, options);
    contacts(bodies, pairs, manifolds, found, options);
  }
  const long before = allocations;
  distance(bodies, pairs, distances, options);
  overlap(bodies, pairs, overlaps, options);
  contacts(bodies, pairs, manifolds, found, options);
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace tactus::detail
