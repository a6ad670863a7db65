#include "tactus/mesh/surface/triangle_distance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/query.hpp"
#include "tests/support/big_integer.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/triangle_cases.hpp"

namespace tactus::detail {
namespace {

// Error that the header allows, relative to the largest distance of two corners.
constexpr double kBound = 1e-14;

double largest_coordinate(const Triangle& a, const Triangle& b) {
  double largest = 0.0;
  for (const Triangle* t : {&a, &b}) {
    for (const Vec3& c : t->corner) largest = std::max(largest, max_abs(c));
  }
  return largest;
}

// The gap between the triangles along n.
double gap_along(const Triangle& a, const Triangle& b, const Vec3& n) {
  double high = -kInfinity, low = kInfinity;
  for (int i = 0; i < 3; ++i) {
    high = std::max(high, dot(n, a.corner[i] - a.corner[0]));
    low = std::min(low, dot(n, b.corner[i] - a.corner[0]));
  }
  return low - high;
}

void expect_same(const TriangleDistance& r, const TriangleDistance& s) {
  EXPECT_EQ(r.distance, s.distance);
  EXPECT_EQ(r.a, s.a);
  EXPECT_EQ(r.b, s.b);
  EXPECT_EQ(r.n, s.n);
  EXPECT_EQ(r.meets, s.meets);
  EXPECT_EQ(r.unique, s.unique);
}

class TriangleClasses : public testing::TestWithParam<int> {};

TEST_P(TriangleClasses, AgreesWithExtendedPrecision) {
  Random random(17, static_cast<std::uint64_t>(GetParam()));
  for (int i = 0; i < test::effort(3000); ++i) {
    const auto [a, b] = random_pair(random, GetParam());
    const TriangleDistance r = triangle_to_triangle(a, b);
    const double truth = TriangleReference::distance(a, b);
    const double size = size_of(a, b);
    const double rounding = kBound * std::max(size, 0.1 * largest_coordinate(a, b));
    ASSERT_NEAR(r.distance, truth, kBound * size) << i;
    ASSERT_LE(TriangleReference::to_point(r.a, a), rounding) << i;
    ASSERT_LE(TriangleReference::to_point(r.b, b), rounding) << i;
    ASSERT_NEAR(norm(r.b - r.a), r.distance, rounding) << i;
    ASSERT_FALSE(r.beyond);
    ASSERT_EQ(r.meets, triangles_meet(a, b)) << i;
    if (r.meets) {
      ASSERT_EQ(r.distance, 0.0);
      ASSERT_EQ(r.n, Vec3{});
      ASSERT_FALSE(r.unique);
    } else {
      ASSERT_NEAR(norm(r.n), 1.0, 1e-15);
      // Nearly parallel edges leave the common normal some digits fewer.
      ASSERT_GE(gap_along(a, b, r.n), r.distance - 1e-9 * size) << i;
    }
  }
}

TEST_P(TriangleClasses, SwapsBitByBit) {
  Random random(18, static_cast<std::uint64_t>(GetParam()));
  for (int i = 0; i < test::effort(1000); ++i) {
    const auto [a, b] = random_pair(random, GetParam());
    const TriangleDistance r = triangle_to_triangle(a, b);
    TriangleDistance swapped = triangle_to_triangle(b, a);
    std::swap(swapped.a, swapped.b);
    if (!swapped.meets) swapped.n = -swapped.n;
    expect_same(r, swapped);
  }
}

TEST_P(TriangleClasses, MovesWithTheTriangles) {
  Random random(19, static_cast<std::uint64_t>(GetParam()));
  for (int i = 0; i < test::effort(1000); ++i) {
    const auto [a, b] = random_pair(random, GetParam());
    const Pose pose = random_pose(random, 1.0);
    Triangle moved_a, moved_b;
    for (int k = 0; k < 3; ++k) {
      moved_a.corner[k] = pose.to_world(a.corner[k]);
      moved_b.corner[k] = pose.to_world(b.corner[(k + 1) % 3]);
    }
    const double rounding =
        kBound * std::max({1.0, size_of(a, b), largest_coordinate(moved_a, moved_b)});
    const TriangleDistance r = triangle_to_triangle(a, b);
    const TriangleDistance s = triangle_to_triangle(moved_a, moved_b);
    EXPECT_NEAR(r.distance, s.distance, rounding);
  }
}

TEST_P(TriangleClasses, EndsEarlyOnlyBeyondTheBound) {
  Random random(20, static_cast<std::uint64_t>(GetParam()));
  for (int i = 0; i < test::effort(1000); ++i) {
    const auto [a, b] = random_pair(random, GetParam());
    const TriangleDistance r = triangle_to_triangle(a, b);
    const double bound = r.distance * random.uniform(0.0, 1.5);
    const TriangleDistance s = triangle_to_triangle(a, b, bound * bound);
    if (s.beyond) {
      EXPECT_GT(s.distance * s.distance, bound * bound);
      EXPECT_LE(s.distance, TriangleReference::distance(a, b));
    } else {
      expect_same(r, s);
    }
    EXPECT_FALSE(triangle_to_triangle(a, b, r.distance * r.distance * (1.0 + 1e-12)).beyond);
  }
}

TEST_P(TriangleClasses, PointsAndSegmentsAreDegenerateTriangles) {
  Random random(21, static_cast<std::uint64_t>(GetParam()));
  for (int i = 0; i < test::effort(1000); ++i) {
    const auto [a, b] = random_pair(random, GetParam());
    const Vec3& p = a.corner[0];
    const Vec3& q = a.corner[1];
    const Triangle segment{{p, q, q}}, point{{p, p, p}};
    const TriangleDistance to_segment = segment_to_triangle(p, q, b);
    EXPECT_NEAR(to_segment.distance, TriangleReference::distance(segment, b),
                kBound * size_of(segment, b));
    EXPECT_EQ(to_segment.meets, triangles_meet(segment, b));
    const TriangleDistance to_point = point_to_triangle(p, b);
    EXPECT_NEAR(to_point.distance, TriangleReference::distance(point, b),
                kBound * size_of(point, b));
    EXPECT_EQ(to_point.meets, triangles_meet(point, b));
    EXPECT_NE(to_point.meets, to_point.unique);
    EXPECT_TRUE(to_point.meets || to_point.a == p);
  }
}

TEST_P(TriangleClasses, AgreesWithFlatHulls) {
  Random random(22, static_cast<std::uint64_t>(GetParam()));
  const Pose here;
  for (int i = 0; i < test::effort(200); ++i) {
    const auto [a, b] = random_pair(random, GetParam());
    const TriangleDistance r = triangle_to_triangle(a, b);
    const DistanceResult hulls =
        distance(Shape(Convex(a.corner)), here, Shape(Convex(b.corner)), here);
    const double slack = kBound * std::max(size_of(a, b), largest_coordinate(a, b));
    EXPECT_GE(r.distance, hulls.lower - slack) << i;
    // Meeting hulls have a depth: their distance is not positive.
    EXPECT_LE(r.distance, std::max(hulls.upper, 0.0) + slack) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Triangle, TriangleClasses, testing::Range(0, kTriangleClasses));

// Exactly: whether some axis separates the triangles, both with area. Those of two triangles that
// do not lie in one plane are the normals and the products of edges; in one plane, the edges'
// normals.
bool separated_exactly(const Triangle& a, const Triangle& b) {
  using test::BigInteger;
  using test::BigVector;
  std::vector<BigVector> corners_a, corners_b, axes;
  for (const Vec3& c : a.corner) corners_a.emplace_back(c);
  for (const Vec3& c : b.corner) corners_b.emplace_back(c);
  const auto edge = [](const std::vector<BigVector>& corners, std::size_t i) {
    return corners[(i + 1) % 3] - corners[i];
  };
  const BigVector normal_a = cross(edge(corners_a, 0), edge(corners_a, 1));
  const BigVector normal_b = cross(edge(corners_b, 0), edge(corners_b, 1));
  axes.push_back(normal_a);
  axes.push_back(normal_b);
  for (std::size_t i = 0; i < 3; ++i) {
    axes.push_back(cross(normal_a, edge(corners_a, i)));
    axes.push_back(cross(normal_b, edge(corners_b, i)));
    for (std::size_t j = 0; j < 3; ++j)
      axes.push_back(cross(edge(corners_a, i), edge(corners_b, j)));
  }
  const auto all_less = [&](const BigVector& axis, int side) {
    for (const BigVector& p : corners_a) {
      for (const BigVector& q : corners_b) {
        if (dot(axis, q - p).sign() != side) return false;
      }
    }
    return true;
  };
  for (const BigVector& axis : axes) {
    if (all_less(axis, 1) || all_less(axis, -1)) return true;
  }
  return false;
}

TEST(TriangleDistance, MeetsExactlyWhenNoAxisSeparates) {
  Random random(23);
  int meeting = 0, apart = 0;
  for (const int kind : {0, 3, 4, 5, 6, 8, 10}) {
    for (int i = 0; i < test::effort(200); ++i) {
      const auto [a, b] = random_pair(random, kind);
      if (collinear(a.corner[0], a.corner[1], a.corner[2]) ||
          collinear(b.corner[0], b.corner[1], b.corner[2]))
        continue;
      const bool meets = !separated_exactly(a, b);
      ++(meets ? meeting : apart);
      EXPECT_EQ(triangles_meet(a, b), meets);
      EXPECT_EQ(triangle_to_triangle(a, b).meets, meets);
    }
  }
  EXPECT_GT(meeting, 0);
  EXPECT_GT(apart, 0);
}

TEST(TriangleDistance, MeetsOnTheGridWhenTheDistanceIsZero) {
  // Distances that are not zero exceed 1e-6 there: degenerate triangles are decided exactly, too.
  Random random(24);
  for (int i = 0; i < test::effort(4000); ++i) {
    auto [a, b] = random_pair(random, i % 2 == 0 ? 5 : 6);
    if (i % 3 == 0) a.corner[1] = a.corner[2];
    if (i % 5 == 0) b.corner[2] = b.corner[0] * 2.0 - b.corner[1];
    if (i % 7 == 0) b.corner[0] = b.corner[1] = b.corner[2];
    const bool meets = TriangleReference::distance(a, b) < 1e-9;
    EXPECT_EQ(triangles_meet(a, b), meets) << i;
    EXPECT_EQ(triangle_to_triangle(a, b).meets, meets) << i;
  }
}

TEST(TriangleDistance, KnownPlaces) {
  const Triangle floor{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  // Above the face, beside an edge, beyond a corner.
  EXPECT_EQ(point_to_triangle({1, 1, 2}, floor).distance, 2.0);
  EXPECT_EQ(point_to_triangle({1, 1, 2}, floor).b, (Vec3{1, 1, 0}));
  EXPECT_EQ(point_to_triangle({1, 1, 2}, floor).n, (Vec3{0, 0, -1}));
  EXPECT_EQ(point_to_triangle({1, -3, 4}, floor).distance, 5.0);
  EXPECT_EQ(point_to_triangle({1, -3, 4}, floor).b, (Vec3{1, 0, 0}));
  EXPECT_EQ(point_to_triangle({-2, -3, 6}, floor).distance, 7.0);
  EXPECT_EQ(point_to_triangle({-2, -3, 6}, floor).b, (Vec3{0, 0, 0}));
  EXPECT_TRUE(point_to_triangle({1, 1, 0}, floor).meets);
  EXPECT_TRUE(point_to_triangle({2, 2, 0}, floor).meets);
  EXPECT_TRUE(point_to_triangle({4, 0, 0}, floor).meets);
  EXPECT_FALSE(point_to_triangle({2, 2 + 1e-15, 0}, floor).meets);

  const TriangleDistance pierced = segment_to_triangle({1, 1, -1}, {1, 1, 3}, floor);
  EXPECT_TRUE(pierced.meets);
  EXPECT_EQ(pierced.a, (Vec3{1, 1, 0}));
  EXPECT_EQ(pierced.b, pierced.a);
  const TriangleDistance crossing = segment_to_triangle({1, -2, 2}, {3, -2, 2}, floor);
  EXPECT_EQ(crossing.distance, std::sqrt(8.0));
  EXPECT_FALSE(crossing.unique);

  // Edges that cross at a right angle.
  const Triangle roof{{{1, -1, 3}, {1, 1, 3}, {1, 0, 9}}};
  const TriangleDistance over = triangle_to_triangle(floor, roof);
  EXPECT_EQ(over.distance, 3.0);
  EXPECT_EQ(over.n, (Vec3{0, 0, 1}));
  EXPECT_FALSE(over.unique);  // an edge above a face
  const Triangle beside{{{1, -2, -1}, {1, -2, 1}, {1, -9, 0}}};
  const TriangleDistance next = triangle_to_triangle(floor, beside);
  EXPECT_EQ(next.distance, 2.0);
  EXPECT_EQ(next.a, (Vec3{1, 0, 0}));
  EXPECT_EQ(next.b, (Vec3{1, -2, 0}));
  EXPECT_TRUE(next.unique);
  // Parallel faces.
  const TriangleDistance parallel = triangle_to_triangle(floor, moved(floor, {0.5, 0.5, 0.25}));
  EXPECT_EQ(parallel.distance, 0.25);
  EXPECT_EQ(parallel.n, (Vec3{0, 0, 1}));
  EXPECT_FALSE(parallel.unique);
  // One inside the other, in one plane.
  const Triangle inside{{{0.5, 0.5, 0}, {1, 0.5, 0}, {0.5, 1, 0}}};
  EXPECT_TRUE(triangle_to_triangle(floor, inside).meets);
  EXPECT_TRUE(triangle_to_triangle(floor, floor).meets);
}

TEST(TriangleDistance, AGapOfOneUnitInTheLastPlace) {
  const Triangle floor{{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}};
  const double above = std::nextafter(1.0, 2.0);
  const Triangle hovering{{{1, 1, above}, {1, 2, 3}, {2, 1, 3}}};
  const TriangleDistance r = triangle_to_triangle(floor, hovering);
  EXPECT_FALSE(r.meets);
  EXPECT_NEAR(r.distance, above - 1.0, 1e-15);
  EXPECT_NEAR(r.n.z, 1.0, 1e-12);
  const Triangle touching{{{1, 1, 1}, {1, 2, 3}, {2, 1, 3}}};
  EXPECT_TRUE(triangle_to_triangle(floor, touching).meets);
}

TEST(TriangleDistance, AnyScale) {
  Random random(25);
  for (int i = 0; i < test::effort(2000); ++i) {
    const auto [a, b] = random_pair(random, i % kTriangleClasses);
    const TriangleDistance r = triangle_to_triangle(a, b);
    for (const double scale : {std::ldexp(1.0, -180), std::ldexp(1.0, 180)}) {
      Triangle big_a = a, big_b = b;
      for (Vec3& c : big_a.corner) c *= scale;
      for (Vec3& c : big_b.corner) c *= scale;
      const TriangleDistance s = triangle_to_triangle(big_a, big_b);
      // A power of two changes no digit.
      EXPECT_EQ(s.distance, r.distance * scale) << i;
      EXPECT_EQ(s.meets, r.meets);
    }
  }
}

}  // namespace
}  // namespace tactus::detail
