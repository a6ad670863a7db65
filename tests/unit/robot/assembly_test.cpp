// Robots of several, and bodies that move around them: poses by hand, verdicts by closed formulas
// and samples.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/robot.hpp"
#include "tactus/robot/motion_bound.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_robots.hpp"

namespace tactus::detail {
namespace {

Robot slider(const std::string& joint, const Vec3& axis) {
  return {"slider",
          {{"world"}, {"cart", {{Box({1, 1, 1}), {}, ""}}}},
          {{joint, RobotJointType::prismatic, 0, 1, {}, axis, -9, 9}}};
}

TEST(JoinRobots, PlacesThePartsAndTheirBases) {
  const Robot cart = slider("x", {1, 0, 0});
  const Pose place = Pose::from_axis_angle({0, 3, 0}, {0, 0, 1}, 0.5 * kPi);
  const Robot both = join_robots("both", {{cart}, {cart, "other", place, RobotJointType::planar}});
  ASSERT_EQ(both.coordinates().size(), 5u);
  EXPECT_EQ(both.coordinates()[1].name, "other/base/x");
  EXPECT_EQ(both.coordinates()[4].name, "other/x");
  EXPECT_EQ(both.links()[both.root()].name, "world_");
  std::vector<Pose> poses(both.links().size());
  both.link_poses(std::vector<double>{2, 1, 0.5, 0.25, 4}, poses);
  EXPECT_EQ(poses[*both.find_link("cart")].position(), (Vec3{2, 0, 0}));
  // Along the axes of the place, then 4 along the x of the turned base.
  const double turn = 0.5 * kPi + 0.25;
  const Vec3 base = place.to_world({1, 0.5, 0});
  const Vec3 expected = base + Vec3{4 * std::cos(turn), 4 * std::sin(turn), 0};
  EXPECT_LT(norm(poses[*both.find_link("other/cart")].position() - expected), 1e-14);
  EXPECT_EQ(movable_pairs(both).size(), 1u);
  EXPECT_THROW(join_robots("none", {}), InvalidInput);
  EXPECT_THROW(join_robots("twice", {{cart}, {cart}}), InvalidInput);
}

TEST(JoinRobots, KeepsMimics) {
  std::vector<RobotJoint> joints{{"a", RobotJointType::prismatic, 0, 1, {}, {1, 0, 0}},
                                 {"b", RobotJointType::prismatic, 0, 2, {}, {0, 1, 0}}};
  joints[1].mimic = RobotMimic{0, 3.0, 1.0};
  const Robot robot("r", {{"root"}, {"one"}, {"two"}}, joints);
  const Robot both = join_robots("both", {{robot, "p"}, {robot, "q"}});
  ASSERT_EQ(both.coordinates().size(), 2u);
  std::vector<Pose> poses(both.links().size());
  both.link_poses(std::vector<double>{2, 5}, poses);
  EXPECT_EQ(poses[*both.find_link("p/two")].position(), (Vec3{0, 7, 0}));
  EXPECT_EQ(poses[*both.find_link("q/two")].position(), (Vec3{0, 16, 0}));
}

TEST(AddObstacles, MovesThemByVelocitiesOrCoordinates) {
  const Robot cart = slider("x", {1, 0, 0});
  const Pose start = Pose::from_axis_angle({1, 2, 3}, {0, 1, 0}, 0.3);
  const Vec3 center{0.5, 0, 0}, spin{0, 0, 2};
  const RobotBody ball{Sphere(0.1), start, "ball"}, box{Box({1, 1, 1}), start, "box"};
  const Robot cell = add_obstacles(
      cart, {{ball, center, {0, 3, 4}, spin}, {box, {}, {}, {}}, {{Sphere(1), {}, "still"}}});
  ASSERT_EQ(cell.coordinates().size(), 1u + 1 + 6 + 6);
  EXPECT_EQ(cell.coordinates()[0].name, "x");
  EXPECT_EQ(cell.coordinates()[1].name, "time");
  EXPECT_EQ(cell.coordinates()[2].name, "box/x");
  std::vector<double> values(cell.coordinates().size(), 0.0);
  values[1] = 0.25;
  values[4] = -1.0;
  values[7] = 0.5;
  std::vector<Pose> poses(cell.links().size());
  cell.link_poses(values, poses);
  const auto pose_of = [&](const char* name) {
    const std::uint32_t link = *cell.find_link(name);
    EXPECT_TRUE(cell.links()[link].obstacle);
    return poses[link] * cell.links()[link].bodies[0].pose;
  };
  const Pose turned = Pose::from_axis_angle({}, spin, 0.5);
  const Pose at = pose_of("ball");
  const Vec3 middle = start.to_world(center) + Vec3{0, 3, 4} * 0.25;
  EXPECT_LT(norm(at.to_world(center) - middle), 1e-14);
  EXPECT_LT(norm(at.direction_to_world({1, 0, 0}) -
                 turned.direction_to_world(start.direction_to_world({1, 0, 0}))),
            1e-14);
  const Pose boxed = pose_of("box");
  EXPECT_LT(norm(boxed.position() - (start.position() + Vec3{0, 0, -1})), 1e-14);
  EXPECT_LT(norm(boxed.direction_to_world({1, 0, 0}) -
                 turned.direction_to_world(start.direction_to_world({1, 0, 0}))),
            1e-14);
  // The cart against each of them, and none against another or a body at rest.
  const RobotCollision collision(cell, movable_pairs(cell), {{Sphere(1), {}, "wall"}});
  EXPECT_EQ(collision.pairs().size(), 3u);
  EXPECT_EQ(collision.body_pairs(), 4u);
  for (const PairReport& report : classify_pairs(cell, {.samples = 10}))
    EXPECT_NE(report.contact, PairContact::adjacent);
  EXPECT_THROW(add_obstacles(cart, {{{Sphere(1), {}, "cart"}}}), InvalidInput);
  EXPECT_THROW(add_obstacles(cart, {{ball, {}, {kInfinity, 0, 0}}}), InvalidInput);
}

// Obstacles on the root's own bodies are asked, adjacent though they are.
TEST(AddObstacles, AsksTheRootToo) {
  const Robot rock("rock", {{"rock", {{Sphere(1), {}, ""}}}}, {});
  const Robot cell =
      add_obstacles(rock, {{{Sphere(1), Pose::translation({5, 0, 0}), "ball"}, {}, {-1, 0, 0}}});
  ASSERT_EQ(movable_pairs(cell).size(), 1u);
  const PathAnswer answer = RobotCollision(cell).certify(
      straight_segment(std::vector<double>{0}, std::vector<double>{6}));
  EXPECT_EQ(answer.verdict, PathVerdict::below);
  EXPECT_LE(answer.lower, 0.5);
  EXPECT_NEAR(answer.upper, 0.5, 1e-6);
}

// A cart and a ball that cross each other's way: the ball is at (0, 4 - v t), the cart's face at -3
// + t.
TEST(Certify, SeesWhatMovesBeside) {
  const Robot cart = slider("x", {1, 0, 0});
  const auto verdict_at = [&](double speed) {
    const Robot cell = add_obstacles(
        cart, {{{Sphere(0.25), Pose::translation({0, 4, 0}), "ball"}, {}, {0, -speed, 0}}});
    const RobotCollision collision(cell);
    const PathSegment segment =
        straight_segment(std::vector<double>{-3.5, 0}, std::vector<double>{3.5, 7});
    std::vector<PathClaim> claims;
    PathOptions options;
    options.claims = &claims;
    const PathAnswer answer = collision.certify(segment, options);
    if (answer.verdict == PathVerdict::free) {
      EXPECT_EQ(collision.check_free(segment, 0.0, claims), "");
      EXPECT_NE(collision.check_free(straight_segment(std::vector<double>{-3.5, 0},
                                                      std::vector<double>{3.5, 4.0 / speed}),
                                     0.0, claims),
                "")
          << "another motion of the ball";
    }
    return answer;
  };
  // In time the cart fills x in [t - 4, t - 3], y in [-0.5, 0.5]; at speed 1 the ball is at y = 0.5
  // at 3.5.
  const PathAnswer met = verdict_at(1.0);
  ASSERT_EQ(met.verdict, PathVerdict::below);
  // The ball's foot reaches the top, y = 0.5, at t = 3.25.
  EXPECT_LE(met.lower * 7, 3.25 + 1e-9);
  EXPECT_NEAR(met.upper * 7, 3.25, 1e-5);
  EXPECT_EQ(verdict_at(0.5).verdict, PathVerdict::free);
  EXPECT_EQ(verdict_at(2.0).verdict, PathVerdict::free);
}

// Law: with obstacles that move by velocities and coordinates, and a second robot, no sample
// refutes a free path.
TEST(Certify, IsNeverRefutedBySamplesOfWhatMoves) {
  Random random(31);
  constexpr int kSamples = 200;
  int free = 0, meets = 0;
  for (int round = 0; round < test::effort(60); ++round) {
    const Robot one = test::random_robot(random, 3 + random.below(3), false, 0.5);
    const Robot two = test::random_robot(random, 3 + random.below(3), false, 0.5);
    const Robot both = join_robots(
        "both", {{one}, {two, "two", test::placed_at_random(random, 1.5), RobotJointType::planar}});
    std::vector<MovingObstacle> moving(2, {{Box({0.4, 0.02, 0.3}), {}, ""}});
    for (std::size_t i = 0; i < moving.size(); ++i) {
      moving[i].body.pose = test::placed_at_random(random, 1.0);
      moving[i].body.name = "bar" + std::to_string(i);
      moving[i].center = test::random_vector(random, 0.2);
      if (i == 1) continue;
      moving[i].linear_velocity = test::random_vector(random, 1.0);
      moving[i].angular_velocity = test::random_vector(random, 2.0);
    }
    const Robot robot = add_obstacles(both, moving);
    const RobotCollision collision(robot);
    std::vector<double> from = test::random_configuration(random, robot), to = from;
    for (double& value : to) value += random.uniform(-0.5, 0.5);
    const PathSegment segment = straight_segment(from, to);
    std::vector<PathClaim> claims;
    PathOptions options;
    options.claims = &claims;
    options.max_intervals = 3000;
    const PathAnswer answer = collision.certify(segment, options);
    free += answer.verdict == PathVerdict::free ? 1 : 0;
    meets += answer.verdict == PathVerdict::below ? 1 : 0;
    std::vector<double> values;
    for (int i = 0; i <= kSamples; ++i) {
      const double s = static_cast<double>(i) / kSamples;
      if (answer.verdict != PathVerdict::free && s >= answer.lower) continue;
      values_at(segment, s, values);
      EXPECT_GT(collision.clearance(values).upper, 0.0) << round;
    }
    if (answer.verdict == PathVerdict::free) {
      EXPECT_EQ(collision.check_free(segment, 0.0, claims), "") << round;
    }
  }
  EXPECT_GE(free, test::effort(60) / 6);
  EXPECT_GE(meets, test::effort(60) / 6);
}

// Bound of the values of frames: a follower's is larger than that of its coordinate.
TEST(LargestValue, CountsFollowers) {
  const Robot cart = slider("x", {1, 0, 0});
  const Robot cell = add_obstacles(cart, {{{Sphere(1), {}, "ball"}, {}, {0, 30, 40}}});
  const std::vector<double> farthest{2.0, 3.0};
  EXPECT_EQ(largest_value(RobotAccess::data(cell), farthest), 150.0);
}

}  // namespace
}  // namespace tactus::detail
