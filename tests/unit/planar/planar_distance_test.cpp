#include <gtest/gtest.h>

#include "tactus/planar.hpp"
#include "tests/support/effort.hpp"

namespace {

using namespace tactus;
using namespace tactus::planar;

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}
  int below(int n) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(n));
  }
  double between(double low, double high) {
    return low + (high - low) * below(1 << 30) / (1 << 30);
  }
  Vec2 grid(int n) {
    const int x = below(n), y = below(n);
    return {double(x), double(y)};
  }

 private:
  std::uint64_t state_;
};

std::vector<Vec2> random_points(Random& random, int least, int grid) {
  std::vector<Vec2> points;
  const int n = least + random.below(6);
  for (int i = 0; i < n; ++i) points.push_back(random.grid(grid));
  return points;
}

Region random_region(Random& random) {
  for (;;) {
    try {
      return Region(random_points(random, 3, 10));
    } catch (const InvalidInput&) {
    }
  }
}

Contour random_curve(Random& random) {
  for (;;) {
    try {
      const bool closed = random.below(2) == 0;
      return Contour(random_points(random, 3, 10), closed, Crossings::accept);
    } catch (const InvalidInput&) {
    }
  }
}

// The answer's own way clears the interiors, by the exact overlap; no shorter one of a dense sample
// does.
template <class Shape>
void expect_least_way(const Shape& shape, Random& random, int seed) {
  const Circle circle(random.between(0.2, 3.0));
  const Vec2 centre{random.between(-1.0, 11.0), random.between(-1.0, 11.0)};
  if (!overlap(circle, Pose2(centre, 0.0), shape, {})) return;
  const PlanarResult r = distance(circle, Pose2(centre, 0.0), shape, {});
  ASSERT_LE(r.lower, r.distance) << seed;
  ASSERT_LE(r.distance, r.upper) << seed;
  ASSERT_LT(r.distance, 0.0) << seed;
  ASSERT_NEAR(norm((r.point_b - r.point_a) - r.normal * r.distance), 0.0, 1e-13) << seed;
  const Vec2 way = r.normal * r.distance;
  ASSERT_FALSE(overlap(circle, Pose2(centre + way, 0.0), shape, {})) << seed;
  const double least = -r.upper * 0.9999999;
  for (int k = 0; k < 64; ++k) {
    for (const double part : {1.0, 0.98, 0.7}) {
      const double angle = k * 0.0981747704246810387;
      const Vec2 to = centre + Vec2{std::cos(angle), std::sin(angle)} * (least * part);
      ASSERT_TRUE(overlap(circle, Pose2(to, 0.0), shape, {})) << seed << ' ' << k;
    }
  }
}

TEST(CircleDepth, IsTheLeastWayOutOfARegion) {
  for (int k = 0; k < detail::test::effort(4000); ++k) {
    Random random(k);
    const Region region = random_region(random);
    expect_least_way(region, random, k);
  }
}

TEST(CircleDepth, IsTheLeastWayOffACurve) {
  for (int k = 0; k < detail::test::effort(4000); ++k) {
    Random random(k + 987654);
    const Contour curve = random_curve(random);
    expect_least_way(curve, random, k);
  }
}

TEST(CircleDepth, ClosedForms) {
  const Region square({{0, 0}, {4, 0}, {4, 4}, {0, 4}});
  // Centre inside, at 1 from the left side, radius 1/2: out by 1.5.
  const PlanarResult inside = distance(Circle(0.5), Pose2({1.0, 2.0}, 0.0), square, {});
  EXPECT_NEAR(inside.distance, -1.5, 5e-13);
  EXPECT_LE(inside.upper - inside.lower, 1e-12);
  EXPECT_NEAR(inside.normal.x, 1.0, 1e-15);
  // In a right-angled corner, at 1/2 from both walls, radius 1: out along the diagonal, or through
  // one of the walls, by 1.5.
  const Contour corner({{0, 8}, {0, 0}, {8, 0}}, false);
  EXPECT_NEAR(distance(Circle(1.0), Pose2({0.5, 0.5}, 0.0), corner, {}).distance, -std::sqrt(0.5),
              5e-13);
  // The centre on the end of a line, radius 1: by 1, any way that is not along the line.
  const Contour line({{0, 0}, {8, 0}}, false);
  EXPECT_NEAR(distance(Circle(1.0), Pose2({0.0, 0.0}, 0.0), line, {}).distance, -1.0, 5e-13);
  // Apart: from a corner, and from a segment.
  EXPECT_NEAR(distance(Circle(1.0), Pose2({7.0, 8.0}, 0.0), square, {}).distance, 4.0, 1e-14);
  EXPECT_NEAR(distance(Circle(1.0), Pose2({2.0, 8.0}, 0.0), line, {}).distance, 7.0, 1e-14);
  // Touching, exactly.
  EXPECT_FALSE(overlap(Circle(1.0), Pose2({-1.0, 2.0}, 0.0), square, {}));
  EXPECT_EQ(distance(Circle(1.0), Pose2({-1.0, 2.0}, 0.0), square, {}).distance, 0.0);
}

TEST(CircleDepth, ARoundHoleHasRoomForSmallerDiscs) {
  std::vector<Vec2> hole;
  for (int k = 0; k < 24; ++k) {
    const double angle = k * 0.26179938779914943654;
    hole.push_back({2.0 * std::cos(angle), 2.0 * std::sin(angle)});
  }
  const Region ring({{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}, {hole});
  const double room = 2.0 * std::cos(0.13089969389957471827);
  EXPECT_FALSE(overlap(Circle(room * 0.999999), {}, ring, {}));
  // From the hole's wall back into its middle.
  const PlanarResult r = distance(Circle(1.0), Pose2({1.5, 0.0}, 0.0), ring, {});
  EXPECT_LT(r.distance, -0.5);
  EXPECT_GT(r.distance, -0.6);
  EXPECT_NEAR(distance(Circle(room * 1.001), {}, ring, {}).distance, -(9.0 + room * 1.001), 2e-12);
}

TEST(CurveDistance, IsZeroWhereTheyMeetAndNeverNegative) {
  const Contour line({{0, 0}, {8, 0}}, false), above({{0, 1}, {8, 3}}, false);
  EXPECT_NEAR(distance(line, {}, above, {}).distance, 1.0, 1e-15);
  EXPECT_FALSE(overlap(line, {}, above, {}));
  EXPECT_TRUE(overlap(line, {}, above, Pose2({0, -1}, 0.0)));
  EXPECT_EQ(distance(line, {}, above, Pose2({0, -2}, 0.0)).distance, 0.0);
  const Region square({{0, 0}, {4, 0}, {4, 4}, {0, 4}});
  const Contour inner({{1, 1}, {2, 1}, {1, 2}});
  EXPECT_TRUE(overlap(inner, {}, square, {}));
  EXPECT_EQ(distance(inner, {}, square, {}).distance, 0.0);
  EXPECT_NEAR(distance(inner, Pose2({5, 0}, 0.0), square, {}).distance, 2.0, 1e-15);
  EXPECT_NEAR(distance(inner, Pose2({5, 0}, 0.0), square, {}).normal.x, -1.0, 1e-15);
}

TEST(CurveOverlap, NeedsTheInteriorOfARegion) {
  const Region square({{0, 0}, {4, 0}, {4, 4}, {0, 4}});
  const auto meets = [&](Vec2 p, Vec2 q) {
    return overlap(Contour({p, q}, false), {}, square, {});
  };
  EXPECT_FALSE(meets({-1, 0}, {5, 0}));   // along a side
  EXPECT_FALSE(meets({-2, 2}, {2, -2}));  // through a corner, outside
  EXPECT_TRUE(meets({-2, -2}, {6, 6}));   // through two corners, inside
  EXPECT_TRUE(meets({0, 1}, {4, 2}));     // from side to side
  EXPECT_TRUE(meets({0, 0}, {4, 4}));     // from corner to corner
  EXPECT_FALSE(meets({0, 1}, {-3, 2}));   // a side's point, outwards
  EXPECT_TRUE(meets({0, 1}, {3, 2}));
  EXPECT_TRUE(meets({1, 1}, {2, 2}));
}

}  // namespace
