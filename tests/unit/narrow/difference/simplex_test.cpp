#include "tactus/narrow/difference/simplex.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tactus/core/random.hpp"

namespace tactus::detail {
namespace {

Vec3 random_point(Random& random, double reach) {
  return {random.uniform(-reach, reach), random.uniform(-reach, reach),
          random.uniform(-reach, reach)};
}

Simplex simplex_of(std::initializer_list<Vec3> points) {
  Simplex s;
  for (const Vec3& p : points) {
    s.point[s.size].w = p;
    s.point[s.size++].a = p;
  }
  return s;
}

// Distance of the origin from a tetrahedron or face by a fine grid of convex combinations: an upper
// bound.
double sampled_distance(const Simplex& s) {
  constexpr int kSteps = 24;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= kSteps; ++i) {
    for (int j = 0; i + j <= kSteps; ++j) {
      for (int k = 0; i + j + k <= kSteps; ++k) {
        const double w[4] = {double(i) / kSteps, double(j) / kSteps, double(k) / kSteps,
                             double(kSteps - i - j - k) / kSteps};
        Vec3 p;
        for (int v = 0; v < s.size; ++v) p += s.point[v].w * w[v];
        for (int v = s.size; v < 4; ++v) p += s.point[0].w * w[v];
        least = std::min(least, norm(p));
      }
    }
  }
  return least;
}

TEST(Simplex, NearestPointIsNotFartherThanAnySample) {
  Random random(1);
  for (int n = 0; n < 300; ++n) {
    Simplex s;
    s.size = 2 + static_cast<int>(random.below(3));
    const Vec3 shift = random_point(random, 1.5);
    for (int i = 0; i < s.size; ++i) s.point[i].w = random_point(random, 1.0) + shift;
    const double sampled = sampled_distance(s);
    const bool inside = reduce(s);
    const double found = inside ? 0.0 : norm(s.closest());
    EXPECT_LE(found, sampled + 1e-14);
    EXPECT_GE(found, sampled - 0.3);
    double sum = 0.0;
    for (int i = 0; i < s.size && !inside; ++i) {
      EXPECT_GT(s.weight[i], 0.0);
      sum += s.weight[i];
    }
    if (!inside) {
      EXPECT_NEAR(sum, 1.0, 1e-15);
    }
  }
}

TEST(Simplex, NearestPointOfAFaceIsOrthogonalToIt) {
  Random random(2);
  for (int n = 0; n < 1000; ++n) {
    Simplex s = simplex_of(
        {random_point(random, 1.0), random_point(random, 1.0), random_point(random, 1.0)});
    reduce(s);
    const Vec3 v = s.closest();
    for (int i = 1; i < s.size; ++i) EXPECT_NEAR(dot(v, s.point[i].w - s.point[0].w), 0.0, 5e-14);
  }
}

TEST(Simplex, OriginInsideIsDecidedExactly) {
  const double tiny = 0x1p-60;
  // The face x = 0 shifted by a fraction of an ulp to either side of the origin.
  for (const double shift : {tiny, -tiny}) {
    Simplex s = simplex_of({{shift, -1, -1}, {shift, 2, -1}, {shift, -1, 2}, {-1, 0, 0}});
    EXPECT_EQ(reduce(s), shift > 0.0);
  }
}

TEST(Simplex, FlatTetrahedronFallsBackToItsFaces) {
  Simplex s = simplex_of({{1, 0, 1}, {0, 1, 1}, {-1, 0, 1}, {0, -1, 1}});
  EXPECT_FALSE(reduce(s));
  EXPECT_NEAR(norm(s.closest()), 1.0, 1e-15);
}

TEST(Simplex, RepeatedAndCollinearPointsAreHarmless) {
  Simplex s = simplex_of({{1, 1, 0}, {2, 2, 0}, {3, 3, 0}});
  reduce(s);
  EXPECT_EQ(s.size, 1);
  EXPECT_EQ(s.closest(), (Vec3{1, 1, 0}));
  Simplex t = simplex_of({{1, 1, 0}, {1, 1, 0}, {1, -1, 0}});
  reduce(t);
  EXPECT_NEAR(norm(t.closest()), 1.0, 1e-15);
}

TEST(Simplex, DirectionTowardOriginIsPerpendicularToTheSimplex) {
  Simplex edge = simplex_of({{1e-9, 1, 0}, {1e-9, -1, 1e-3}});
  reduce(edge);
  const Vec3 n = toward_origin(edge);
  EXPECT_NEAR(norm(n), 1.0, 1e-15);
  EXPECT_NEAR(dot(n, normalized(edge.point[1].w - edge.point[0].w)), 0.0, 1e-15);
  EXPECT_LT(dot(n, edge.closest()), 0.0);
}

TEST(Simplex, InnerRadiusIsPositiveOnlyAboutTheOrigin) {
  const Vec3 around[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  EXPECT_NEAR(inner_radius(around), 1.0 / std::sqrt(3.0), 2e-13);
  const Vec3 mirrored[4] = {around[1], around[0], around[2], around[3]};
  EXPECT_NEAR(inner_radius(mirrored), 1.0 / std::sqrt(3.0), 2e-13);
  // Beyond a face, an edge, a corner; and a flat one beside the origin.
  for (const Vec3& shift : {Vec3{2, 2, 2}, Vec3{3, 0, 0}, Vec3{-3, -3, -3}}) {
    Vec3 beside[4];
    for (int i = 0; i < 4; ++i) beside[i] = around[i] + shift;
    EXPECT_LE(inner_radius(beside), 0.0);
  }
  const Vec3 flat[4] = {{1, 1, 0.1}, {-1, 1, 0.1}, {-1, -1, 0.1}, {1, -1, 0.1}};
  EXPECT_LE(inner_radius(flat), 0.0);
}

}  // namespace
}  // namespace tactus::detail
