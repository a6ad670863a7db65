// The proof of hulls: it must hold for right ones and fail for every kind of wrong one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/mesh.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

using Points = std::vector<Vec3>;
using Index = std::uint32_t;

Vec3 random_vector(Random& random) {
  const double x = random.uniform(-1, 1);
  const double y = random.uniform(-1, 1);
  const double z = random.uniform(-1, 1);
  return {x, y, z};
}

Points random_points(int count) {
  Random random(3);
  Points points;
  for (int i = 0; i < count; ++i) points.push_back(random_vector(random));
  return points;
}

Points on_sphere(int count) {
  Points points = random_points(count);
  for (Vec3& p : points) p = normalized(p);
  return points;
}

Points grid(int nx, int ny, int nz) {
  Points points;
  for (int i = 0; i < nx * ny * nz; ++i)
    points.push_back({double(i % nx), double(i / nx % ny), double(i / nx / ny)});
  return points;
}

std::string problem_of(const Points& points, const ConvexHull& hull) {
  const HullCheck check = check_hull(points, hull);
  EXPECT_EQ(check.inside + check.boundary + check.outside,
            check.ok() || check.outside > 0 ? points.size() : 0);
  return check.problem;
}

TEST(HullCheck, HoldsForHullsOfEveryDimension) {
  const std::vector<Points> sets = {random_points(test::effort(2000)),
                                    on_sphere(test::effort(2000)),
                                    grid(7, 5, 6),
                                    grid(9, 1, 6),
                                    grid(1, 8, 1),
                                    grid(1, 1, 1),
                                    {{1, 2, 3}, {1, 2, 3}}};
  for (const Points& points : sets) EXPECT_EQ(problem_of(points, convex_hull(points)), "");
}

// Squeezed along directions of no axis, until rounding alone is left of the thickness.
TEST(HullCheck, HoldsForThinHulls) {
  Random random(41);
  int thin = 0;
  for (int n = 0; n < test::effort(400); ++n) {
    const Vec3 across = normalized(random_vector(random));
    const Vec3 other = normalized(cross(across, random_vector(random)));
    const double flat = std::pow(10.0, random.uniform(-17.0, 0.0));
    const bool needle = n % 2 == 1;
    Points points = n % 4 < 2 ? random_points(30) : on_sphere(30);
    for (Vec3& p : points) {
      p = p - across * (dot(across, p) * (1.0 - flat));
      if (needle) p = p - other * (dot(other, p) * (1.0 - flat));
    }
    const ConvexHull hull = convex_hull(points);
    thin += hull.dimension == 3 && flat < 1e-12 ? 1 : 0;
    EXPECT_EQ(problem_of(points, hull), "") << n << " " << flat;
    // A hull of fewer points is none of all.
    const Vec3 along = points[0] - points[1];
    const auto [first, last] =
        std::ranges::minmax_element(points, {}, [&](const Vec3& p) { return dot(along, p); });
    points.push_back(*last * 2.0 - *first);
    EXPECT_FALSE(check_hull(points, hull).ok());
  }
  EXPECT_GT(thin, test::effort(20));
}

// A thin hull that is wrong: without one of its corners, or with a face turned inside out.
TEST(HullCheck, FindsWhatIsWrongInThinHulls) {
  Random random(43);
  const Vec3 across = normalized(Vec3{0.3, -0.5, 0.7});
  Points points = on_sphere(24);
  for (Vec3& p : points) p = p - across * (dot(across, p) * (1.0 - 1e-16));
  const ConvexHull hull = convex_hull(points);
  ASSERT_EQ(hull.dimension, 3);
  ASSERT_EQ(problem_of(points, hull), "");
  ConvexHull turned = hull;
  const auto& face = turned.faces[3];
  std::reverse(turned.face_vertices.begin() + face.first,
               turned.face_vertices.begin() + face.first + face.count);
  EXPECT_NE(check_hull(points, turned).problem, "");
  for (std::size_t left_out = 0; left_out < hull.vertices.size(); ++left_out) {
    Points fewer;
    for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
      if (i != left_out) fewer.push_back(hull.vertices[i]);
    }
    const ConvexHull smaller = convex_hull(fewer);
    fewer.push_back(hull.vertices[left_out]);
    EXPECT_EQ(check_hull(fewer, smaller).outside, 1u);
  }
}

TEST(HullCheck, CountsWhatLiesWhere) {
  const Points points = grid(5, 5, 5);
  const HullCheck check = check_hull(points, convex_hull(points));
  EXPECT_EQ(check.inside, 27u);
  EXPECT_EQ(check.boundary, 98u);
  EXPECT_EQ(check.outside, 0u);
}

TEST(HullCheck, FindsTheLeastExcessOutside) {
  Points points = grid(4, 4, 4);
  const ConvexHull hull = convex_hull(points);
  points.push_back({1.5, 1.5, 3.0 + 4.5e-16});
  const HullCheck check = check_hull(points, hull);
  EXPECT_EQ(check.outside, 1u);
  EXPECT_FALSE(check.ok());
  points.back().z = 3.0;
  EXPECT_TRUE(check_hull(points, hull).ok());
  // Flat and straight hulls too.
  for (Points flat : {grid(4, 4, 1), grid(4, 1, 1), grid(1, 1, 1)}) {
    const ConvexHull right = convex_hull(flat);
    for (const Vec3& p : {Vec3{1, 1, 1e-60}, Vec3{3.0000000000000005, 0, 0}, Vec3{-1e-60, 0, 0}}) {
      flat.push_back(p);
      EXPECT_EQ(check_hull(flat, right).outside, 1u);
      flat.pop_back();
    }
  }
}

TEST(HullCheck, HullOfOtherPointsFails) {
  const Points points = on_sphere(200);
  const Points fewer(points.begin(), points.end() - 1);
  EXPECT_NE(problem_of(points, convex_hull(fewer)), "");
  ConvexHull hull = convex_hull(points);
  std::swap(hull.source[3], hull.source[4]);
  EXPECT_NE(problem_of(points, hull), "");
}

TEST(HullCheck, BrokenSurfacesFail) {
  const Points points = on_sphere(100);
  const ConvexHull right = convex_hull(points);
  const auto broken = [&](auto&& change) {
    ConvexHull hull = right;
    change(hull);
    EXPECT_NE(problem_of(points, hull), "");
  };
  broken([](ConvexHull& h) { h.faces.pop_back(); });
  broken([](ConvexHull& h) { h.faces.clear(); });
  broken([](ConvexHull& h) { h.faces.push_back(h.faces.front()); });
  broken([](ConvexHull& h) { std::swap(h.face_vertices[0], h.face_vertices[1]); });
  broken([](ConvexHull& h) { h.face_vertices[0] = 5000; });
  broken([](ConvexHull& h) { h.faces[7].first = 5000; });
  broken([](ConvexHull& h) { h.edges.pop_back(); });
  broken([](ConvexHull& h) { std::swap(h.edges[2].left, h.edges[2].right); });
  broken([](ConvexHull& h) {
    for (std::size_t i = 0; i + 2 < h.face_vertices.size(); i += 3)
      std::swap(h.face_vertices[i], h.face_vertices[i + 1]);
  });
}

// The other diagonal of two neighbouring triangles makes a dent; all else stays right.
TEST(HullCheck, DentsFail) {
  const Points points = on_sphere(60);
  ConvexHull hull = convex_hull(points);
  const ConvexHull::Edge edge = hull.edges[10];
  const auto third = [&](Index f) {
    for (const Index v : hull.corners(hull.faces[f])) {
      if (v != edge.tail && v != edge.head) return v;
    }
    return edge.tail;
  };
  const Index c = third(edge.left), d = third(edge.right);
  const auto set = [&](Index f, Index x, Index y, Index z) {
    hull.face_vertices[hull.faces[f].first] = x;
    hull.face_vertices[hull.faces[f].first + 1] = y;
    hull.face_vertices[hull.faces[f].first + 2] = z;
  };
  set(edge.left, c, edge.tail, d);
  set(edge.right, d, edge.head, c);
  EXPECT_NE(problem_of(points, hull), "");
}

// A pentagram-like ring of corners turns left everywhere, but twice around.
TEST(HullCheck, FacesThatGoAroundTwiceFail) {
  const Points points = {{0, 2, 0}, {-1.1, -1.6, 0}, {1.9, 0.6, 0}, {-1.9, 0.6, 0}, {1.1, -1.6, 0}};
  ConvexHull hull = convex_hull(points);
  ASSERT_EQ(hull.dimension, 2);
  EXPECT_EQ(problem_of(points, hull), "");
  hull.face_vertices = {0, 1, 2, 3, 4};
  EXPECT_NE(problem_of(points, hull), "");
  hull.face_vertices = {4, 3, 2, 1, 0};
  EXPECT_NE(problem_of(points, hull), "");
}

}  // namespace
}  // namespace tactus::detail
