// The ways to find a hull's farthest vertex, against the scan over all vertices.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/mesh/hull/vertex_search.hpp"
#include "tactus/mesh/support/direction_map.hpp"

namespace tactus::detail {
namespace {

Vec3 random_unit(Random& random) {
  for (;;) {
    const double x = random.uniform(-1, 1);
    const double y = random.uniform(-1, 1);
    const double z = random.uniform(-1, 1);
    const Vec3 v{x, y, z};
    const double length = norm(v);
    if (length > 1e-2 && length < 1.0) return v / length;
  }
}

// Random directions, those of faces and edges (ties within rounding), and the axes.
std::vector<Vec3> directions_for(const ConvexHull& hull, Random& random) {
  std::vector<Vec3> all;
  for (int i = 0; i < 1500; ++i) all.push_back(random_unit(random));
  for (std::size_t i = 0; i < hull.faces.size() && i < 400; ++i) {
    all.push_back(hull.faces[i].normal);
    all.push_back(normalized(hull.faces[i].normal + random_unit(random) * 1e-15));
  }
  for (std::size_t i = 0; i < hull.edges.size() && i < 400; ++i) {
    const ConvexHull::Edge& e = hull.edges[i];
    if (!hull.faces.empty())
      all.push_back(normalized(hull.faces[e.left].normal + hull.faces[e.right].normal));
    all.push_back(any_perpendicular(normalized(hull.vertices[e.head] - hull.vertices[e.tail])));
  }
  for (int i = 0; i < 3; ++i) {
    Vec3 axis;
    axis[i] = 1.0;
    all.push_back(axis);
    all.push_back(-axis);
  }
  return all;
}

std::vector<ConvexHull> hulls() {
  Random random(51);
  std::vector<ConvexHull> all;
  const auto add = [&](int count, auto&& point) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(point(i));
    all.push_back(convex_hull(points));
  };
  const auto on_ellipsoid = [&](const Vec3& radii, const Vec3& center) {
    return [&random, radii, center](int) {
      return component_product(random_unit(random), radii) + center;
    };
  };
  for (const int count : {4, 12, 13, 20, 64, 128, 129, 300, 1024})
    add(count, on_ellipsoid({1.0, 0.7, 0.5}, {}));
  add(200, on_ellipsoid({1.0, 1e-3, 1.0}, {0.1, 5.0, 0.0}));  // a lens, off centre
  add(200, on_ellipsoid({1e-4, 1.0, 1e-4}, {}));              // a needle
  add(100, on_ellipsoid({1.0, 1.0, 1.0}, {1e6, -2e6, 3e6}));  // far away
  add(300, on_ellipsoid({1.0, 1.0, 1.0}, {1e6, -2e6, 3e6}));
  add(100, on_ellipsoid({1e-30, 1e-30, 2e-30}, {}));  // tiny
  add(300, on_ellipsoid({1e-30, 1e-30, 2e-30}, {}));
  // A cube's corner with a cluster of vertices, 1e-9 apart and less.
  add(300, [&](int i) {
    if (i < 8) return Vec3{i % 2 - 0.5, i / 2 % 2 - 0.5, i / 4 - 0.5};
    return Vec3{0.5, 0.5, 0.5} + random_unit(random) * std::pow(10.0, -random.uniform(9, 17));
  });
  // Regular: many ties.
  add(729, [](int i) { return Vec3{i % 9 - 4.0, i / 9 % 9 - 4.0, i / 81 - 4.0}; });
  add(60, [](int i) {
    const double angle = 2.0 * 3.141592653589793 * (i % 30) / 30.0;
    return Vec3{std::cos(angle), std::sin(angle), i < 30 ? 0.25 : -0.25};
  });
  // The rims of prisms: many candidates for each direction near their axes.
  for (const int sides : {400, 1500}) {
    for (const double tilt : {0.0, 1e-4}) {
      add(2 * sides, [&](int i) {
        const double angle = 2.0 * 3.141592653589793 * (i % sides) / sides;
        const Vec3 p{std::cos(angle), std::sin(angle), i < sides ? 0.25 : -0.25};
        return Vec3{p.x + tilt * p.z, p.y - tilt * p.z, p.z + tilt * p.x};
      });
    }
  }
  // Flat: 40 corners in a plane.
  add(40, [](int i) {
    const double angle = 2.0 * 3.141592653589793 * i / 40.0;
    return Vec3{std::cos(angle), std::sin(angle), 0.0};
  });
  return all;
}

TEST(DirectionMap, HasTheBitsOfTheScan) {
  Random random(52);
  int mapped = 0;
  for (const ConvexHull& hull : hulls()) {
    const DirectionMap map(hull.vertices);
    EXPECT_EQ(map.small(), hull.vertices.size() <= DirectionMap::kGroupedVertices);
    EXPECT_EQ(map.large(), hull.vertices.size() > DirectionMap::kChamberVertices);
    mapped += map.small() ? 0 : 1;
    for (const Vec3& n : directions_for(hull, random)) {
      const DirectionMap::Found found = map.farthest(hull.vertices.data(), n);
      ASSERT_EQ(found.vertex, farthest_by_scan(hull.vertices, n))
          << mapped << ' ' << hull.vertices.size();
      ASSERT_EQ(*found.point, hull.vertices[found.vertex]);
    }
  }
  EXPECT_GE(mapped, 13);
}

// Every number of vertices in the last group, and many equals: the lowest index wins in every lane.
TEST(VertexGroups, HaveTheBitsOfTheScan) {
  Random random(57);
  for (std::size_t count = 1; count <= 40; ++count) {
    std::vector<Vec3> points[2];
    for (auto& of_hull : points) {
      for (std::size_t i = 0; i < count; ++i) {
        const double x = std::floor(random.uniform(-2.0, 3.0));
        const double y = std::floor(random.uniform(-2.0, 3.0));
        of_hull.push_back({x, y, random.uniform() < 0.5 ? 1.0 : random.uniform()});
      }
    }
    const VertexGroups a(points[0]), b(points[1]);
    for (int i = 0; i < 200; ++i) {
      const Vec3 n =
          i % 2 == 0 ? random_unit(random) : Vec3{1.0, std::floor(random.uniform(-1.0, 2.0)), 0.0};
      const Vec3 m = -n;
      std::uint32_t found[2];
      VertexGroups::farthest_of_both(a, n, b, m, found);
      ASSERT_EQ(found[0], farthest_by_scan(points[0], n)) << count;
      ASSERT_EQ(found[1], farthest_by_scan(points[1], m)) << count;
      ASSERT_EQ(a.farthest(n), found[0]) << count;
    }
  }
}

// More than sixteen bits can tell apart.
TEST(DirectionMap, FindsEachOfVeryManyVertices) {
  Random random(56);
  std::vector<Vec3> points;
  for (int i = 0; i < 70000; ++i)
    points.push_back(component_product(random_unit(random), {1.0, 0.7, 0.5}));
  const DirectionMap map(points);
  for (int i = 0; i < 300; ++i) {
    const Vec3 n = random_unit(random);
    ASSERT_EQ(map.farthest(points.data(), n).vertex, farthest_by_scan(points, n));
  }
}

// Lists of a prism's rims would grow as the square of the side of the map does, for each vertex.
TEST(DirectionMap, GrowsAsTheVerticesDo) {
  std::vector<double> bytes;
  for (const int sides : {500, 5000, 20000}) {
    std::vector<Vec3> points;
    for (int i = 0; i < sides; ++i) {
      const double angle = 2.0 * 3.141592653589793 * i / sides;
      for (const double z : {-0.5, 0.5}) points.push_back({std::cos(angle), std::sin(angle), z});
    }
    const DirectionMap map(points);
    bytes.push_back(static_cast<double>(map.bytes()) / (2.0 * sides));
    EXPECT_LT(bytes.back(), 2.0 * bytes.front()) << sides;
  }
}

TEST(DirectionMap, ListsAreShortOnRoundHullsOfEverySize) {
  Random random(53);
  for (const int count : {40, 64, 256, 1000, 4096}) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i)
      points.push_back(component_product(random_unit(random), {1.0, 0.2, 0.5}));
    const ConvexHull hull = convex_hull(points);
    const DirectionMap map(hull.vertices);
    double sum = 0.0;
    for (int i = 0; i < 1000; ++i) sum += static_cast<double>(map.candidates(random_unit(random)));
    EXPECT_LT(sum / 1000.0, 10.0) << count;
    EXPECT_LT(map.bytes(), 96u * static_cast<std::size_t>(count)) << count;
  }
}

TEST(DirectionMap, DirectionsThatAreNotNumbersStayInside) {
  Random random(54);
  for (const int count : {20, 300}) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(random_unit(random));
    const ConvexHull hull = convex_hull(points);
    const DirectionMap map(hull.vertices);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    for (const Vec3& n : {Vec3{}, Vec3{nan, 0, 0}, Vec3{nan, nan, nan},
                          Vec3{infinity, 0, -infinity}, Vec3{0, -infinity, 0}})
      EXPECT_LT(map.farthest(hull.vertices.data(), n).vertex, hull.vertices.size());
  }
}

TEST(VertexSearch, EveryStrategyReachesTheLargestValue) {
  Random random(55);
  for (const ConvexHull& hull : hulls()) {
    const StartGrid grid(hull);
    const VertexHierarchy hierarchy(hull);
    double reach = 0.0;
    for (const Vec3& v : hull.vertices) reach = std::max(reach, norm(v));
    // Climbing takes steps below rounding for level: along a rim it may lose one at each corner.
    const double loss = (4e-15 + 5e-17 * static_cast<double>(hull.vertices.size())) * reach;
    std::uint32_t last = 0;
    for (const Vec3& n : directions_for(hull, random)) {
      const double most = dot(hull.vertices[farthest_by_scan(hull.vertices, n)], n);
      last = farthest_by_climbing(hull, n, last);
      EXPECT_NEAR(dot(hull.vertices[last], n), most, loss);
      const std::uint32_t from_grid = farthest_by_climbing(hull, n, grid.start(n));
      EXPECT_NEAR(dot(hull.vertices[from_grid], n), most, loss);
      const std::uint32_t by_levels = hierarchy.farthest(hull, n);
      EXPECT_NEAR(dot(hull.vertices[by_levels], n), most, loss);
    }
  }
}

TEST(VertexSearch, HierarchyHasLogarithmicallyManyLevels) {
  Random random(56);
  std::vector<Vec3> points;
  for (int i = 0; i < 1024; ++i) points.push_back(random_unit(random));
  const VertexHierarchy hierarchy(convex_hull(points));
  EXPECT_GE(hierarchy.levels(), 8u);
  EXPECT_LE(hierarchy.levels(), 24u);
}

}  // namespace
}  // namespace tactus::detail
