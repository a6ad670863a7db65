// GJK, EPA, the second-order finish and the closed forms, each alone and against the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/narrow/formula/closed_form.hpp"
#include "tactus/narrow/search/polish.hpp"
#include "tests/support/measured.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

// Least overlap of two boxes over the fifteen axes: exact when they overlap.
double fifteen_axes(const Box& a, const Pose& pa, const Box& b, const Pose& pb) {
  const Pose r = relative(pa, pb);
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vec3& axis) {
    if (norm(axis) < 1e-9) return;
    const Vec3 n = normalized(axis);
    double sum = -std::fabs(dot(n, r.position()));
    for (int i = 0; i < 3; ++i) {
      sum +=
          std::fabs(n[i]) * a.half()[i] + std::fabs(dot(n, r.rotation().column(i))) * b.half()[i];
    }
    least = std::min(least, sum);
  };
  for (int i = 0; i < 3; ++i) {
    Vec3 e;
    e[i] = 1.0;
    consider(e);
    consider(r.rotation().column(i));
    for (int j = 0; j < 3; ++j) consider(cross(e, r.rotation().column(j)));
  }
  return least;
}

ConvexAnswer solve(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
                   ConvexOptions options = {}) {
  Epa epa;
  return test::measured(Cso(core_of(a), pa, core_of(b), pb), options, epa);
}

ConvexAnswer searched(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb) {
  Epa epa;
  return search_pair(Cso(core_of(a), pa, core_of(b), pb), {}, epa);
}

TEST(Gjk, PointsAtKnownDistance) {
  const Core point = core_of(Sphere(0.0));
  const Cso cso(point, Pose(), point, Pose::translation({3, 4, 12}));
  Simplex simplex;
  const GjkResult r = gjk(cso, simplex, {1, 0, 0}, {});
  EXPECT_EQ(r.outcome, GjkOutcome::separated);
  EXPECT_NEAR(r.upper, 13.0, 1e-14);
  EXPECT_NEAR(r.lower, 13.0, 1e-13);
}

TEST(Gjk, StopsAtTheSignWhenAsked) {
  const Core box = core_of(Box({1, 1, 1}));
  const Cso cso(box, Pose(), box, Pose::translation({3, 0.2, 0.1}));
  Simplex simplex;
  GjkOptions options;
  options.stop_at_sign = true;
  const GjkResult r = gjk(cso, simplex, {1, 0, 0}, options);
  EXPECT_EQ(r.outcome, GjkOutcome::separated);
  EXPECT_LE(r.iterations, 2);
}

TEST(Gjk, OverlapIsATetrahedronAroundTheOrigin) {
  const Core box = core_of(Box({1, 1, 1}));
  const Cso cso(box, Pose(), box, Pose::translation({0.3, 0.2, 0.1}));
  Simplex simplex;
  EXPECT_EQ(gjk(cso, simplex, {1, 0, 0}, {}).outcome, GjkOutcome::overlapping);
  EXPECT_EQ(simplex.size, 4);
}

TEST(Gjk, CapEndsTheSearchWithATrueBracket) {
  const Core body = core_of(Cylinder(1.0, 2.0));
  const Cso cso(body, Pose(), body, Pose(Vec3{3, 1, 0.5}, normalized(Quat{1, 0.3, 0.2, 0.1})));
  GjkOptions options;
  options.max_iterations = 3;
  Simplex simplex;
  const GjkResult few = gjk(cso, simplex, {1, 0, 0}, options);
  options.max_iterations = 128;
  Simplex other;
  const GjkResult many = gjk(cso, other, {1, 0, 0}, options);
  EXPECT_TRUE(few.capped);
  EXPECT_LE(few.lower, many.lower + 1e-12);
  EXPECT_GE(few.upper, many.upper - 1e-12);
}

TEST(Epa, BoxDepthIsTheLeastOfFifteenAxes) {
  Random random(3);
  int overlapping = 0;
  for (int n = 0; n < 2000; ++n) {
    const Box a({random.uniform(0.2, 2), random.uniform(0.2, 2), random.uniform(0.2, 2)});
    const Box b({random.uniform(0.2, 2), random.uniform(0.2, 2), random.uniform(0.2, 2)});
    const Pose pa = random_pose(random, 0.5);
    const Pose pb = random_pose(random, 0.5);
    const double depth = fifteen_axes(a, pa, b, pb);
    if (depth <= 0.0) continue;
    ++overlapping;
    const ConvexAnswer r = solve(a, pa, b, pb);
    EXPECT_NEAR(-r.distance, depth, 4e-15) << n;
    EXPECT_LE(r.lower, -depth);
    EXPECT_GE(r.upper, -depth);
    EXPECT_LE(r.upper - r.lower, 1e-13);
    EXPECT_LE(norm(r.point_b - r.point_a - r.n * r.distance), 1e-13) << n;
  }
  EXPECT_GT(overlapping, 1000);
}

TEST(Epa, FlatObstacleAnswersWithItsNormal) {
  // Crossing capsule axes: A - B is a flat parallelogram through the origin.
  const Pose across(Vec3{0, 0, 0.1}, normalized(Quat{1, 1, 0, 0}));
  const ConvexAnswer r = searched(Capsule(0.2, 1.0), Pose(), Capsule(0.3, 2.0), across);
  EXPECT_NEAR(r.distance, -0.5, 1e-15);
  EXPECT_NEAR(std::fabs(r.n.x), 1.0, 1e-15);
  EXPECT_FALSE(r.unique);
}

TEST(Epa, ConcentricBoxesSayThatTheNormalIsNotUnique) {
  const ConvexAnswer r = solve(Box({1, 1, 1}), Pose(), Box({1, 1, 1}), Pose());
  EXPECT_NEAR(r.distance, -1.0, 1e-15);
  EXPECT_FALSE(r.unique);
}

TEST(Epa, DeepSmoothBodiesKeepATrueBracket) {
  Random random(5);
  for (int n = 0; n < 100; ++n) {
    const Shape a = Cylinder(random.uniform(0.3, 1), random.uniform(0.3, 2));
    const Shape b = Cone(random.uniform(0.3, 1), random.uniform(0.3, 2));
    const Pose pa = random_pose(random, 0.2);
    const Pose pb = random_pose(random, 0.2);
    const ConvexAnswer loose = solve(a, pa, b, pb);
    ConvexOptions options;
    options.tolerance = 1e-10;
    const ConvexAnswer tight = solve(a, pa, b, pb, options);
    EXPECT_LE(loose.lower, tight.upper);
    EXPECT_GE(loose.upper, tight.lower);
  }
}

TEST(Polish, ReachesTheExactEllipsoidDistanceFromACoarseStart) {
  // Two ellipsoids with a common axis along x.
  const Shape a = Ellipsoid({1.0, 0.5, 0.7});
  const Shape b = Ellipsoid({0.8, 0.6, 0.4});
  const Cso cso(core_of(a), Pose(), core_of(b), Pose::translation({2.5, 0, 0}));
  const Vec3 start = normalized(Vec3{1.0, 0.1, -0.15});
  Simplex simplex;
  simplex.point[0] = cso.support(start);
  simplex.size = 1;
  const Critical c = polish(cso, simplex, start);
  EXPECT_NEAR(-c.value - cso.a.radius - cso.b.radius, 0.7, 1e-15);
  EXPECT_NEAR(c.n.x, 1.0, 1e-15);
  EXPECT_LE(c.iterations, 9);
}

TEST(Polish, DiscFaceOnIsExact) {
  // A tilted cylinder's rim point above the cap of another: the minimum of f is at the cap's axis,
  // a kink.
  const Pose tilted(Vec3{0.1, 0.05, 1.4}, normalized(Quat{1.0, 0.3, 0.1, 0.0}));
  const ConvexAnswer r = solve(Cylinder(1.0, 1.0), Pose(), Cylinder(0.3, 0.5), tilted);
  EXPECT_EQ(r.n, (Vec3{0, 0, 1}));
  EXPECT_LE(r.upper - r.lower, 1e-13);
  EXPECT_LE(norm(r.point_b - r.point_a - r.n * r.distance), 1e-14);
}

TEST(ClosedForm, AgreesWithTheIterativePath) {
  Random random(7);
  const auto shape = [&](int kind) -> Shape {
    switch (kind) {
      case 0:
        return Sphere(random.uniform(0.1, 1));
      case 1:
        return Capsule(random.uniform(0.1, 1), random.uniform(0.1, 2));
      default:
        return {Box({random.uniform(0.1, 2), random.uniform(0.1, 2), random.uniform(0.1, 2)}),
                random.uniform(0, 0.2)};
    }
  };
  constexpr std::array<std::array<int, 2>, 4> kPairs{{{0, 0}, {0, 1}, {1, 1}, {0, 2}}};
  for (int n = 0; n < 4000; ++n) {
    const auto& pair = kPairs[static_cast<std::size_t>(n) % kPairs.size()];
    const Shape a = shape(pair[0]);
    const Shape b = shape(pair[1]);
    const Pose pa = random_pose(random, 1.0);
    const Pose pb = random_pose(random, 1.0);
    const ConvexAnswer closed = solve(a, pa, b, pb);
    const ConvexAnswer found = searched(a, pa, b, pb);
    ASSERT_TRUE(closed.closed_form);
    ASSERT_FALSE(found.closed_form);
    EXPECT_NEAR(closed.distance, found.distance, 1e-14) << n;
    EXPECT_GE(dot(closed.n, found.n), closed.unique && found.unique ? 1.0 - 1e-9 : -1.0) << n;
  }
}

TEST(ClosedForm, TouchingSegmentsGiveTheCommonNormal) {
  const Pose across(Vec3{0, 0, 0.2}, normalized(Quat{1, 1, 0, 0}));
  const ConvexAnswer r = solve(Capsule(0.1, 1.0), Pose(), Capsule(0.1, 1.0), across);
  EXPECT_TRUE(r.closed_form);
  EXPECT_NEAR(r.distance, -0.2, 1e-16);
  EXPECT_NEAR(std::fabs(r.n.x), 1.0, 1e-15);
}

}  // namespace
}  // namespace tactus::detail
