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
  EXPECT_NEAR(r.ray_upper, 0.625, 1e-9);
  EXPECT_NEAR(r.normal_depth, 0.6, 1e-9);
  PortalOptions along;
  along.along = {0, 5, 0};
  const PortalDepths y = portal_depths(a, {}, b, pose, along);
  EXPECT_NEAR(y.ray_lower, 0.3, 1e-7);
  EXPECT_NEAR(y.ray_upper, 0.3, 1e-7);
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
  EXPECT_NEAR(r.depth, 1e-3, 1e-6);
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

}  // namespace
}  // namespace tactus::detail
