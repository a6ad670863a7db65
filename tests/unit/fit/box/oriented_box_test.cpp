#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/core/random.hpp"
#include "tactus/fit.hpp"
#include "tests/support/boxes.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail::fit {
namespace {

using test::holds;
using test::random_points;
using test::random_rotation;

std::string refused(const std::vector<Vec3>& points) {
  try {
    box_along(points, Mat3::identity());
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "";
}

// Points of a solid, a flat, a thin and a collinear kind, far away or near, large or small.
std::vector<Vec3> any_points(Random& random) {
  const int count = 1 + static_cast<int>(random.below(40));
  Vec3 size{1.0, 1.0, 1.0};
  const double sizes[] = {1.0, 1e-5, 1e-17, 0.0};
  size.y = sizes[random.below(4)];
  size.z = size.y * sizes[random.below(4)];
  const double scale = std::ldexp(1.0, static_cast<int>(random.below(80)) - 40);
  const double far = random.below(2) == 0 ? 0.0 : 1e6;
  const Mat3 turn = random_rotation(random);
  std::vector<Vec3> points = random_points(random, count);
  const Vec3 away{far, -3.0 * far, 0.25 * far};
  for (Vec3& p : points) p = (turn * component_product(p, size) + away) * scale;
  return points;
}

TEST(OrientedBox, HoldsEveryPointExactly) {
  Random random(1);
  for (int i = 0; i < test::effort(2000); ++i) {
    const std::vector<Vec3> points = any_points(random);
    const ConvexHull hull = convex_hull(points);
    const OrientedBox boxes[] = {box_along(points, random_rotation(random)), box_of_points(points),
                                 box_of_hull_vertices(points, hull),
                                 box_of_hull_surface(points, hull)};
    for (const OrientedBox& box : boxes) {
      for (const Vec3& p : points) ASSERT_TRUE(holds(box, p)) << i;
      ASSERT_GE(box.half.x, box.half.y);
      ASSERT_GE(box.half.y, box.half.z);
      ASSERT_GT(determinant(box.axes), 0.999999);
    }
  }
}

TEST(OrientedBox, IsNotLargerThanItMustBe) {
  Random random(2);
  for (int i = 0; i < test::effort(200); ++i) {
    const Mat3 turn = random_rotation(random);
    const Vec3 half{random.uniform(1, 2), random.uniform(0.1, 1), random.uniform(1e-3, 0.1)};
    const Vec3 center = random_points(random, 1)[0] * 100.0;
    const std::vector<Vec3> points = test::box_corners(center, turn, half);
    const OrientedBox box = box_along(points, turn);
    // Corners were rounded relative to their farthest coordinate.
    const double rounding = 1e-15 * (max_abs(center) + half.x);
    EXPECT_LE(max_abs(box.half - half), 4.0 * rounding);
    EXPECT_LE(max_abs(box.center - center), 4.0 * rounding);
  }
}

TEST(OrientedBox, PointsInsideTurnOnlyTheFirstRung) {
  // Corners of a brick, and a heap of points along its diagonal.
  std::vector<Vec3> points = test::box_corners({}, Mat3::identity(), {3.0, 2.0, 1.0});
  for (int i = 0; i < 1000; ++i) points.push_back(Vec3{2.9, 1.9, 0.9} * (i / 1000.0));
  const ConvexHull hull = convex_hull(points);
  EXPECT_GT(box_of_points(points).volume(), 60.0);
  EXPECT_NEAR(box_of_hull_vertices(points, hull).volume(), 48.0, 1e-12);
  EXPECT_NEAR(box_of_hull_surface(points, hull).volume(), 48.0, 1e-12);
}

TEST(OrientedBox, CornersCloseTogetherDoNotTurnTheSurface) {
  // A heap of corners cut off one corner of the brick, so small that the surface is nearly that of
  // the brick.
  std::vector<Vec3> points = test::box_corners({}, Mat3::identity(), {3.0, 2.0, 1.0});
  points.erase(points.begin());
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const Vec3 out = normalized(component_abs(random_points(random, 1)[0]));
    points.push_back(Vec3{-3.0, -2.0, -1.0} + (Vec3{1.0, 1.0, 1.0} - out) * 1e-4);
  }
  const ConvexHull hull = convex_hull(points);
  EXPECT_GT(box_of_hull_vertices(points, hull).volume(), 60.0);
  EXPECT_NEAR(box_of_hull_surface(points, hull).volume(), 48.0, 0.1);
}

TEST(OrientedBox, MomentsAreThoseOfTheSurface) {
  // The box lies along the principal axes of the surface: its covariance there has no mixed parts.
  Random random(4);
  for (int i = 0; i < test::effort(50); ++i) {
    const ConvexHull hull = convex_hull(random_points(random, 12));
    std::vector<Vec3> points;
    for (const Vec3& p : hull.vertices) points.push_back(p);
    // Covariance by brute force: faces cut into tiny triangles, each a point.
    double weight = 0.0;
    Vec3 first;
    Mat3 second = Mat3::zero();
    constexpr int kCuts = 40;
    for (const ConvexHull::Face& face : hull.faces) {
      const auto corners = hull.corners(face);
      for (std::size_t k = 2; k < corners.size(); ++k) {
        const Vec3 a = hull.vertices[corners[0]];
        const Vec3 u = (hull.vertices[corners[k - 1]] - a) / kCuts;
        const Vec3 v = (hull.vertices[corners[k]] - a) / kCuts;
        const double area = norm(cross(u, v));
        for (int x = 0; x < kCuts; ++x) {
          for (int y = 0; x + y < kCuts; ++y) {
            const bool whole = x + y + 1 < kCuts;
            for (int upper = 0; upper < (whole ? 2 : 1); ++upper) {
              const double shift = upper == 0 ? 1.0 / 3.0 : 2.0 / 3.0;
              const Vec3 p = a + u * (x + shift) + v * (y + shift);
              weight += area;
              first += p * area;
              second = second + outer(p, p) * area;
            }
          }
        }
      }
    }
    const Vec3 mean = first / weight;
    const Mat3 covariance = second * (1.0 / weight) - outer(mean, mean);
    const OrientedBox box = box_of_hull_surface(points, hull);
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < r; ++c) {
        const double mixed = dot(box.axes.row[r], covariance * box.axes.row[c]);
        EXPECT_NEAR(mixed, 0.0, 2e-4) << i;
      }
    }
  }
}

TEST(OrientedBox, FlatAndCollinearPoints) {
  Random random(5);
  for (int i = 0; i < test::effort(100); ++i) {
    const Mat3 turn = random_rotation(random);
    std::vector<Vec3> points = random_points(random, 20);
    for (Vec3& p : points) p = turn * Vec3{p.x, p.y, 0.0};
    const OrientedBox flat = box_of_hull_surface(points, convex_hull(points));
    EXPECT_LE(flat.half.z, 1e-14);
    const Vec3 along = turn.column(1);
    for (Vec3& p : points) p = along * random.uniform(-1.0, 1.0);
    const OrientedBox thin = box_of_hull_surface(points, convex_hull(points));
    EXPECT_LE(thin.half.y, 1e-14);
    EXPECT_NEAR(std::fabs(dot(thin.axes.row[0], along)), 1.0, 1e-14);
  }
  const std::vector<Vec3> same(3, Vec3{5.0, 6.0, 7.0});
  const OrientedBox point = box_of_hull_surface(same, convex_hull(same));
  EXPECT_EQ(point.center, same[0]);
  EXPECT_EQ(point.volume(), 0.0);
}

TEST(OrientedBox, HugeAndTinyPoints) {
  Random random(6);
  const std::vector<Vec3> points = random_points(random, 30);
  const OrientedBox box = box_of_points(points);
  for (const int exponent : {1023, 600, -600, -1000}) {
    std::vector<Vec3> scaled = points;
    for (Vec3& p : scaled)
      p = {std::ldexp(p.x, exponent), std::ldexp(p.y, exponent), std::ldexp(p.z, exponent)};
    const OrientedBox other = box_of_points(scaled);
    EXPECT_EQ(other.axes, box.axes) << exponent;
    EXPECT_EQ(std::ldexp(other.half.y, -exponent), box.half.y) << exponent;
    EXPECT_FALSE(std::isnan(other.volume()));
  }
}

TEST(OrientedBox, NamesTheBadPoint) {
  EXPECT_EQ(refused({}), "points");
  EXPECT_EQ(refused({{0, 0, 0}, {0, std::numeric_limits<double>::quiet_NaN(), 0}}), "points[1]");
  EXPECT_EQ(refused({{std::numeric_limits<double>::infinity(), 0, 0}}), "points[0]");
}

}  // namespace
}  // namespace tactus::detail::fit
