#include <gtest/gtest.h>

#include <limits>

#include "tactus/core/constants.hpp"
#include "tactus/shape.hpp"
#include "tests/support/effort.hpp"
#include "tests/unit/shape/samples.hpp"

namespace tactus::detail {
namespace {

using test::convex_samples;
using test::random_pose;

bool contains(const Aabb& box, const Vec3& p) {
  return component_min(box.lower, p) == box.lower && component_max(box.upper, p) == box.upper;
}

Vec3 axis(int i) {
  Vec3 v;
  v[i] = 1.0;
  return v;
}

TEST(BoundingBox, HoldsTheBodyAndTouchesIt) {
  for (const double rounding : {0.0, 0.25}) {
    for (const test::Sample& sample : convex_samples(rounding)) {
      Random random(1);
      const auto points = test::core_points(sample, random, 2000);
      for (int k = 0; k < test::effort(100); ++k) {
        const double distance = k % 2 == 0 ? 3.0 : 1e6;
        const Pose pose = random_pose(random, distance);
        const Aabb box = bounding_box(sample.shape, pose);
        for (const Vec3& p : points) ASSERT_TRUE(contains(box, pose.to_world(p))) << sample.name;
        for (int i = 0; i < 3; ++i) {
          const Vec3 up = support(sample.shape, pose.direction_to_local(axis(i)));
          const Vec3 down = support(sample.shape, pose.direction_to_local(-axis(i)));
          const double highest = pose.to_world(up)[i], lowest = pose.to_world(down)[i];
          const double slack = 1e-14 * (1.0 + distance);
          ASSERT_LE(highest, box.upper[i]) << sample.name;
          ASSERT_GE(highest, box.upper[i] - slack) << sample.name;
          ASSERT_GE(lowest, box.lower[i]) << sample.name;
          ASSERT_LE(lowest, box.lower[i] + slack) << sample.name;
        }
      }
    }
  }
}

TEST(BoundingBox, OfACompoundIsTheUnionOfItsParts) {
  Random random(2);
  for (const test::Sample& sample : convex_samples(0.1)) {
    const Pose first = random_pose(random, 2.0), second = random_pose(random, 5.0);
    const Compound compound({{sample.shape, first}, {Box({1, 2, 3}), second}});
    const Pose pose = random_pose(random, 4.0);
    const Aabb box = bounding_box(compound, pose);
    const Aabb expected = merge(bounding_box(sample.shape, pose * first),
                                bounding_box(Box({1, 2, 3}), pose * second));
    EXPECT_TRUE(contains(box, expected.lower) && contains(box, expected.upper));
    EXPECT_LE(norm(box.upper - expected.upper), 1e-13);
    EXPECT_LE(norm(box.lower - expected.lower), 1e-13);
  }
}

// Parts are left out that cannot reach farther than others do: the box has the bits of all.
TEST(BoundingBox, OfManyPartsIsThatOfEach) {
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    std::vector<Compound::Part> parts;
    const std::vector<test::Sample> shapes = convex_samples(i % 2 == 0 ? 0.0 : 0.1);
    const int count = 1 + static_cast<int>(random.uniform(0.0, 40.0));
    for (int k = 0; k < count; ++k)
      parts.push_back({shapes[static_cast<std::size_t>(k) % shapes.size()].shape,
                       random_pose(random, i % 2 == 0 ? 3.0 : 1e-3)});
    if (i % 20 == 0) parts.push_back({HalfSpace({0, 0, 1}, -0.2), Pose()});
    const Pose pose = random_pose(random, i % 3 == 0 ? 1e6 : 2.0);
    const Compound compound(parts);
    Aabb all = bounding_box(parts[0].shape, pose * parts[0].pose);
    double radius = 0.0;
    for (const Compound::Part& part : parts) {
      all = merge(all, bounding_box(part.shape, pose * part.pose));
      radius = std::max(radius, norm(part.pose.position()) + bounding_radius(part.shape));
    }
    const Aabb box = bounding_box(compound, pose);
    const double slack = 1e-14 * (norm(pose.position()) + (std::isfinite(radius) ? radius : 4.0));
    for (int k = 0; k < 3; ++k) {
      if (!std::isfinite(all.lower[k])) {
        EXPECT_EQ(box.lower[k], all.lower[k]);
      } else {
        EXPECT_LE(box.lower[k], all.lower[k]);
        EXPECT_GE(box.lower[k], all.lower[k] - slack);
      }
      if (!std::isfinite(all.upper[k])) {
        EXPECT_EQ(box.upper[k], all.upper[k]);
      } else {
        EXPECT_GE(box.upper[k], all.upper[k]);
        EXPECT_LE(box.upper[k], all.upper[k] + slack);
      }
    }
    EXPECT_GE(bounding_radius(compound), radius);
  }
}

TEST(BoundingBox, OfAMesh) {
  const TriangleMesh triangle{{{0, 0, 0}, {1, 0, 0}, {0, 2, 3}}, {{0, 1, 2}}};
  const Aabb box = bounding_box(Mesh(triangle), Pose::translation({10, 0, 0}));
  EXPECT_TRUE(contains(box, {10, 0, 0}) && contains(box, {11, 2, 3}));
  EXPECT_LE(norm(box.upper - Vec3{11, 2, 3}), 1e-13);
  EXPECT_LE(norm(box.lower - Vec3{10, 0, 0}), 1e-13);
}

TEST(BoundingBox, OfAHalfSpaceIsUnbounded) {
  const Pose up = Pose::translation({3, 4, 5});
  const Aabb floor = bounding_box(HalfSpace({0, 0, 1}, 0.5), up);
  EXPECT_EQ(floor.lower, (Vec3{-kInfinity, -kInfinity, -kInfinity}));
  EXPECT_EQ(floor.upper.x, kInfinity);
  EXPECT_EQ(floor.upper.y, kInfinity);
  EXPECT_GE(floor.upper.z, 5.5);
  EXPECT_LE(floor.upper.z, 5.5 + 1e-13);
  const Aabb wall = bounding_box(HalfSpace({-1, 0, 0}, 2.0), up);
  EXPECT_LE(wall.lower.x, 1.0);
  EXPECT_GE(wall.lower.x, 1.0 - 1e-13);
  EXPECT_EQ(wall.upper.x, kInfinity);
  const Aabb slope = bounding_box(HalfSpace({1, 0, 1}, 0.0), up);
  EXPECT_EQ(slope.upper.z, kInfinity);
  EXPECT_EQ(slope.lower.x, -kInfinity);
}

TEST(Extent, IsTheLongestSideInItsOwnFrame) {
  EXPECT_EQ(extent(Sphere(2)), 4.0);
  EXPECT_EQ(extent(Shape(Box({1, 5, 3}), 0.5)), 6.0);
  EXPECT_EQ(extent(Capsule(1, 3)), 5.0);
  EXPECT_EQ(extent(Cylinder(1, 3)), 3.0);
  EXPECT_EQ(extent(Cone(2, 3)), 4.0);
  EXPECT_EQ(extent(Ellipsoid({1, 2, 3})), 6.0);
  EXPECT_EQ(extent(Convex(std::vector<Vec3>{{7, 0, 0}, {9, 0, 0}, {7, 5, 0}})), 5.0);
  EXPECT_EQ(extent(HalfSpace({0, 0, 1}, 0)), kInfinity);
  EXPECT_NEAR(extent(Compound{{{Sphere(1), Pose::translation({4, 0, 0})},
                               {Sphere(1), Pose::translation({-4, 0, 0})}}}),
              10.0, 1e-13);
}

TEST(BoundingRadius, HoldsTheBody) {
  Random random(3);
  for (const double rounding : {0.0, 0.25}) {
    for (const test::Sample& sample : convex_samples(rounding)) {
      const double radius = bounding_radius(sample.shape);
      double farthest = 0.0;
      // A fixed number: how near the farthest sample comes to the radius depends on it.
      for (int i = 0; i < 3000; ++i) {
        farthest = std::fmax(farthest, norm(support(sample.shape, test::random_direction(random))));
      }
      EXPECT_LE(farthest, radius) << sample.name;
      if (sample.name != "custom") {
        EXPECT_GE(farthest, 0.999 * radius) << sample.name;
      }
    }
  }
  EXPECT_EQ(bounding_radius(HalfSpace({0, 0, 1}, 0)), kInfinity);
  EXPECT_NEAR(bounding_radius(Compound{{{Sphere(1), Pose::translation({0, 3, 4})}}}), 6.0, 1e-14);
}

}  // namespace
TEST(BoundingBox, HoldsBodiesWhoseSquaresVanish) {
  for (const double size : {1e-100, 1e-158, 1e-200, 7e-315}) {
    for (const Shape& shape : {Shape(Ellipsoid({size, 2 * size, size})), Shape(Sphere(size)),
                               Shape(Box({size, size, size})), Shape(Cylinder(size, size))}) {
      const Aabb box = bounding_box(shape, {});
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 n;
        n[axis] = 1.0;
        const double reach = support(shape, n)[axis];
        EXPECT_GT(reach, 0.0) << size;
        EXPECT_GE(box.upper[axis], reach) << size;
        EXPECT_LE(box.lower[axis], -reach) << size;
        EXPECT_GE(bounding_radius(shape), reach) << size;
      }
    }
  }
}

}  // namespace tactus::detail
