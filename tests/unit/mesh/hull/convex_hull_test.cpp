#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/core/random.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/mesh.hpp"
#include "tests/support/big_integer.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

using Points = std::vector<Vec3>;
using Index = std::uint32_t;

Vec3 random_vector(Random& random, double low, double high) {
  const double x = random.uniform(low, high);
  const double y = random.uniform(low, high);
  const double z = random.uniform(low, high);
  return {x, y, z};
}

Points random_points(Random& random, int count) {
  Points points;
  for (int i = 0; i < count; ++i) points.push_back(random_vector(random, -1, 1));
  return points;
}

Points on_sphere(Random& random, int count) {
  Points points = random_points(random, count);
  for (Vec3& p : points) p = normalized(p);
  return points;
}

Points grid(int nx, int ny, int nz, double step) {
  Points points;
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      for (int k = 0; k < nz; ++k) points.push_back(Vec3{double(i), double(j), double(k)} * step);
    }
  }
  return points;
}

Points whole_points_on_sphere(int squared_radius) {
  Points points;
  const int r = static_cast<int>(std::sqrt(squared_radius));
  for (int i = -r; i <= r; ++i) {
    for (int j = -r; j <= r; ++j) {
      for (int k = -r; k <= r; ++k) {
        if (i * i + j * j + k * k == squared_radius)
          points.push_back({double(i), double(j), double(k)});
      }
    }
  }
  return points;
}

Points perturbed(Random& random, Points points, double size) {
  for (Vec3& p : points) p += random_vector(random, -size, size);
  return points;
}

void shuffle(Random& random, Points& points) {
  for (std::size_t i = points.size(); i > 1; --i) {
    std::swap(points[i - 1], points[random.below(static_cast<std::uint32_t>(i))]);
  }
}

bool less(const Vec3& a, const Vec3& b) {
  return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
}

Points sorted_vertices(const ConvexHull& hull) {
  Points vertices = hull.vertices;
  std::sort(vertices.begin(), vertices.end(), less);
  return vertices;
}

double reach(const Points& points) {
  double largest = 0.0;
  for (const Vec3& p : points) largest = std::fmax(largest, max_abs(p));
  return largest;
}

// Vertices are the named input points, ascending, the first among equals.
void expect_sources(const Points& points, const ConvexHull& hull) {
  ASSERT_EQ(hull.source.size(), hull.vertices.size());
  ASSERT_TRUE(std::is_sorted(hull.source.begin(), hull.source.end()));
  for (std::size_t i = 0; i < hull.source.size(); ++i) {
    ASSERT_EQ(points.at(hull.source[i]), hull.vertices[i]);
    const auto first = std::find(points.begin(), points.end(), hull.vertices[i]);
    ASSERT_EQ(hull.source[i], static_cast<Index>(first - points.begin()));
  }
}

void expect_neighbors(const ConvexHull& hull) {
  std::vector<std::vector<Index>> expected(hull.vertices.size());
  for (const auto& edge : hull.edges) {
    expected.at(edge.tail).push_back(edge.head);
    expected.at(edge.head).push_back(edge.tail);
  }
  ASSERT_EQ(hull.neighbor_first.size(), hull.vertices.size() + 1);
  for (Index v = 0; v < hull.vertices.size(); ++v) {
    std::sort(expected[v].begin(), expected[v].end());
    const auto neighbors = hull.neighbors_of(v);
    ASSERT_EQ(std::vector<Index>(neighbors.begin(), neighbors.end()), expected[v]);
  }
}

// Every directed side of every face appears once, and the edges name exactly these.
void expect_edges(const ConvexHull& hull) {
  std::map<std::pair<Index, Index>, Index> sides;
  for (Index f = 0; f < hull.faces.size(); ++f) {
    const auto corners = hull.corners(hull.faces[f]);
    ASSERT_GE(corners.size(), 3u);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const auto side = std::pair(corners[i], corners[(i + 1) % corners.size()]);
      ASSERT_TRUE(sides.emplace(side, f).second);
    }
  }
  ASSERT_EQ(hull.edges.size() * (hull.dimension == 3 ? 2 : 1), sides.size());
  for (const auto& edge : hull.edges) {
    ASSERT_EQ(sides.at({edge.tail, edge.head}), edge.left);
    if (hull.dimension == 3) {
      ASSERT_LT(edge.tail, edge.head);
      ASSERT_EQ(sides.at({edge.head, edge.tail}), edge.right);
      ASSERT_NE(edge.left, edge.right);
    } else {
      ASSERT_EQ(edge.right, 0u);
    }
  }
}

void expect_normals(const Points& points, const ConvexHull& hull) {
  const double slack = 1e-15 * reach(points);
  for (const auto& face : hull.faces) {
    ASSERT_NEAR(norm(face.normal), 1.0, 4e-16);
    const auto corners = hull.corners(face);
    double farthest = -1e300;
    for (const Index v : corners)
      farthest = std::fmax(farthest, dot(face.normal, hull.vertices[v]));
    ASSERT_EQ(face.offset, farthest);
    // Each corner lies in the plane as far as the dot product can tell.
    for (const Index v : corners)
      ASSERT_GE(dot(face.normal, hull.vertices[v]), face.offset - slack);
    if (hull.dimension != 3) continue;
    for (const Vec3& p : points) ASSERT_LE(dot(face.normal, p), face.offset + slack);
  }
}

// No point outside, faces flat, strictly convex and not mergeable: by exact predicates.
void expect_exact_boundary(const Points& points, const ConvexHull& hull) {
  const auto& v = hull.vertices;
  const auto side_of = [&](const ConvexHull::Face& face, const Vec3& p) {
    const auto c = hull.corners(face);
    return orient3d(v[c[0]], v[c[1]], v[c[2]], p);
  };
  for (const auto& face : hull.faces) {
    const auto corners = hull.corners(face);
    for (const Vec3& p : points) ASSERT_LE(side_of(face, p), 0);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      ASSERT_EQ(side_of(face, v[corners[i]]), 0);
      ASSERT_FALSE(collinear(v[corners[i]], v[corners[(i + 1) % corners.size()]],
                             v[corners[(i + 2) % corners.size()]]));
    }
  }
  for (const auto& edge : hull.edges) {
    int below = 0;
    for (const Index c : hull.corners(hull.faces[edge.right])) {
      if (side_of(hull.faces[edge.left], v[c]) < 0) ++below;
    }
    ASSERT_EQ(below, static_cast<int>(hull.faces[edge.right].count) - 2);
  }
}

void expect_hull(const Points& points, const ConvexHull& hull) {
  expect_sources(points, hull);
  expect_neighbors(hull);
  if (hull.dimension < 2) {
    ASSERT_EQ(hull.vertices.size(), static_cast<std::size_t>(hull.dimension + 1));
    ASSERT_TRUE(hull.faces.empty());
    ASSERT_EQ(hull.edges.size(), static_cast<std::size_t>(hull.dimension));
    return;
  }
  expect_edges(hull);
  expect_normals(points, hull);
  if (hull.dimension == 2) {
    ASSERT_EQ(hull.faces.size(), 1u);
    ASSERT_EQ(hull.faces[0].count, hull.vertices.size());
    return;
  }
  ASSERT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
  expect_exact_boundary(points, hull);
}

// The hull of the points, checked, and the same after shuffling them.
ConvexHull checked_hull(const Points& points) {
  ConvexHull hull = convex_hull(points);
  expect_hull(points, hull);
  Random random(points.size());
  Points shuffled = points;
  shuffle(random, shuffled);
  const ConvexHull again = convex_hull(shuffled);
  EXPECT_EQ(sorted_vertices(again), sorted_vertices(hull));
  EXPECT_EQ(again.faces.size(), hull.faces.size());
  EXPECT_EQ(again.edges.size(), hull.edges.size());
  return hull;
}

// Is p in the closed simplex of the corners? The simplex must not be degenerate.
bool in_tetrahedron(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  using test::true_orient3d;
  const int side = true_orient3d(a, b, c, d);
  return side != 0 && true_orient3d(p, b, c, d) * side >= 0 &&
         true_orient3d(a, p, c, d) * side >= 0 && true_orient3d(a, b, p, d) * side >= 0 &&
         true_orient3d(a, b, c, p) * side >= 0;
}

// By definition, for sets that span space: a point is no vertex when it lies in a tetrahedron of
// others.
Points vertices_by_definition(const Points& points) {
  Points distinct = points;
  std::sort(distinct.begin(), distinct.end(), less);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  Points result;
  for (const Vec3& p : distinct) {
    Points others;
    std::copy_if(distinct.begin(), distinct.end(), std::back_inserter(others),
                 [&](const Vec3& q) { return !(q == p); });
    bool inside = false;
    for (std::size_t a = 0; a < others.size() && !inside; ++a) {
      for (std::size_t b = 0; b < a && !inside; ++b) {
        for (std::size_t c = 0; c < b && !inside; ++c) {
          for (std::size_t d = 0; d < c && !inside; ++d) {
            inside = in_tetrahedron(p, others[a], others[b], others[c], others[d]);
          }
        }
      }
    }
    if (!inside) result.push_back(p);
  }
  return result;
}

TEST(ConvexHull, OfACubeHasSixSquares) {
  const ConvexHull hull = checked_hull(grid(2, 2, 2, 1.0));
  EXPECT_EQ(hull.dimension, 3);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.edges.size(), 12u);
  ASSERT_EQ(hull.faces.size(), 6u);
  std::set<std::array<double, 4>> planes;
  for (const auto& f : hull.faces) planes.insert({f.normal.x, f.normal.y, f.normal.z, f.offset});
  const std::set<std::array<double, 4>> expected = {{1, 0, 0, 1},  {0, 1, 0, 1},  {0, 0, 1, 1},
                                                    {-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}};
  EXPECT_EQ(planes, expected);
  for (Index v = 0; v < 8; ++v) EXPECT_EQ(hull.neighbors_of(v).size(), 3u);
}

TEST(ConvexHull, MatchesTheDefinitionOnSmallSets) {
  Random random(1);
  for (int i = 0; i < test::effort(150); ++i) {
    Points points;
    const int count = 5 + static_cast<int>(random.below(6));
    for (int k = 0; k < count; ++k) {
      const double x = random.below(3);
      const double y = random.below(3);
      const double z = random.below(4);
      points.push_back(Vec3{x, y, z} * (i % 2 == 0 ? 1.0 : 0.1));
    }
    if (i % 3 == 0) points = perturbed(random, points, 1e-15);
    const ConvexHull hull = checked_hull(points);
    if (hull.dimension == 3) {
      ASSERT_EQ(sorted_vertices(hull), vertices_by_definition(points));
    }
    if (HasFailure()) return;
  }
}

TEST(ConvexHull, OfRandomSets) {
  Random random(2);
  for (const int count : {4, 5, 10, 50, 300}) {
    const ConvexHull hull = checked_hull(random_points(random, count));
    EXPECT_EQ(hull.dimension, 3);
    const ConvexHull sphere = checked_hull(on_sphere(random, count));
    EXPECT_EQ(sphere.vertices.size(), static_cast<std::size_t>(count));
  }
}

TEST(ConvexHull, OfGridsIsTheBox) {
  for (const double step : {1.0, 0.1, 1e-30, 1e200}) {
    const ConvexHull hull = checked_hull(grid(4, 5, 6, step));
    // Multiples of 0.1 are still exactly equal from layer to layer.
    EXPECT_EQ(hull.vertices.size(), 8u) << step;
    EXPECT_EQ(hull.faces.size(), 6u) << step;
  }
}

TEST(ConvexHull, OfCosphericalWholePoints) {
  for (const int squared_radius : {1, 2, 3, 14, 26, 101, 269}) {
    const Points points = whole_points_on_sphere(squared_radius);
    const ConvexHull hull = checked_hull(points);
    EXPECT_EQ(hull.vertices.size(), points.size()) << squared_radius;
  }
  EXPECT_EQ(checked_hull(whole_points_on_sphere(1)).faces.size(), 8u);   // octahedron
  EXPECT_EQ(checked_hull(whole_points_on_sphere(2)).faces.size(), 14u);  // cuboctahedron
}

TEST(ConvexHull, OfAlmostDegenerateSets) {
  Random random(3);
  for (const double size : {1e-16, 1e-15, 1e-12}) {
    checked_hull(perturbed(random, grid(3, 3, 3, 1.0), size));
    checked_hull(perturbed(random, grid(10, 10, 1, 0.3), size));
    checked_hull(perturbed(random, grid(40, 1, 1, 0.3), size));
    checked_hull(perturbed(random, Points(30, Vec3{1, 2, 3}), size));
    checked_hull(perturbed(random, whole_points_on_sphere(14), size));
    if (HasFailure()) return;
  }
}

TEST(ConvexHull, OfRotatedPlanesAndPrisms) {
  // Points of a plane that rounding moved out of it, and long needles.
  Random random(4);
  for (int i = 0; i < test::effort(30); ++i) {
    const Vec3 u = random_vector(random, -1, 1), v = random_vector(random, -1, 1);
    Points points;
    for (int k = 0; k < 60; ++k) {
      const double s = random.uniform(-1, 1);
      const double t = random.uniform(-1, 1);
      points.push_back(u * s + v * t + Vec3{10, 20, 30});
    }
    checked_hull(points);
    for (Vec3& p : points) p = component_product(p, {1e-8, 1.0, 1e6});
    checked_hull(points);
    if (HasFailure()) return;
  }
}

TEST(ConvexHull, IgnoresRepeatedPoints) {
  Random random(5);
  Points points = on_sphere(random, 20);
  const Points once = points;
  for (int i = 0; i < 5; ++i) points.insert(points.end(), once.begin(), once.end());
  const ConvexHull hull = checked_hull(points);
  EXPECT_EQ(hull.vertices, once);
  EXPECT_EQ(hull.source.back(), 19u);
}

TEST(ConvexHull, DropsPointsInsideEdgesAndFaces) {
  Points points = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
  points.insert(points.begin(), {{2, 0, 0}, {1, 1, 0}, {0, 2, 2}, {1, 1, 2}, {1, 1, 1}, {3, 1, 0}});
  const ConvexHull hull = checked_hull(points);
  EXPECT_EQ(hull.source, (std::vector<Index>{6, 7, 8, 9}));
  EXPECT_EQ(hull.faces.size(), 4u);
}

TEST(ConvexHull, OfAPlaneIsOnePolygon) {
  // The plane x + y + z = 3, exactly.
  Points points;
  for (int i = 0; i <= 6; ++i) {
    for (int j = 0; i + j <= 6; ++j) points.push_back({double(i), double(j), 3.0 - i - j});
  }
  const ConvexHull hull = checked_hull(points);
  EXPECT_EQ(hull.dimension, 2);
  EXPECT_EQ(sorted_vertices(hull), (Points{{0, 0, 3}, {0, 6, -3}, {6, 0, -3}}));
  ASSERT_EQ(hull.faces.size(), 1u);
  EXPECT_NEAR(std::fabs(dot(hull.faces[0].normal, Vec3{1, 1, 1})), std::sqrt(3.0), 1e-15);
  // Corners run counter-clockwise about the normal.
  const auto c = hull.corners(hull.faces[0]);
  const Vec3 area =
      cross(hull.vertices[c[1]] - hull.vertices[c[0]], hull.vertices[c[2]] - hull.vertices[c[0]]);
  EXPECT_GT(dot(area, hull.faces[0].normal), 0.0);

  for (int axis = 0; axis < 3; ++axis) {
    Points flat = grid(5, 4, 1, 0.1);
    for (Vec3& p : flat) {
      const Vec3 q = p;
      for (int k = 0; k < 3; ++k) p[(k + axis) % 3] = q[k];
    }
    const ConvexHull rectangle = checked_hull(flat);
    EXPECT_EQ(rectangle.dimension, 2);
    EXPECT_EQ(rectangle.vertices.size(), 4u);
  }
}

TEST(ConvexHull, OfALineIsASegment) {
  Points points;
  for (int i = 0; i < 9; ++i)
    points.push_back(Vec3{1.0, -2.0, 3.0} * double((i * 4) % 9) + Vec3{5, 5, 5});
  const ConvexHull hull = checked_hull(points);
  EXPECT_EQ(hull.dimension, 1);
  EXPECT_EQ(sorted_vertices(hull), (Points{{5, 5, 5}, {13, -11, 29}}));
  ASSERT_EQ(hull.neighbors_of(0).size(), 1u);
  EXPECT_EQ(hull.neighbors_of(0)[0], 1u);
}

TEST(ConvexHull, OfAPointIsAPoint) {
  for (const Vec3& p : {Vec3{}, Vec3{1, 2, 3}, Vec3{1e300, -1e300, 1e-300}}) {
    const ConvexHull hull = checked_hull(Points(7, p));
    EXPECT_EQ(hull.dimension, 0);
    EXPECT_EQ(hull.vertices, Points{p});
    EXPECT_EQ(hull.source, std::vector<Index>{0});
  }
}

TEST(ConvexHull, ReachesTheEndsOfTheRange) {
  Random random(6);
  for (const double scale : {1e-300, 1e300}) {
    Points points = on_sphere(random, 30);
    for (Vec3& p : points) p *= scale;
    const ConvexHull hull = convex_hull(points);
    EXPECT_EQ(hull.vertices.size(), 30u);
    EXPECT_EQ(hull.faces.size(), 56u);
    for (const auto& face : hull.faces) EXPECT_NEAR(norm(face.normal), 1.0, 4e-16);
  }
}

TEST(ConvexHull, OfCoordinatesOfAllMagnitudesIsClosed) {
  Random random(8);
  for (int i = 0; i < test::effort(200); ++i) {
    Points points = random_points(random, 40);
    const int spread = static_cast<int>(random.below(1000)) + 1;
    for (Vec3& p : points) {
      for (int k = 0; k < 3; ++k) {
        p[k] = std::ldexp(p[k],
                          500 - static_cast<int>(random.below(static_cast<std::uint32_t>(spread))));
      }
    }
    const ConvexHull hull = convex_hull(points);
    expect_sources(points, hull);
    expect_neighbors(hull);
    expect_edges(hull);
    ASSERT_EQ(hull.dimension, 3);
    ASSERT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
    for (const auto& face : hull.faces) ASSERT_NEAR(norm(face.normal), 1.0, 4e-16);
  }
}

TEST(ConvexHull, NormalsOfSliversAreAccurate) {
  // A needle of length 4, 1e-12 thin.
  const Vec3 a{1, 1, 1}, b{2, 3, 4};
  const Vec3 near_b = b + Vec3{1e-12, 0, 0}, top = b + Vec3{0, 1e-12, 3e-12};
  const ConvexHull hull = checked_hull({a, b, near_b, top});
  ASSERT_EQ(hull.faces.size(), 4u);
  for (const auto& face : hull.faces) {
    const auto c = hull.corners(face);
    const auto truth =
        test::true_cross(hull.vertices[c[0]], hull.vertices[c[1]], hull.vertices[c[2]]);
    constexpr int kShift = 2 * test::BigVector::kShift;
    const long double x = truth.x.value(kShift), y = truth.y.value(kShift),
                      z = truth.z.value(kShift);
    const long double length = std::sqrt(x * x + y * y + z * z);
    EXPECT_NEAR(face.normal.x, static_cast<double>(x / length), 4e-16);
    EXPECT_NEAR(face.normal.y, static_cast<double>(y / length), 4e-16);
    EXPECT_NEAR(face.normal.z, static_cast<double>(z / length), 4e-16);
  }
}

TEST(ConvexHull, OfManyPoints) {
  Random random(7);
  const Points points = random_points(random, test::effort(200000));
  const ConvexHull hull = convex_hull(points);
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
  const double slack = 1e-15;
  for (std::size_t f = 0; f < hull.faces.size(); f += 37) {
    for (const Vec3& p : points) {
      ASSERT_LE(dot(hull.faces[f].normal, p), hull.faces[f].offset + slack);
    }
  }
}

TEST(ConvexHull, RefusesNothingAndNonFinitePoints) {
  EXPECT_THROW(convex_hull({}), InvalidInput);
  const Points points = {{0, 0, 0}, {1, std::nan(""), 0}};
  try {
    convex_hull(points);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "vertices[1]");
  }
}

}  // namespace
}  // namespace tactus::detail
