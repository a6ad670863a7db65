// Triangles where a false bound, or a tip that rounding makes longer, shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/effort.hpp"
#include "tests/support/triangle_cases.hpp"

namespace tactus {
namespace {

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

// A needle whose tip an edge passes at a distance that the needle's own rounding spans, while a
// corner hangs over its side: the careful path measures both.
TEST(TriangleBounds, NothingIsNearestBeyondTheTipOfANeedle) {
  Random random(42);
  int careful = 0;
  for (int i = 0; i < test::effort(40000); ++i) {
    const double width = log_uniform(random, -12, -6);
    const Vec3 along = normalized(random_corner(random));
    const Vec3 across = normalized(any_perpendicular(along));
    const Vec3 up = cross(along, across);
    const Vec3 tip = random_corner(random);
    Triangle needle;
    needle.corner[0] = tip;
    needle.corner[1] = tip - along + across * (0.5 * width);
    needle.corner[2] = tip - along - across * (0.5 * width);
    // An edge that crosses the needle's plane beyond the tip; a third corner over its inside.
    const double scale = log_uniform(random, -10, -6);
    const auto part = [&] { return scale * random.uniform(-1.0, 1.0); };
    const double beyond = scale * random.uniform(0.0, 1.0);
    Triangle other;
    const Vec3 crossing = tip + along * beyond + across * (0.1 * part());
    const Vec3 edge = up * random.uniform(0.5, 1.0) + across * random.uniform(-0.2, 0.2);
    other.corner[0] = crossing - edge * std::fabs(part());
    other.corner[1] = crossing + edge;
    other.corner[2] = tip - along * (std::fabs(part()) + beyond) + up * std::fabs(part());
    const TriangleDistance r = triangle_to_triangle(needle, other);
    ASSERT_EQ(r.meets, triangles_meet(needle, other));
    const double truth = TriangleReference::distance(needle, other);
    ASSERT_NEAR(r.distance, truth, 1e-14 * size_of(needle, other)) << i;
    careful += truth > 0.0 && truth < 1e-7;
  }
  EXPECT_GT(careful, 0);
}

}  // namespace
}  // namespace tactus
