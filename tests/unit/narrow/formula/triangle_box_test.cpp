#include "tactus/narrow/formula/triangle_box.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "tactus/core/constants.hpp"
#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/triangle_cases.hpp"

namespace tactus::detail {
namespace {

constexpr double kBound = 1e-14;

double size_of(const Triangle& t, const Vec3& half) {
  double size = max_abs(half);
  for (const Vec3& c : t.corner) size = std::max(size, max_abs(c));
  return size;
}

// The box's surface as twelve triangles.
std::array<Triangle, 12> surface(const Vec3& half) {
  std::array<Triangle, 12> faces;
  std::size_t count = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (const double side : {-1.0, 1.0}) {
      const auto corner = [&](double u, double v) {
        Vec3 c;
        c[i] = side * half[i];
        c[j] = u * half[j];
        c[k] = v * half[k];
        return c;
      };
      faces[count++] = {{corner(-1, -1), corner(1, -1), corner(1, 1)}};
      faces[count++] = {{corner(-1, -1), corner(1, 1), corner(-1, 1)}};
    }
  }
  return faces;
}

bool inside(const Vec3& p, const Vec3& half) {
  return std::fabs(p.x) <= half.x && std::fabs(p.y) <= half.y && std::fabs(p.z) <= half.z;
}

// The largest gap of the thirteen axes, in extended precision; minus infinity for those without
// direction.
double best_of_axes(const Triangle& t, const Vec3& half) {
  using lab::Point;
  using lab::Real;
  const Point corner[3] = {Point(t.corner[0]), Point(t.corner[1]), Point(t.corner[2])};
  const Point axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Real best = -std::numeric_limits<Real>::infinity();
  const auto consider = [&](const Point& m) {
    const Real length = lab::norm(m);
    if (!(length > 0)) return;
    Real low = std::numeric_limits<Real>::infinity(), high = -low, reach = 0;
    for (const Point& c : corner) {
      low = std::min(low, lab::dot(m, c) / length);
      high = std::max(high, lab::dot(m, c) / length);
    }
    for (int i = 0; i < 3; ++i) reach += std::fabs(m[i]) / length * static_cast<Real>(half[i]);
    best = std::max({best, low - reach, -high - reach});
  };
  for (int i = 0; i < 3; ++i) {
    consider(axis[i]);
    for (int k = 0; k < 3; ++k) consider(lab::cross(axis[i], corner[(k + 1) % 3] - corner[k]));
  }
  consider(lab::cross(corner[1] - corner[0], corner[2] - corner[0]));
  return static_cast<double>(best);
}

double by_trial(const Triangle& t, const Vec3& half) {
  const double along_axes = best_of_axes(t, half);
  if (along_axes <= 0.0 || inside(t.corner[0], half)) return std::min(along_axes, 0.0);
  double least = kInfinity;
  for (const Triangle& face : surface(half))
    least = std::min(least, TriangleReference::distance(t, face));
  return least;
}

Triangle triangle_near_box(Random& random, int i) {
  const int kind = i % kTriangleClasses;
  const auto [a, b] = random_pair(random, kind);
  const Triangle t = i % 2 == 0 ? a : b;
  const Triangle centered = moved(t, -t.corner[random.below(3)]);
  return moved(centered, random_corner(random, i % 3 == 0 ? 0.4 : 1.2));
}

Vec3 random_half(Random& random, int i) {
  const double x = random.uniform(0.1, 1.0);
  const double y = random.uniform(0.1, 1.0);
  const double z = random.uniform(0.1, 1.0);
  return {x, i % 11 == 0 ? 0.0 : y, i % 7 == 0 ? 1e-6 : z};
}

TEST(TriangleBox, AgreesWithTrialOfAllFeatures) {
  Random random(31);
  int apart = 0, meeting = 0;
  for (int i = 0; i < test::effort(20000); ++i) {
    const Triangle t = triangle_near_box(random, i);
    const Vec3 half = random_half(random, i);
    const TriangleSeparation r = triangle_to_box(t, half);
    const double size = size_of(t, half);
    ASSERT_NEAR(r.value, by_trial(t, half), kBound * size) << i;
    ASSERT_NEAR(norm(r.n), 1.0, 1e-15);
    ++(r.value > 0.0 ? apart : meeting);
    if (!(r.value > 0.0)) continue;
    ASSERT_NEAR(norm((r.b - r.a) - r.n * r.value), 0.0, 4 * kBound * size) << i;
    ASSERT_LE(TriangleReference::to_point(r.a, t), kBound * size);
    ASSERT_TRUE(inside(r.b, half));
  }
  EXPECT_GT(apart, 0);
  EXPECT_GT(meeting, 0);
}

TEST(TriangleBox, AgreesWithFlatHulls) {
  Random random(32);
  const Pose here;
  for (int i = 0; i < test::effort(2000); ++i) {
    const Triangle t = triangle_near_box(random, i);
    const Vec3 half = random_half(random, i);
    const TriangleSeparation r = triangle_to_box(t, half);
    const DistanceResult hulls =
        distance(Shape(Convex(t.corner)), here, Shape(Box(half * 2.0)), here);
    const double slack = kBound * size_of(t, half);
    EXPECT_GE(r.value, hulls.lower - slack) << i;
    EXPECT_LE(r.value, hulls.upper + slack) << i;
  }
}

TEST(TriangleBox, TheNormalSeparates) {
  // Along n, the two are as far apart as the value says, or overlap by no more.
  Random random(33);
  for (int i = 0; i < test::effort(5000); ++i) {
    const Triangle t = triangle_near_box(random, i);
    const Vec3 half = random_half(random, i);
    const TriangleSeparation r = triangle_to_box(t, half);
    double high = -kInfinity;
    for (const Vec3& c : t.corner) high = std::max(high, dot(r.n, c));
    const double gap = -dot(half, component_abs(r.n)) - high;
    // A gap of 1e-5 leaves the difference of two points ten digits of direction.
    EXPECT_NEAR(gap, r.value, 5e-13 * size_of(t, half)) << i;
  }
}

TEST(TriangleBox, TurnsWithTheAxes) {
  // Cyclic exchange of the coordinates and mirror images.
  Random random(34);
  for (int i = 0; i < test::effort(2000); ++i) {
    const Triangle t = triangle_near_box(random, i);
    const Vec3 half = random_half(random, i);
    Triangle turned;
    for (int k = 0; k < 3; ++k) {
      const Vec3& c = t.corner[(k + 1) % 3];
      turned.corner[k] = {c.y, -c.z, c.x};
    }
    EXPECT_NEAR(triangle_to_box(t, half).value,
                triangle_to_box(turned, {half.y, half.z, half.x}).value, kBound * size_of(t, half));
  }
}

TEST(TriangleBox, KnownPlaces) {
  const Vec3 half{1, 2, 3};
  const Triangle above{{{0, 0, 5}, {1, 0, 7}, {0, 1, 7}}};
  const TriangleSeparation corner = triangle_to_box(above, half);
  EXPECT_EQ(corner.value, 2.0);
  EXPECT_EQ(corner.n, (Vec3{0, 0, -1}));
  EXPECT_EQ(corner.a, (Vec3{0, 0, 5}));
  EXPECT_EQ(corner.b, (Vec3{0, 0, 3}));
  EXPECT_TRUE(corner.unique);
  const Triangle lid{{{-9, -9, 4}, {9, -9, 4}, {0, 9, 4}}};
  EXPECT_EQ(triangle_to_box(lid, half).value, 1.0);
  EXPECT_FALSE(triangle_to_box(lid, half).unique);
  // Through the middle: the way out is half the height; a little above, less.
  EXPECT_EQ(triangle_to_box(moved(lid, {0, 0, -4}), half).value, -3.0);
  EXPECT_EQ(triangle_to_box(moved(lid, {0, 0, -3}), half).value, -2.0);
  EXPECT_EQ(triangle_to_box(moved(lid, {0, 0, -3}), half).n, (Vec3{0, 0, -1}));
  // Inside, a point leaves by the nearest face.
  const Triangle point{{{0.75, 0, 0}, {0.75, 0, 0}, {0.75, 0, 0}}};
  EXPECT_EQ(triangle_to_box(point, half).value, -0.25);
  EXPECT_EQ(triangle_to_box(point, half).n, (Vec3{-1, 0, 0}));
  // The corner of the box below a slanting face.
  const Triangle slant{{{10, 0, 0}, {0, 10, 0}, {0, 0, 10}}};
  EXPECT_NEAR(triangle_to_box(slant, half).value, 4.0 / std::sqrt(3.0), 1e-14);
  EXPECT_EQ(triangle_to_box(slant, half).b, half);
  EXPECT_TRUE(triangle_to_box(slant, half).unique);
}

TEST(TriangleHalfSpace, IsTheHeightOfTheLowestCorner) {
  const Triangle t{{{0, 0, 2}, {3, 0, 5}, {0, 7, 4}}};
  const TriangleSeparation apart = triangle_to_halfspace(t, {0, 0, 1}, 0.5);
  EXPECT_EQ(apart.value, 1.5);
  EXPECT_EQ(apart.n, (Vec3{0, 0, -1}));
  EXPECT_EQ(apart.a, (Vec3{0, 0, 2}));
  EXPECT_EQ(apart.b, (Vec3{0, 0, 0.5}));
  EXPECT_TRUE(apart.unique);
  EXPECT_EQ(triangle_to_halfspace(t, {0, 0, 1}, 6.0).value, -4.0);
  const TriangleSeparation lying = triangle_to_halfspace(t, {-1, 0, 0}, -3.5);
  EXPECT_EQ(lying.value, 0.5);
  EXPECT_EQ(lying.a, (Vec3{3, 0, 5}));
  EXPECT_TRUE(lying.unique);
  EXPECT_FALSE(triangle_to_halfspace(t, {1, 0, 0}, 0.0).unique);
}

}  // namespace
}  // namespace tactus::detail
