// The direct answers of pairs with a closed form: the same as by the stages of the query, which an
// observer asks for.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/query.hpp"

namespace tactus {
using detail::Random;
namespace {

constexpr double kWanted = 1e-14;

struct Silent final : Observer {};

const std::vector<Shape>& simple_shapes() {
  static const std::vector<Shape> shapes{Sphere(0.4),          Shape(Sphere(0.0), 0.3),
                                         Box({0.5, 0.9, 0.3}), Shape(Box({0.7, 0.2, 0.4}), 0.1),
                                         Capsule(0.2, 0.8),    Capsule(0.3, 0.0)};
  return shapes;
}

Pose any_pose(Random& random, double reach) {
  const auto number = [&] { return random.uniform(-1.0, 1.0); };
  const double x = number(), y = number(), z = number();
  const double i = number(), j = number(), k = number();
  return Pose::from_axis_angle({reach * x, reach * y, reach * z}, {i, j, k + 2.0}, 3.0 * number());
}

TEST(Leaf, AnswersAsTheStagesDo) {
  Random random(17);
  Silent observer;
  QueryOptions staged;
  staged.observer = &observer;
  for (const Shape& a : simple_shapes()) {
    for (const Shape& b : simple_shapes()) {
      for (int i = 0; i < 60; ++i) {
        const Pose at_a = any_pose(random, 0.8), at_b = any_pose(random, 0.8);
        const DistanceResult r = distance(a, at_a, b, at_b), s = distance(a, at_a, b, at_b, staged);
        EXPECT_EQ(r.status, s.status);
        EXPECT_EQ(r.method, s.method);
        EXPECT_EQ(r.unique, s.unique);
        EXPECT_NEAR(r.distance, s.distance, kWanted);
        EXPECT_NEAR(r.upper - r.lower, s.upper - s.lower, kWanted);
        EXPECT_LE(norm(r.point_a - s.point_a), kWanted);
        EXPECT_LE(norm(r.point_b - s.point_b), kWanted);
        EXPECT_NEAR(norm(r.normal), 1.0, kWanted);
        EXPECT_LE(norm((r.point_b - r.point_a) - r.normal * r.distance), kWanted);
        EXPECT_EQ(overlap(a, at_a, b, at_b).overlap, overlap(a, at_a, b, at_b, staged).overlap);
      }
    }
  }
}

// Bodies with a curved side round in more places: their brackets are as wide as those of the
// stages.
TEST(Leaf, OfRoundBodiesHasTheBitsOfTheStages) {
  Random random(19);
  Silent observer;
  QueryOptions staged;
  staged.observer = &observer;
  const Shape ball = Sphere(0.4);
  for (const Shape& round :
       {Shape(Cylinder(0.3, 0.7)), Shape(Cone(0.4, 0.6), 0.1), Shape(Ellipsoid({0.5, 0.3, 0.4})),
        Shape(Ellipsoid({0.5, 0.5, 0.5}))}) {
    for (int i = 0; i < 200; ++i) {
      const bool first = i % 2 == 0;
      const Shape &a = first ? ball : round, &b = first ? round : ball;
      const Pose at_a = any_pose(random, 0.8), at_b = any_pose(random, 0.8);
      const DistanceResult r = distance(a, at_a, b, at_b), s = distance(a, at_a, b, at_b, staged);
      EXPECT_EQ(r.lower, s.lower) << to_string(round.type()) << i;
      EXPECT_EQ(r.upper, s.upper) << to_string(round.type()) << i;
      EXPECT_EQ(r.normal, s.normal) << to_string(round.type()) << i;
      EXPECT_EQ(r.point_a, s.point_a) << to_string(round.type()) << i;
      EXPECT_EQ(r.point_b, s.point_b) << to_string(round.type()) << i;
      EXPECT_EQ(r.method, s.method) << to_string(round.type()) << i;
      std::array<Manifold, 1> out, expected;
      const ContactsResult x = contacts(a, at_a, b, at_b, out);
      ASSERT_EQ(x.manifolds, contacts(a, at_a, b, at_b, expected, staged).manifolds);
      if (x.manifolds == 0) continue;
      EXPECT_EQ(out[0].count, expected[0].count);
      EXPECT_EQ(out[0].points[0].depth, expected[0].points[0].depth);
      EXPECT_EQ(out[0].points[0].feature, expected[0].points[0].feature);
    }
  }
}

TEST(Leaf, GivesThePatchThatTheStagesGive) {
  Random random(18);
  Silent observer;
  QueryOptions options, staged;
  options.margin = staged.margin = 0.05;
  staged.observer = &observer;
  std::array<Manifold, 1> out, expected;
  for (const Shape& a : simple_shapes()) {
    for (const Shape& b : simple_shapes()) {
      for (int i = 0; i < 40; ++i) {
        const Pose at_a = any_pose(random, 0.6);
        Pose at_b = any_pose(random, 0.6);
        if (i % 4 == 0) at_b = Pose::from_matrix(at_b.position(), at_a.rotation());  // parallel
        const ContactsResult r = contacts(a, at_a, b, at_b, out, options);
        const ContactsResult s = contacts(a, at_a, b, at_b, expected, staged);
        ASSERT_EQ(r.manifolds, s.manifolds);
        if (r.manifolds == 0) continue;
        ASSERT_EQ(out[0].count, expected[0].count);
        EXPECT_EQ(out[0].part_a, -1);
        for (std::size_t k = 0; k < static_cast<std::size_t>(out[0].count); ++k) {
          EXPECT_NEAR(out[0].points[k].depth, expected[0].points[k].depth, kWanted);
          EXPECT_EQ(out[0].points[k].feature, expected[0].points[k].feature);
          EXPECT_LE(norm(out[0].points[k].point_a - expected[0].points[k].point_a), kWanted);
        }
      }
    }
  }
}

TEST(Leaf, SaysWhenNoPlaceIsLeftForThePatch) {
  const ContactsResult r =
      contacts(Sphere(1.0), Pose(), Sphere(1.0), Pose::translation({1.5, 0.0, 0.0}), {});
  EXPECT_EQ(r.manifolds, 0);
  EXPECT_TRUE(r.truncated);
  EXPECT_DOUBLE_EQ(r.distance.distance, -0.5);
}

TEST(Leaf, LeavesWhatItsFormulaDoesNotDecide) {
  // Centres that coincide, a centre in the box, lengths out of range, positions beyond any.
  const Shape ball = Sphere(0.5), box = Box({2.0, 2.0, 4.0});
  DistanceResult r = distance(ball, Pose(), ball, Pose());
  EXPECT_DOUBLE_EQ(r.distance, -1.0);
  EXPECT_FALSE(r.unique);
  r = distance(ball, Pose::translation({0.75, 0.0, 0.0}), box, Pose());
  EXPECT_DOUBLE_EQ(r.distance, -0.75);
  EXPECT_EQ(r.normal, (Vec3{-1.0, 0.0, 0.0}));
  r = distance(box, Pose(), ball, Pose::translation({0.75, 0.0, 0.0}));
  EXPECT_EQ(r.normal, (Vec3{1.0, 0.0, 0.0}));
  for (const Shape& b : simple_shapes()) {
    EXPECT_EQ(distance(ball, Pose(), b, Pose::translation({1e60, 0.0, 0.0})).status,
              Status::precision_limit);
    const double infinity = std::numeric_limits<double>::infinity();
    const Pose nowhere = Pose() * Pose::translation({1e308, 0.0, 0.0});
    const Pose beyond = nowhere * nowhere;
    ASSERT_EQ(beyond.position().x, infinity);
    EXPECT_EQ(distance(ball, beyond, b, beyond).status, Status::invalid_input);
    EXPECT_EQ(distance(ball, Pose(), b, beyond).status, Status::invalid_input);
  }
}

}  // namespace
}  // namespace tactus
