// The sub-algorithms and accelerations of GJK, its boolean form, and the distance from a point.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/narrow/difference/signed_volumes.hpp"
#include "tactus/narrow/search/gjk.hpp"

namespace tactus::detail {
namespace {

constexpr GjkVariant kVariants[] = {
    {SubAlgorithm::voronoi, Acceleration::none},
    {SubAlgorithm::voronoi, Acceleration::nesterov},
    {SubAlgorithm::signed_volumes, Acceleration::none},
    {SubAlgorithm::signed_volumes, Acceleration::nesterov},
};

Vec3 random_vector(Random& random, double reach) {
  const double x = random.uniform(-reach, reach), y = random.uniform(-reach, reach);
  return {x, y, random.uniform(-reach, reach)};
}

Simplex simplex_of(std::initializer_list<Vec3> points) {
  Simplex s;
  for (const Vec3& w : points) s.point[s.size++].w = w;
  return s;
}

TEST(SignedVolumes, AgreesWithVoronoiRegions) {
  Random random(11);
  int inside = 0;
  for (int n = 0; n < 20000; ++n) {
    Simplex s;
    s.size = 1 + static_cast<int>(random.below(4));
    const Vec3 center = random_vector(random, 0.8);
    for (int i = 0; i < s.size; ++i) s.point[i].w = center + random_vector(random, 1.0);
    Simplex t = s;
    const bool holds = reduce(s);
    ASSERT_EQ(reduce_by_signed_volumes(t), holds) << n;
    inside += holds ? 1 : 0;
    if (holds) continue;
    EXPECT_NEAR(norm(s.closest()), norm(t.closest()), 4e-14) << n;
    double sum = 0.0;
    for (int i = 0; i < t.size; ++i) {
      EXPECT_GT(t.weight[i], 0.0);
      sum += t.weight[i];
    }
    EXPECT_NEAR(sum, 1.0, 1e-15);
  }
  EXPECT_GT(inside, 100);
}

// Forms that keep the newest end of a segment whenever the origin lies beyond one of them are wrong
// for a simplex from an earlier query.
TEST(SignedVolumes, KeepsTheNearestEndWhicheverItIs) {
  Simplex s = simplex_of({{1, 0, 0}, {3, 0, 0}});
  EXPECT_FALSE(reduce_by_signed_volumes(s));
  ASSERT_EQ(s.size, 1);
  EXPECT_EQ(s.point[0].w, (Vec3{1, 0, 0}));
}

TEST(SignedVolumes, FlatSimplicesGiveTheirNearestPoint) {
  Simplex coincident = simplex_of({{1, 1, 0}, {1, 1, 0}});
  EXPECT_FALSE(reduce_by_signed_volumes(coincident));
  EXPECT_NEAR(norm(coincident.closest()), std::sqrt(2.0), 1e-15);
  Simplex line = simplex_of({{1, -1, 0}, {1, 1, 0}, {1, 3, 0}});
  EXPECT_FALSE(reduce_by_signed_volumes(line));
  EXPECT_NEAR(norm(line.closest()), 1.0, 1e-15);
  Simplex plane = simplex_of({{1, -1, -1}, {1, 2, -1}, {1, -1, 2}, {1, 2, 2}});
  EXPECT_FALSE(reduce_by_signed_volumes(plane));
  EXPECT_NEAR(norm(plane.closest()), 1.0, 1e-15);
}

double nearest(std::initializer_list<Vec3> points, bool (*reduce_by)(Simplex&) = reduce) {
  Simplex s = simplex_of(points);
  reduce_by(s);
  return norm(s.closest());
}

// A tetrahedron with several faces in view of the origin: the first one through the newest corner a
// is not the nearest.
TEST(Simplex, TheFirstVisibleFaceIsNotTheNearest) {
  const Vec3 a{1, -3, -1}, b{-2, 0, 2}, c{-3, -2, 2}, d{1, 2, 1};
  const Vec3 normal = cross(b - a, c - a);
  ASSERT_LT(dot(normal, -a) * dot(normal, d - a), 0.0);  // face abc is in view
  EXPECT_NEAR(nearest({a, b, c}), 1.63299, 1e-5);
  EXPECT_NEAR(nearest({a, b, c, d}), 0.64889, 1e-5);
  EXPECT_NEAR(nearest({a, b, c, d}, reduce_by_signed_volumes), 0.64889, 1e-5);
}

// The origin lies beyond edge ac, which is tested first, but another edge is nearer: with a simplex
// from an earlier query the newest corner need not be near.
TEST(Simplex, TheFirstViolatedEdgeIsNotTheNearest) {
  const Vec3 a{-2, -1, 0}, b{-1, 1, 0}, c{-3, -2, 0};
  const Vec3 normal = cross(b - a, c - a);
  ASSERT_GT(dot(cross(normal, c - a), -a), 0.0);
  EXPECT_NEAR(nearest({a, c}), std::sqrt(5.0), 1e-15);
  EXPECT_NEAR(nearest({a, b, c}), 6.0 / std::sqrt(20.0), 1e-15);
  EXPECT_NEAR(nearest({a, b, c}, reduce_by_signed_volumes), 6.0 / std::sqrt(20.0), 1e-15);
}

// The direction across the segment towards the origin, ab x (ao x ab), is zero.
TEST(Gjk, TheOriginOnTheFirstSegmentIsNoDeadEnd) {
  const Shape box = Box({2, 2, 2});
  for (const GjkVariant& variant : kVariants) {
    GjkOptions options;
    options.variant = variant;
    Simplex simplex;
    const Cso cso(core_of(box), Pose(), core_of(box), Pose::translation({1, 1, 1}));
    const GjkResult r = gjk(cso, simplex, normalized(Vec3{1, 1, 1}), options);
    EXPECT_NE(r.outcome, GjkOutcome::separated);
    EXPECT_LE(r.upper, cso.error_bound);
  }
}

TEST(GjkVariants, AllBracketTheSameDistance) {
  Random random(12);
  const std::array<Shape, 5> shapes{Shape(Ellipsoid({0.5, 0.3, 0.7})), Shape(Box({0.8, 0.4, 0.6})),
                                    Shape(Cylinder(0.4, 0.7)), Shape(Cone(0.4, 0.8)),
                                    Shape(Capsule(0.1, 0.9))};
  int separated = 0;
  for (int n = 0; n < 1000; ++n) {
    const Core& a = core_of(shapes[random.below(5)]);
    const Core& b = core_of(shapes[random.below(5)]);
    const Pose pose(random_vector(random, 1.0),
                    normalized(Quat{1.0, random.uniform(-1, 1), random.uniform(-1, 1), 0.3}));
    const Cso cso(a, Pose(), b, pose);
    GjkResult result[4];
    for (std::size_t v = 0; v < 4; ++v) {
      GjkOptions options;
      options.gap = 1e-9;
      options.variant = kVariants[v];
      Simplex simplex;
      result[v] = gjk(cso, simplex, cso.between_centers(), options);
      EXPECT_LE(result[v].lower, result[0].upper + cso.error_bound) << n << ' ' << v;
      EXPECT_GE(result[v].upper, result[0].lower - cso.error_bound) << n << ' ' << v;
      EXPECT_LE(result[v].iterations, 60) << n << ' ' << v;
      EXPECT_FALSE(result[v].outcome == GjkOutcome::overlapping &&
                   result[0].outcome == GjkOutcome::separated)
          << n << ' ' << v;
    }
    separated += result[0].outcome == GjkOutcome::separated ? 1 : 0;
  }
  EXPECT_GT(separated, 300);
}

TEST(GjkVariants, TheBooleanFormStopsAtTheSign) {
  const Shape a = Ellipsoid({1.0, 0.5, 0.7}), b = Ellipsoid({0.8, 0.6, 0.4});
  const Cso cso(core_of(a), Pose(), core_of(b), Pose::translation({2.5, 0.5, 0.3}));
  for (const GjkVariant& variant : kVariants) {
    GjkOptions options;
    options.gap = 1e-12;
    options.variant = variant;
    Simplex whole;
    const GjkResult distance = gjk(cso, whole, {0, 0, 1}, options);
    options.stop_at_sign = true;
    Simplex simplex;
    const GjkResult sign = gjk(cso, simplex, {0, 0, 1}, options);
    EXPECT_EQ(sign.outcome, GjkOutcome::separated);
    EXPECT_LT(2 * sign.iterations, distance.iterations);
  }
}

// Momentum may lead to a point of the simplex long before the end: that is no convergence.
TEST(GjkVariants, MomentumWithoutGainIsDropped) {
  Random random(13);
  const Shape cylinder = Cylinder(0.7, 1.5);
  for (int n = 0; n < 300; ++n) {
    const Cso cso(core_of(cylinder), Pose(), core_of(cylinder),
                  Pose(random_vector(random, 0.5) + Vec3{2.5, 0, 0},
                       normalized(Quat{1.0, random.uniform(-1, 1), random.uniform(-1, 1), 0.2})));
    GjkOptions options;
    options.variant.acceleration = Acceleration::nesterov;
    Simplex simplex;
    const GjkResult r = gjk(cso, simplex, {0, 1, 0}, options);
    EXPECT_EQ(r.outcome, GjkOutcome::separated);
    EXPECT_LE(r.upper - r.lower, 7e-12 * r.upper) << n;
  }
}

TEST(GjkPoint, DistanceFromAnyPointInPlaceOfTheOrigin) {
  Random random(14);
  const Vec3 half{0.5, 0.75, 1.0};
  const Shape box = Box(half * 2.0), point = Sphere(0.0);
  const Cso body(core_of(box), Pose(), core_of(point), Pose());
  for (int n = 0; n < 2000; ++n) {
    const Vec3 x = random_vector(random, 3.0);
    const Vec3 outside = component_max(component_abs(x) - half, {});
    for (const GjkVariant& variant : kVariants) {
      GjkOptions options;
      options.variant = variant;
      Simplex simplex;
      const Cso seen = body.seen_from(x);
      const GjkResult r = gjk(seen, simplex, seen.between_centers(), options);
      EXPECT_NEAR(r.upper, norm(outside), 1e-14) << n;
      EXPECT_EQ(r.outcome == GjkOutcome::overlapping, norm(outside) == 0.0) << n;
    }
  }
}

TEST(GjkPoint, SeenFromAPointOfAMinusBItIsOverlapping) {
  const Shape a = Box({1, 1, 1}), b = Box({1, 1, 1});
  const Cso cso(core_of(a), Pose(), core_of(b), Pose::translation({3, 0, 0}));
  Simplex simplex;
  EXPECT_EQ(gjk(cso, simplex, {1, 0, 0}, {}).outcome, GjkOutcome::separated);
  simplex = {};
  const Cso inner = cso.seen_from({-2.7, 0.2, 0.1});
  EXPECT_EQ(gjk(inner, simplex, {1, 0, 0}, {}).outcome, GjkOutcome::overlapping);
  EXPECT_GE(inner.error_bound, cso.error_bound);
}

}  // namespace
}  // namespace tactus::detail
