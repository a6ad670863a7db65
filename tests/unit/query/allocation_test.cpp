// Counts every allocation of this test program.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tactus/query/contacts.hpp"
#include "tactus/query/distance.hpp"
#include "tactus/query/overlap.hpp"
#include "tests/unit/query/random_shapes.hpp"

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

namespace tactus {
namespace {

TEST(Allocation, TheCounterCounts) {
  const long before = allocations;
  const std::vector<int> block(100);
  EXPECT_EQ(allocations - before, 1);
}

TEST(Allocation, NoQueryAllocates) {
  Random random(9);
  const std::vector<Shape> shapes = every_convex_shape(random);
  const Shape pair_of_balls =
      Compound({{Sphere(0.3), Pose()}, {Sphere(0.3), Pose::translation({0.5, 0, 0})}});
  Manifold manifold[8];
  for (int n = 0; n < 500; ++n) {
    const Shape& a = shapes[random.below(static_cast<std::uint32_t>(shapes.size()))];
    const Shape& b = n % 5 == 0 ? pair_of_balls
                                : shapes[random.below(static_cast<std::uint32_t>(shapes.size()))];
    const Pose pa = random_pose(random, 0.5);
    const Pose pb = random_pose(random, 0.5);
    QueryCache cache;
    const long before = allocations;
    distance(a, pa, b, pb, {}, &cache);
    overlap(a, pa, b, pb);
    contacts(a, pa, b, pb, manifold);
    ASSERT_EQ(allocations - before, 0);
  }
}

}  // namespace
}  // namespace tactus
