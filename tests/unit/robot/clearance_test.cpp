// Clearance of configurations against all pairs one by one, gradients against differences.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/robot.hpp"
#include "tactus/robot/capsule.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_robots.hpp"

namespace tactus::detail {
namespace {

/// Distances of all pairs of bodies, by single queries at the poses of the links.
std::vector<RobotDistance> all_distances(const RobotCollision& collision,
                                         const std::vector<double>& values) {
  const Robot& robot = collision.robot();
  std::vector<Pose> poses(robot.links().size());
  robot.link_poses(values, poses);
  std::vector<RobotDistance> all;
  const auto add = [&](std::uint32_t a, std::int32_t b, const std::vector<RobotBody>& others,
                       const Pose& at) {
    for (std::uint32_t i = 0; i < robot.links()[a].bodies.size(); ++i)
      for (std::uint32_t k = 0; k < others.size(); ++k) {
        const RobotBody& body = robot.links()[a].bodies[i];
        all.push_back(
            {static_cast<std::int32_t>(a), b, i, k,
             distance(body.shape, poses[a] * body.pose, others[k].shape, at * others[k].pose)});
      }
  };
  for (const RobotPair& pair : collision.pairs())
    add(pair.a, static_cast<std::int32_t>(pair.b), robot.links()[pair.b].bodies, poses[pair.b]);
  return all;
}

std::set<std::pair<int, int>> links_of(const std::vector<RobotDistance>& list, double below) {
  std::set<std::pair<int, int>> links;
  for (const RobotDistance& d : list)
    if (d.distance.distance <= below) links.emplace(d.link_a, d.link_b);
  return links;
}

// Law: the bracket holds the least of all distances, and the list all pairs below the bound.
TEST(Clearance, IsTheLeastOfAllPairs) {
  Random random(5);
  RobotCache cache;
  for (int round = 0; round < test::effort(60); ++round) {
    const Robot robot = test::random_robot(random, 3 + random.below(8), true);
    const RobotCollision collision(robot);
    cache.pairs.clear();
    for (int k = 0; k < 4; ++k) {
      const std::vector<double> values = test::random_configuration(random, robot);
      const std::vector<RobotDistance> all = all_distances(collision, values);
      double lower = kInfinity, upper = kInfinity;
      for (const RobotDistance& d : all) {
        lower = std::min(lower, d.distance.lower);
        upper = std::min(upper, d.distance.upper);
      }
      ClearanceOptions options;
      options.below = random.uniform(-0.2, 0.6);
      const RobotClearance found =
          collision.clearance(values, options, k % 2 == 0 ? &cache : nullptr);
      if (all.empty()) {
        EXPECT_EQ(found.least.link_a, -1);
        continue;
      }
      EXPECT_LE(found.lower, upper + 1e-12);
      EXPECT_GE(found.upper, lower - 1e-12);
      EXPECT_NEAR(found.lower, found.upper, 1e-6);
      EXPECT_EQ(links_of(found.below, options.below), links_of(all, options.below));
      EXPECT_EQ(found.below.size(), links_of(all, options.below).size());
    }
  }
}

// Law: the gradient is what the distance changes by, where it is smooth.
TEST(Clearance, HasTheGradientOfItsDifferences) {
  Random random(6);
  constexpr double kStep = 1e-6;
  int compared = 0;
  for (int round = 0; round < test::effort(60); ++round) {
    const Robot robot = test::random_robot(random, 3 + random.below(6));
    const RobotCollision collision(robot);
    std::vector<double> values = test::random_configuration(random, robot);
    ClearanceOptions options;
    options.gradient = true;
    options.tolerance = 1e-12;
    const RobotClearance found = collision.clearance(values, options);
    if (found.least.link_a < 0 || found.lower < 0.01) continue;
    ASSERT_EQ(found.gradient.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto at = [&](double change) {
        std::vector<double> moved = values;
        moved[i] += change;
        return collision.clearance(moved, options).least;
      };
      const RobotDistance before = at(-kStep), after = at(kStep), far = at(1e3 * kStep);
      // Smooth there: second differences stay small.
      const double slope = (after.distance.distance - before.distance.distance) / (2 * kStep);
      const double one_side = (after.distance.distance - found.least.distance.distance) / kStep;
      if (before.body_a != after.body_a || std::fabs(slope - one_side) > 1e-4) continue;
      EXPECT_NEAR(found.gradient[i], slope, 1e-3) << round << ", " << far.link_a;
      ++compared;
    }
  }
  EXPECT_GT(compared, 50 * test::effort(60) / 60);
}

// Law: a capsule around a body holds it, and the gap of two capsules is no more than the distance.
TEST(BoundingCapsule, HoldsItsBody) {
  Random random(7);
  for (int round = 0; round < test::effort(400); ++round) {
    const Shape a =
        random.below(3) == 0 ? test::dented_body(random, 0.5) : test::random_body(random, 0.5);
    const Shape b = test::random_body(random, 0.5);
    const Pose at_a = test::placed_at_random(random, 1.0),
               at_b = test::placed_at_random(random, 1.0);
    const BoundingCapsule of_a = placed(bounding_capsule(a), at_a);
    for (int k = 0; k < 20; ++k) {
      const Vec3 n = normalized(test::random_vector(random, 1.0));
      const double top = std::max(dot(n, of_a.a), dot(n, of_a.b)) + of_a.radius;
      const double height = support_value(a, at_a.direction_to_local(n)) + dot(n, at_a.position());
      EXPECT_LE(height, top + 1e-14);
    }
    const CapsuleGap gap = capsule_gap(of_a, placed(bounding_capsule(b), at_b));
    EXPECT_LE(gap.gap, distance(a, at_a, b, at_b).upper + 1e-14);
  }
}

TEST(BoundingCapsule, OfALongBodyIsTight) {
  const BoundingCapsule box = bounding_capsule(Box({0.2, 3.0, 0.2}));
  EXPECT_NEAR(box.radius, 0.1 * std::sqrt(2.0), 1e-12);
  const BoundingCapsule plane = bounding_capsule(HalfSpace({0, 0, 1}, 0));
  EXPECT_EQ(plane.radius, kInfinity);
}

TEST(Clearance, OfObstaclesCountsLinksThatMove) {
  const RobotBody ball{Sphere(0.1), {}, ""};
  const Robot robot(
      "r", {{"base", {ball}}, {"slider", {ball}}},
      {{"x", RobotJointType::prismatic, 0, 1, Pose::translation({1, 0, 0}), {1, 0, 0}, -5, 5}});
  const RobotCollision collision(
      robot, {}, {{HalfSpace({-1, 0, 0}, -4.0), {}, "wall"}, {Sphere(0.5), {}, "at the base"}});
  EXPECT_EQ(collision.body_pairs(), 2u);
  ClearanceOptions options;
  options.gradient = true;
  const RobotClearance found = collision.clearance(std::vector<double>{2.0}, options);
  EXPECT_NEAR(found.least.distance.distance, 0.9, 1e-12);
  EXPECT_EQ(found.least.link_b, -1);
  EXPECT_EQ(found.least.body_b, 0u);
  EXPECT_NEAR(found.gradient[0], -1.0, 1e-12);
}

}  // namespace
}  // namespace tactus::detail
