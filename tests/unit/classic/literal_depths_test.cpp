#include <gtest/gtest.h>

#include <limits>

#include "tactus/classic.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

TEST(LiteralDepths, ThePortalSeesWhereTheRayLeaves) {
  const Shape a = Box({4, 1, 2}), b = Box({2, 1, 2});
  const Pose pose = Pose::translation({2.4, 0.7, 0});
  const PortalDepths r = portal_depths(a, {}, b, pose);
  ASSERT_EQ(r.status, Status::converged);
  EXPECT_TRUE(r.overlap);
  EXPECT_NEAR(r.ray_upper, 0.625, 5e-12);
  EXPECT_NEAR(r.normal_depth, 0.6, 7e-15);
  PortalOptions along;
  along.along = {0, 5, 0};
  const PortalDepths y = portal_depths(a, {}, b, pose, along);
  EXPECT_NEAR(y.ray_lower, 0.3, 4e-12);
  EXPECT_NEAR(y.ray_upper, 0.3, 4e-12);
  EXPECT_EQ(y.ray, (Vec3{0, 1, 0}));
}

// Both depths are no less than the depth, and moving so far separates.
TEST(LiteralDepths, AreUpperBoundsThatSeparate) {
  Random random(91);
  const std::vector<Shape> shapes = every_convex_shape(random);
  int overlaps = 0;
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      if (a.type() == ShapeType::custom || b.type() == ShapeType::custom) continue;
      const Pose pa = random_pose(random, 0.2), pb = random_pose(random, 0.2);
      const DistanceResult truth = distance(a, pa, b, pb);
      const PortalDepths r = portal_depths(a, pa, b, pb);
      if (!r.overlap) continue;
      ++overlaps;
      EXPECT_LE(truth.distance, 1e-12);
      EXPECT_GE(r.ray_upper, -truth.upper - 1e-9);
      EXPECT_GE(r.normal_depth, -truth.upper - 1e-9);
      const Pose out = unchecked_pose(pa.position() - r.ray * (r.ray_upper + 1e-9), pa.rotation());
      EXPECT_GE(distance(a, out, b, pb).upper, -1e-12);
    }
  }
  EXPECT_GT(overlaps, 30);
}

TEST(LiteralDepths, AMarginKeepsShallowOverlapsDeep) {
  const Shape a = Sphere(1.0), b = Sphere(0.5);
  const Pose pose = Pose::translation({1.499, 0, 0});
  PolytopeOptions options;
  options.eps = 1e-9;
  options.margin = 0.2;
  options.spheres = true;
  const PolytopeDepth r = polytope_depth(a, {}, b, pose, options);
  EXPECT_TRUE(r.collision);
  EXPECT_NEAR(r.depth, 1e-3, 2e-14);
  EXPECT_NEAR(r.normal.x, 1.0, 1e-3);
  const PolytopeDepth apart = polytope_depth(a, {}, b, Pose::translation({2, 0, 0}));
  EXPECT_FALSE(apart.collision);
  EXPECT_NEAR(apart.depth, -0.5, 1e-6);
}

TEST(LiteralDepths, RefuseWhatTheyDoNotServe) {
  const Shape ball = Sphere(1.0), plane = HalfSpace({0, 0, 1}, 0.0);
  EXPECT_EQ(portal_depths(ball, {}, plane, {}).status, Status::unsupported);
  EXPECT_EQ(polytope_depth(plane, {}, ball, {}).status, Status::unsupported);
  const double endless = std::numeric_limits<double>::infinity();
  EXPECT_EQ(portal_depths(ball, {}, ball, unchecked_pose({endless, 0, 0}, Mat3::identity())).status,
            Status::invalid_input);
  PolytopeOptions options;
  options.margin = -1.0;
  EXPECT_EQ(polytope_depth(ball, {}, ball, {}, options).status, Status::invalid_input);
}

// Whatever the number of reflections, a verdict is that of the bracket, and the planes across the
// vector lie as far apart as is said.
TEST(LiteralDepths, SeparatingVectorsAreWhatTheySay) {
  Random random(92);
  const std::vector<Shape> shapes = every_convex_shape(random);
  int decided[5] = {}, all = 0;
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      const Pose pa = random_pose(random, 0.5), pb = random_pose(random, 0.5);
      const DistanceResult truth = distance(a, pa, b, pb);
      ++all;
      for (int n = 0; n < 5; ++n) {
        ReflectionOptions options;
        options.reflections = n;
        if (n == 3) options.start = {0.3, -2.0, 0.7};
        const SeparatingVector r = separating_vector(a, pa, b, pb, options);
        decided[n] += r.overlap != Overlap::undecided ? 1 : 0;
        if (r.overlap == Overlap::no) {
          EXPECT_GT(truth.upper, 0.0);
        }
        if (r.overlap == Overlap::yes) {
          EXPECT_LT(truth.lower, 0.0);
        }
        EXPECT_LE(r.gap, truth.upper + 1e-14);
        if (a.type() == ShapeType::custom || b.type() == ShapeType::custom) continue;
        const double between = -support_value(b, -pb.direction_to_local(r.vector)) +
                               dot(r.vector, pb.position()) - dot(r.vector, pa.position()) -
                               support_value(a, pa.direction_to_local(r.vector));
        EXPECT_NEAR(r.gap, between, 1e-13);
      }
    }
  }
  for (const int count : decided) EXPECT_GT(count, all * 95 / 100);
  EXPECT_EQ(separating_vector(HalfSpace({0, 0, 1}, 0), {}, Sphere(1), {}).status,
            Status::unsupported);
  ReflectionOptions bad;
  bad.reflections = -1;
  EXPECT_EQ(separating_vector(Sphere(1), {}, Sphere(1), {}, bad).status, Status::invalid_input);
}

// Slow where bodies are near: the evaluations grow as the gap shrinks
// (docs/algorithms/chung-wang.md has the table).
TEST(LiteralDepths, SeparatingVectorsCostMoreWhereBodiesAreNear) {
  const auto mean = [](double gap) {
    Random random(93);
    double sum = 0.0;
    for (int i = 0; i < 200; ++i) {
      const Shape a = Ellipsoid({0.5, 0.75, 1.0}), b = random_hull(random, 20);
      const Pose turn = random_pose(random, 0.0), far = random_pose(random, 2.0);
      const DistanceResult r = distance(a, turn, b, far);
      const Pose pose =
          unchecked_pose(far.position() - r.normal * (r.distance - gap), far.rotation());
      const SeparatingVector found = separating_vector(a, turn, b, pose);
      EXPECT_EQ(found.overlap, Overlap::no);
      sum += found.iterations;
    }
    return sum / 200.0;
  };
  double before = 0.0;
  for (const double gap : {1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8}) {
    const double now = mean(gap);
    EXPECT_GE(now, before) << gap;
    before = now;
  }
  EXPECT_GT(before, 2.0 * mean(1.0));
}

}  // namespace
}  // namespace tactus::detail
