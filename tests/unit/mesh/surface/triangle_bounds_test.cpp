// Triangles where a false bound, or a tip that rounding makes longer, shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/effort.hpp"
#include "tests/support/triangle_cases.hpp"

namespace tactus::detail {
namespace {

double farthest(const Triangle& t, const Vec3& n) {
  return std::max({dot(n, t.corner[0]), dot(n, t.corner[1]), dot(n, t.corner[2])});
}

// One triangle right above the other: the direction between the centres shows all of the distance,
// which is known exactly.
TEST(TriangleBounds, WhatIsShownBeyondIsNeverFarther) {
  Random random(41);
  for (int i = 0; i < test::effort(2000); ++i) {
    Triangle a;
    for (Vec3& c : a.corner) {
      // Dyadic, so that moving changes no digit.
      const double x = static_cast<double>(random.below(1u << 20u)) / (1 << 20);
      const double y = static_cast<double>(random.below(1u << 20u)) / (1 << 20);
      c = {x, y, 0.25};
    }
    const double height = std::ldexp(1.0 + random.below(1u << 20u) / 1048576.0, -(i % 12));
    const Triangle b = moved(a, {0, 0, height});
    for (const double near : {1e-6, 1e-9, 1e-12, 0.0}) {
      const double below = height * (1.0 - near), above = height * (1.0 + near);
      const TriangleDistance shown = triangle_to_triangle(a, b, below * below);
      ASSERT_LE(shown.distance, height) << i << " " << near;
      ASSERT_FALSE(triangle_to_triangle(a, b, above * above).beyond) << i << " " << near;
    }
    EXPECT_TRUE(triangle_to_triangle(a, b, 0.25 * height * height).beyond);
  }
}

// Beyond the tip of a needle, by as much as its own rounding spans, a point counts as inside of its
// edges. Corners there, with the rest of their triangle anywhere, near and far.
TEST(TriangleBounds, NothingIsNearestBeyondTheTipOfANeedle) {
  Random random(42);
  for (int i = 0; i < test::effort(30000); ++i) {
    Triangle needle = random_triangle(random), other;
    const double width = log_uniform(random, -17, -5);
    needle.corner[1] = needle.corner[0] + normalized(random_corner(random)) * width;
    const int tip = i % 2 == 0 ? 2 : 0;
    const Vec3 out = normalized(needle.corner[tip] - needle.corner[2 - tip]);
    const double beyond = log_uniform(random, -17, 0);
    other.corner[0] = needle.corner[tip] + out * (beyond * random.uniform());
    for (int k = 1; k < 3; ++k)
      other.corner[k] = other.corner[0] + random_corner(random, i % 3 == 0 ? 1.0 : beyond);
    const TriangleDistance r = triangle_to_triangle(needle, other);
    ASSERT_NEAR(norm(r.b - r.a), r.distance, 1e-14 * size_of(needle, other)) << i;
    // No witness lies farther along a direction than its triangle does.
    for (const Vec3& n : {out, -out, normalized(random_corner(random)), r.n, -r.n}) {
      ASSERT_LE(dot(n, r.a), farthest(needle, n) + 1e-14 * size_of(needle, other)) << i;
      ASSERT_LE(dot(n, r.b), farthest(other, n) + 1e-14 * size_of(needle, other)) << i;
    }
    ASSERT_EQ(r.meets, triangles_meet(needle, other)) << i;
  }
}

}  // namespace
}  // namespace tactus::detail
