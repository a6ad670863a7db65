#include "tactus/narrow/pair/patch_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"

namespace tactus::detail {
namespace {

PatchPoint at(double x, double y, double depth = 0.0) {
  PatchPoint p;
  p.a = {x, y, 0.5 * depth};
  p.b = {x, y, -0.5 * depth};
  p.depth = depth;
  return p;
}

Patch four_of(std::vector<PatchPoint> points, double size = 1.0) {
  const Vec3 n{0, 0, 1};
  Patch patch;
  keep_four(points.data(), static_cast<int>(points.size()),
            {n, deciding_axis(n, Mat3::identity()), size}, patch);
  return patch;
}

double area(const Patch& p) {
  const auto across = [&](int i, int j) {
    return p.point[i].a.x * p.point[j].a.y - p.point[i].a.y * p.point[j].a.x;
  };
  // Opposite corners are 0, 1 and 2, 3.
  if (p.count == 4)
    return 0.5 * std::fabs(across(0, 2) + across(2, 1) + across(1, 3) + across(3, 0));
  return 0.5 * std::fabs(across(0, 1) + across(1, 2) + across(2, 0));
}

bool keeps(const Patch& patch, double x, double y) {
  return std::any_of(patch.point.data(), patch.point.data() + patch.count,
                     [&](const PatchPoint& p) { return std::hypot(p.a.x - x, p.a.y - y) < 1e-6; });
}

TEST(PatchPoints, CornersAreKeptAndTheMiddlesOfEdgesAreNot) {
  const Patch patch = four_of({at(0, 1e-9), at(1, 0), at(1, 1), at(0, 1), at(0.5, -1e-9),
                               at(1 + 1e-9, 0.5), at(0.5, 1), at(-1e-9, 0.5), at(1e-9, 0)});
  ASSERT_EQ(patch.count, 4);
  for (const double x : {0.0, 1.0}) {
    for (const double y : {0.0, 1.0}) EXPECT_TRUE(keeps(patch, x, y)) << x << y;
  }
}

TEST(PatchPoints, TrianglesAndLinesKeepTheirEnds) {
  EXPECT_EQ(four_of({at(0, 0), at(1, 0), at(0.5, 1e-9), at(0, 1)}).count, 3);
  const Patch line = four_of({at(0.3, 0), at(1, 0), at(0.5, 1e-9), at(0, -1e-9)});
  ASSERT_EQ(line.count, 2);
  EXPECT_TRUE(keeps(line, 0, 0) && keeps(line, 1, 0));
  EXPECT_EQ(four_of({at(0.3, 0), at(0.3 + 1e-9, 0)}).count, 1);
}

TEST(PatchPoints, TheLargestQuadrangleOfARegularPolygonWhateverTheOrder) {
  Random random(3);
  for (int corners = 5; corners <= 30; ++corners) {
    std::vector<PatchPoint> points;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2.0 * M_PI * i / corners;
      points.push_back(at(std::cos(angle), std::sin(angle)));
    }
    double most = 0.0;
    for (int i = 1; i < corners; ++i) {
      for (int j = i + 1; j < corners; ++j) {
        for (int k = j + 1; k < corners; ++k) {
          Patch p;
          p.count = 4;
          for (const int c : {0, j, i, k})
            p.point[c == 0 ? 0 : c == j ? 1 : c == i ? 2 : 3] = points[static_cast<std::size_t>(c)];
          most = std::max(most, area(p));
        }
      }
    }
    const Patch still = four_of(points);
    EXPECT_GE(area(still), 0.98 * most) << corners;
    for (int n = 0; n < 20; ++n) {
      std::vector<PatchPoint> other = points;
      for (std::size_t i = other.size(); i > 1; --i)
        std::swap(other[i - 1], other[random.below(static_cast<std::uint32_t>(i))]);
      for (PatchPoint& p : other) {
        const double x = random.uniform(-1e-9, 1e-9), y = random.uniform(-1e-9, 1e-9);
        p = at(p.a.x + x, p.a.y + y, random.uniform(-1e-9, 1e-9));
      }
      const Patch moved = four_of(other);
      ASSERT_EQ(moved.count, still.count);
      for (int i = 0; i < moved.count; ++i)
        EXPECT_TRUE(keeps(still, moved.point[i].a.x, moved.point[i].a.y)) << corners;
    }
  }
}

TEST(PatchPoints, PointsThatTouchComeBeforePointsThatDoNot) {
  // A small triangle touches; the corners far around it are open.
  const Patch patch = four_of({at(-9, -9, -0.01), at(9, -9, -0.01), at(9, 9, -0.01),
                               at(-9, 9, -0.01), at(0, 0, 1e-4), at(1, 0, 1e-4), at(0, 1, 0.0)});
  ASSERT_EQ(patch.count, 4);
  EXPECT_TRUE(keeps(patch, 0, 0) && keeps(patch, 1, 0) && keeps(patch, 0, 1));
}

TEST(PatchPoints, TheDeepestPointIsKeptAlsoWithinTheOthers) {
  const Patch patch =
      four_of({at(0, 0, 0.1), at(1, 0, 0.1), at(1, 1, 0.1), at(0, 1, 0.1), at(0.6, 0.4, 0.2)});
  ASSERT_EQ(patch.count, 4);
  EXPECT_TRUE(keeps(patch, 0.6, 0.4));
}

TEST(PatchPoints, OfUnevenGapsTheFacetUnderTheDeepestPoint) {
  // Three feet, one bump higher between them and many that are far away.
  std::vector<PatchPoint> points{at(0, 0, 0.0),        at(1, 0.1, -1e-5),  at(0.2, 1, -2e-5),
                                 at(0.4, 0.4, -1e-3),  at(3, 3, -0.01),    at(-3, 0, -0.01),
                                 at(0.1, -2, -0.0102), at(2.5, -2, -0.01), at(-1, -1, -0.009)};
  const Vec3 n{0, 0, 1};
  const Facet facet = keep_facet(points.data(), static_cast<int>(points.size()),
                                 {n, deciding_axis(n, Mat3::identity()), 1.0});
  EXPECT_EQ(facet.corners, 3);
  EXPECT_EQ(facet.near, 4);
  for (int i = 0; i < facet.corners; ++i)
    EXPECT_GE(points[static_cast<std::size_t>(i)].depth, -2e-5);
}

TEST(PatchPoints, TheFourthFootComesBeforeASecondPointOfAFootThatTouches) {
  // Two feet touch, one of them with two points; the third and fourth are just open.
  std::vector<PatchPoint> points{at(0.2, -0.09, 1e-4), at(0.19, -0.088, 5e-5),
                                 at(-0.27, -0.1, 1e-6), at(-0.27, 0.1, -5e-4),
                                 at(0.21, 0.09, -8e-4)};
  const Vec3 n{0, 0, 1};
  const PatchView view{n, deciding_axis(n, Mat3::identity()), 1.0};
  const Facet facet = keep_facet(points.data(), static_cast<int>(points.size()), view);
  EXPECT_EQ(facet.near, 5);
  Patch patch;
  keep_four(points.data(), facet, view, patch);
  ASSERT_EQ(patch.count, 4);
  EXPECT_TRUE(keeps(patch, 0.2, -0.09) && keeps(patch, -0.27, -0.1));
  EXPECT_TRUE(keeps(patch, -0.27, 0.1) && keeps(patch, 0.21, 0.09));
}

TEST(PatchPoints, SetsWithoutEndAreThinnedOutToTheirCorners) {
  std::vector<PatchPoint> grid;
  for (int i = 0; i <= 40; ++i) {
    for (int j = 0; j <= 40; ++j) grid.push_back(at(0.025 * i, 0.025 * j));
  }
  const Patch patch = four_of(grid);
  ASSERT_EQ(patch.count, 4);
  EXPECT_NEAR(area(patch), 1.0, 1e-12);
}

}  // namespace
}  // namespace tactus::detail
