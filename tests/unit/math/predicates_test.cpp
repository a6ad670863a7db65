#include "tactus/math/predicates.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tactus/core/random.hpp"
#include "tests/support/big_integer.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

using test::effort;
using test::true_cross;
using test::true_orient3d;

Vec3 random_vector(Random& random, double low, double high) {
  const double x = random.uniform(low, high);
  const double y = random.uniform(low, high);
  const double z = random.uniform(low, high);
  return {x, y, z};
}

Vec3 random_grid_point(Random& random, std::uint32_t count) {
  const double x = random.below(count);
  const double y = random.below(count);
  const double z = random.below(count);
  return {x, y, z};
}

// Every coordinate moved by up to two ulps.
Vec3 jittered(Random& random, Vec3 v) {
  for (int i = 0; i < 3; ++i) {
    for (std::uint32_t steps = random.below(3); steps > 0; --steps) {
      v[i] = std::nextafter(v[i], random.below(2) == 0 ? -1e300 : 1e300);
    }
  }
  return v;
}

// Also checks the signs of permuted arguments.
void expect_true_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const int expected = true_orient3d(a, b, c, d);
  ASSERT_EQ(orient3d(a, b, c, d), expected);
  ASSERT_EQ(orient3d(b, c, a, d), expected);
  ASSERT_EQ(orient3d(b, a, c, d), -expected);
  ASSERT_EQ(orient3d(a, b, d, c), -expected);
  ASSERT_EQ(orient3d(d, b, c, a), -expected);
  ASSERT_EQ(orient3d(c, d, a, b), expected);
}

TEST(Orient3d, IsPositiveOnTheSideOfTheCrossProduct) {
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  EXPECT_EQ(orient3d(a, b, c, {0.2, 0.2, 1e-300}), 1);
  EXPECT_EQ(orient3d(a, b, c, {0.2, 0.2, -1e-300}), -1);
  EXPECT_EQ(orient3d(a, b, c, {5, -7, 0}), 0);
}

TEST(Orient3d, IsExactOnGrids) {
  Random random(1);
  int zeros = 0;
  for (int i = 0; i < effort(5000); ++i) {
    std::array<Vec3, 4> p;
    for (Vec3& v : p) v = random_grid_point(random, 4) * 0.1 + Vec3{0.3, 0.3, 0.3};
    if (true_orient3d(p[0], p[1], p[2], p[3]) == 0) ++zeros;
    expect_true_sign(p[0], p[1], p[2], p[3]);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(zeros, 0);
}

TEST(Orient3d, IsExactUlpsFromCoplanar) {
  Random random(2);
  for (int i = 0; i < effort(5000); ++i) {
    const Vec3 a = random_vector(random, -1, 1), b = random_vector(random, -1, 1);
    const Vec3 c = random_vector(random, -1, 1);
    const double u = random.uniform(-1, 2);
    const double v = random.uniform(-1, 2);
    const Vec3 on_plane = a + (b - a) * u + (c - a) * v;
    expect_true_sign(a, b, c, jittered(random, on_plane));
    if (HasFatalFailure()) return;
  }
}

TEST(Orient3d, IsExactWhereDifferencesRound) {
  // Magnitudes from 1 to 2^-120: the differences of the coordinates are not doubles.
  Random random(3);
  for (int i = 0; i < effort(5000); ++i) {
    std::array<Vec3, 4> p;
    for (Vec3& v : p) {
      v = random_vector(random, -1, 1) * std::ldexp(1.0, -40 * static_cast<int>(random.below(4)));
    }
    if (i % 2 == 0) p[3] = jittered(random, p[0] + (p[1] - p[0]) * 0.5 + (p[2] - p[0]) * 0.25);
    expect_true_sign(p[0], p[1], p[2], p[3]);
    if (HasFatalFailure()) return;
  }
}

TEST(Orient3d, IsExactNearCollinearTriangles) {
  Random random(4);
  for (int i = 0; i < effort(5000); ++i) {
    const Vec3 a = random_vector(random, 1, 2), step = random_vector(random, -1, 1);
    std::array<Vec3, 3> p;
    for (Vec3& v : p) v = jittered(random, a + step * random.uniform());
    expect_true_sign(a, p[0], p[1], p[2]);
    if (HasFatalFailure()) return;
  }
}

TEST(Orient2d, IsExact) {
  EXPECT_EQ(orient2d(0, 0, 1, 0, 0, 1), 1);
  Random random(5);
  int zeros = 0;
  for (int i = 0; i < effort(20000); ++i) {
    Vec3 a, b, c;
    if (i % 2 == 0) {
      a = random_grid_point(random, 5) * 0.1;
      b = random_grid_point(random, 5) * 0.1;
      c = random_grid_point(random, 5) * 0.1;
    } else {
      a = random_vector(random, -1, 1);
      b = random_vector(random, -1, 1) * 1e-12;
      c = jittered(random, a + (b - a) * random.uniform());
    }
    // In the plane z = 0, the third component of the cross product is the area.
    a.z = b.z = c.z = 0.0;
    const int expected = true_cross(a, b, c).z.sign();
    if (expected == 0) ++zeros;
    ASSERT_EQ(orient2d(a.x, a.y, b.x, b.y, c.x, c.y), expected);
    ASSERT_EQ(orient2d(b.x, b.y, a.x, a.y, c.x, c.y), -expected);
    ASSERT_EQ(orient2d(b.x, b.y, c.x, c.y, a.x, a.y), expected);
  }
  EXPECT_GT(zeros, 0);
}

TEST(Collinear, IsExact) {
  Random random(6);
  int lines = 0;
  for (int i = 0; i < effort(20000); ++i) {
    const Vec3 corner{1, 1, 1};
    const Vec3 a = random_grid_point(random, 3) + corner;
    const Vec3 b = random_grid_point(random, 3) + corner;
    Vec3 c = random_grid_point(random, 3) + corner;
    if (i % 3 == 0) c = jittered(random, c);
    const auto normal = true_cross(a, b, c);
    const bool expected = normal.x.sign() == 0 && normal.y.sign() == 0 && normal.z.sign() == 0;
    if (expected) ++lines;
    ASSERT_EQ(collinear(a, b, c), expected);
  }
  EXPECT_GT(lines, 0);
}

TEST(AccurateCross, IsOffByAtMostAnUlpOnSlivers) {
  Random random(7);
  constexpr int kShift = 2 * test::BigVector::kShift;
  for (int i = 0; i < effort(5000); ++i) {
    const Vec3 a = random_vector(random, -1, 1), step = random_vector(random, -1, 1);
    const Vec3 b = jittered(random, a + step * random.uniform());
    const Vec3 c = jittered(random, a + step * random.uniform());
    const Vec3 result = accurate_cross(a, b, c);
    const auto truth = true_cross(a, b, c);
    const long double expected[3] = {truth.x.value(kShift), truth.y.value(kShift),
                                     truth.z.value(kShift)};
    for (int k = 0; k < 3; ++k) {
      ASSERT_LE(std::fabs(result[k] - expected[k]), 2.3e-16L * std::fabs(expected[k]));
    }
  }
}

}  // namespace
}  // namespace tactus::detail
