// All ways to a hull give the same bits, and hulls of limited size keep their promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/core/random.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/mesh.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

using Points = std::vector<Vec3>;

Vec3 random_vector(Random& random, double size) {
  const double x = random.uniform(-size, size);
  const double y = random.uniform(-size, size);
  const double z = random.uniform(-size, size);
  return {x, y, z};
}

Points moved(Random& random, Points points, double size) {
  for (Vec3& p : points) p += random_vector(random, size);
  return points;
}

Points grid(int nx, int ny, int nz, double step) {
  Points points;
  for (int i = 0; i < nx * ny * nz; ++i)
    points.push_back(Vec3{double(i % nx), double(i / nx % ny), double(i / nx / ny)} * step);
  return points;
}

struct Named {
  const char* name;
  Points points;
};

std::vector<Named> sets(int count) {
  Random random(5);
  Points ball, sphere, cube, corner;
  for (int i = 0; i < count; ++i) {
    cube.push_back(random_vector(random, 1.0));
    sphere.push_back(normalized(random_vector(random, 1.0)));
    const Vec3 p = random_vector(random, 1.0);
    ball.push_back(p * (1.0 / std::fmax(1.0, norm(p))));
    // Repeated, few places.
    corner.push_back({double(random.below(3)), double(random.below(3)), double(random.below(7))});
  }
  Points lens = sphere, far = sphere, needle = ball;
  for (Vec3& p : lens) p.z *= 1e-9;
  for (Vec3& p : far) p += Vec3{1e6, -2e6, 3e6};
  for (Vec3& p : needle) p = {p.x * 1e-7, p.y, p.z * 1e-5};
  const int side = static_cast<int>(std::cbrt(count));
  const Points full = grid(side, side, side, 0.1);
  Points sorted = sphere;
  std::sort(sorted.begin(), sorted.end(), [](const Vec3& a, const Vec3& b) { return a.x < b.x; });
  Points tiny = moved(random, full, 1e-15), near = moved(random, sphere, 1e-15);
  Points sheet = grid(side, side * side, 1, 0.1);
  for (Vec3& p : sheet) p.z = random.uniform(-1e-15, 1e-15);
  Points thin = grid(side, side * side, 1, 1.0);
  for (Vec3& p : thin) p.z = 1.0 + (random.below(2) == 0 ? 0.0 : 0x1p-52);
  return {{"ball", ball},      {"sphere", sphere},   {"cube", cube},         {"repeated", corner},
          {"lens", lens},      {"far", far},         {"needle", needle},     {"grid", full},
          {"sorted", sorted},  {"grid moved", tiny}, {"sphere moved", near}, {"sheet", sheet},
          {"two planes", thin}};
}

void expect_same(const ConvexHull& a, const ConvexHull& b, const char* name) {
  EXPECT_EQ(a.dimension, b.dimension) << name;
  EXPECT_EQ(a.source, b.source) << name;
  EXPECT_EQ(a.face_vertices, b.face_vertices) << name;
  ASSERT_EQ(a.faces.size(), b.faces.size()) << name;
  for (std::size_t f = 0; f < a.faces.size(); ++f) {
    ASSERT_EQ(a.faces[f].normal, b.faces[f].normal) << name;
    ASSERT_EQ(a.faces[f].offset, b.faces[f].offset) << name;
  }
}

TEST(HullMethods, GiveTheSameBitsAndProofsForAnyNumberOfThreads) {
  for (const int count : {60, test::effort(20000)}) {
    for (const auto& [name, points] : sets(count)) {
      const ConvexHull hull = convex_hull(points);
      expect_same(hull, convex_hull(points, {HullMethod::quickhull, 1}), name);
      expect_same(hull, convex_hull(points, {HullMethod::quickhull, 3}), name);
      expect_same(hull, convex_hull(points, {HullMethod::horizon, 0}), name);
      EXPECT_EQ(check_hull(points, hull).problem, "") << name << ' ' << count;
    }
  }
}

double distance_by_all_faces(const ConvexHull& hull, const Vec3& p) {
  double least = std::numeric_limits<double>::infinity();
  bool outside = hull.dimension < 3;
  for (const ConvexHull::Face& face : hull.faces) {
    const auto c = hull.corners(face);
    const auto& v = hull.vertices;
    if (orient3d(v[c[0]], v[c[1]], v[c[2]], p) > 0) outside = true;
    for (std::size_t i = 1; i + 1 < c.size(); ++i)
      least = std::fmin(least, point_to_triangle(p, {v[c[0]], v[c[i]], v[c[i + 1]]}).distance);
  }
  return outside ? least : 0.0;
}

TEST(LimitedHull, BoundsWhatItLeavesOut) {
  for (const auto& [name, points] : sets(test::effort(1000))) {
    const ConvexHull full = convex_hull(points);
    double last = std::numeric_limits<double>::infinity();
    for (const std::uint32_t most : {4u, 9u, 30u, 100u}) {
      const LimitedHull limited = limited_hull(points, most);
      ASSERT_LE(limited.hull.vertices.size(), most) << name;
      for (std::size_t i = 0; i < limited.hull.source.size(); ++i)
        ASSERT_EQ(points[limited.hull.source[i]], limited.hull.vertices[i]) << name;
      double farthest = 0.0, size = 0.0;
      for (const Vec3& p : points) size = std::fmax(size, max_abs(p));
      for (std::size_t i = 0; i < points.size(); i += 7)
        farthest = std::fmax(farthest, distance_by_all_faces(limited.hull, points[i]));
      for (const Vec3& p : full.vertices)
        farthest = std::fmax(farthest, distance_by_all_faces(limited.hull, p));
      // Not farther than said, and said no larger than it is.
      EXPECT_LE(farthest, limited.error) << name << ' ' << most;
      EXPECT_LE(limited.error, farthest + 1e-12 * size) << name << ' ' << most;
      EXPECT_LE(limited.error, 1.5 * last) << name << ' ' << most;
      last = limited.error;
    }
    const LimitedHull all = limited_hull(points, 1000000);
    EXPECT_EQ(all.error, 0.0) << name;
    expect_same(all.hull, full, name);
  }
}

TEST(LimitedHull, OfFlatSets) {
  Points circle;
  for (int i = 0; i < 200; ++i) {
    const double angle = 2.0 * 3.141592653589793 * i / 200.0;
    circle.push_back({std::cos(angle), 0.25, std::sin(angle)});
  }
  for (const std::uint32_t most : {3u, 8u, 50u}) {
    const LimitedHull limited = limited_hull(circle, most);
    ASSERT_EQ(limited.hull.dimension, 2);
    EXPECT_EQ(limited.hull.vertices.size(), most);
    double farthest = 0.0;
    for (const Vec3& p : circle)
      farthest = std::fmax(farthest, distance_by_all_faces(limited.hull, p));
    EXPECT_LE(farthest, limited.error);
    EXPECT_LE(limited.error, farthest + 1e-12);
  }
  EXPECT_EQ(limited_hull(circle, 200).error, 0.0);
  EXPECT_EQ(limited_hull(grid(9, 1, 1, 1.0), 2).hull.vertices.size(), 2u);
  EXPECT_EQ(limited_hull(grid(1, 1, 1, 1.0), 1).hull.vertices.size(), 1u);
}

TEST(LimitedHull, RefusesFewerVerticesThanTheDimensionNeeds) {
  EXPECT_THROW(limited_hull(grid(2, 2, 2, 1.0), 3), InvalidInput);
  EXPECT_THROW(limited_hull(grid(2, 2, 1, 1.0), 2), InvalidInput);
  EXPECT_THROW(limited_hull({}, 8), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail
