// Proved paths: verdicts against dense sampling, and claims that were falsified.
#include <gtest/gtest.h>

#include <algorithm>
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

/// An arm of three links that turn, and poles of 2 mm around it.
RobotCollision arm_among_poles(Random& random, int poles, bool meshes) {
  std::vector<RobotLink> links{{"base", {}}};
  std::vector<RobotJoint> joints;
  for (std::uint32_t i = 1; i <= 3; ++i) {
    const Shape shape =
        meshes && i == 3 ? test::dented_body(random, 0.1) : Shape(Capsule(0.04, 0.4));
    links.push_back({"link" + std::to_string(i), {{shape, Pose::translation({0, 0, 0.25}), ""}}});
    RobotJoint joint{"joint" + std::to_string(i), RobotJointType::revolute, i - 1, i};
    joint.origin = Pose::translation({0, 0, i == 1 ? 0.0 : 0.5});
    joint.axis = i == 1 ? Vec3{0, 0, 1} : Vec3{0, 1, 0.1 * i};
    joint.lower = -3;
    joint.upper = 3;
    joints.push_back(joint);
  }
  std::vector<RobotBody> obstacles;
  for (int i = 0; i < poles; ++i)
    obstacles.push_back({Cylinder(0.001, 0.8), test::placed_at_random(random, 1.0), "pole"});
  const Robot robot("arm", links, joints);
  return {robot, movable_pairs(robot), obstacles};
}

PathSegment random_segment(Random& random, const Robot& robot, bool cubic) {
  PathSegment segment = straight_segment(test::random_configuration(random, robot),
                                         test::random_configuration(random, robot));
  if (cubic)
    for (PathPolynomial& p : segment) {
      p.c = random.uniform(-1, 1);
      p.d = random.uniform(-1, 1);
    }
  return segment;
}

RobotClearance clearance_at(const RobotCollision& collision, const PathSegment& segment, double s) {
  std::vector<double> values;
  values_at(segment, s, values);
  return collision.clearance(values);
}

// Law: what is called free is free at every sample; where it meets, everything before the bracket
// is free and a pair is too near at its end.
TEST(Certify, IsNeverRefutedBySamples) {
  Random random(21);
  constexpr int kSamples = 400;
  int free = 0, meets = 0, undecided = 0, wide = 0;
  for (int round = 0; round < test::effort(60); ++round) {
    const RobotCollision collision = arm_among_poles(random, 6, round % 3 == 0);
    const PathSegment segment = random_segment(random, collision.robot(), round % 2 == 0);
    PathOptions options;
    options.clearance = round % 4 == 0 ? 0.0 : random.uniform(0.0, 0.05);
    std::vector<PathClaim> claims;
    options.claims = &claims;
    const PathAnswer answer = collision.certify(segment, options);
    free += answer.verdict == PathVerdict::free ? 1 : 0;
    meets += answer.verdict == PathVerdict::below ? 1 : 0;
    undecided += answer.verdict == PathVerdict::undecided ? 1 : 0;
    for (int i = 0; i <= kSamples; ++i) {
      const double s = static_cast<double>(i) / kSamples;
      const bool proved = answer.verdict == PathVerdict::free || s < answer.lower;
      if (!proved) continue;
      EXPECT_GT(clearance_at(collision, segment, s).upper, options.clearance) << round;
    }
    if (answer.verdict == PathVerdict::free) {
      EXPECT_EQ(collision.check_free(segment, options.clearance, claims), "") << round;
    } else if (answer.verdict == PathVerdict::below) {
      EXPECT_LE(clearance_at(collision, segment, answer.upper).lower, options.clearance) << round;
      wide += answer.upper - answer.lower > options.tolerance ? 1 : 0;
    }
    options.claims = nullptr;
    options.first = false;
    EXPECT_EQ(collision.certify(segment, options).verdict == PathVerdict::below,
              answer.verdict == PathVerdict::below);
  }
  EXPECT_GE(free, test::effort(60) / 6);
  EXPECT_GE(meets, test::effort(60) / 6);
  EXPECT_EQ(undecided, 0);
  // Where bodies approach slowly the bracket is wider.
  EXPECT_LE(10 * wide, meets);
}

// Law: robots of all joints, with mimics, on random paths, too.
TEST(Certify, HoldsForAllJoints) {
  Random random(22);
  constexpr int kSamples = 200;
  int free = 0, meets = 0;
  for (int round = 0; round < test::effort(60); ++round) {
    const Robot robot = test::random_robot(random, 3 + random.below(5), true, 0.5);
    const RobotCollision collision(robot);
    std::vector<double> from = test::random_configuration(random, robot), to = from;
    for (double& value : to) value += random.uniform(-0.5, 0.5);
    const PathSegment segment = straight_segment(from, to);
    PathOptions options;
    options.max_intervals = 3000;
    std::vector<PathClaim> claims;
    options.claims = &claims;
    const PathAnswer answer = collision.certify(segment, options);
    free += answer.verdict == PathVerdict::free ? 1 : 0;
    meets += answer.verdict == PathVerdict::below ? 1 : 0;
    for (int i = 0; i <= kSamples; ++i) {
      const double s = static_cast<double>(i) / kSamples;
      const bool proved = answer.verdict == PathVerdict::free || s < answer.lower;
      if (!proved) continue;
      EXPECT_GT(clearance_at(collision, segment, s).upper, 0.0) << round;
    }
    if (answer.verdict != PathVerdict::free) continue;
    EXPECT_EQ(collision.check_free(segment, 0.0, claims), "") << round;
  }
  EXPECT_GE(free, test::effort(60) / 6);
  EXPECT_GE(meets, test::effort(60) / 6);
}

// A pole of 1 mm that the hand passes within a thousandth of the path: samples miss it.
TEST(Certify, FindsAPoleThatSamplesMiss) {
  const Robot robot("hand",
                    {{"base", {}}, {"hand", {{Sphere(0.001), Pose::translation({1, 0, 0}), ""}}}},
                    {{"turn", RobotJointType::continuous, 0, 1, {}, {0, 0, 1}}});
  const double angle = 1.2345;
  const RobotCollision collision(
      robot, {},
      {{Cylinder(0.001, 1), Pose::translation({std::cos(angle), std::sin(angle), 0}), "pole"}});
  const PathSegment segment = straight_segment(std::vector<double>{0.0}, std::vector<double>{6.0});
  const PathAnswer answer = collision.certify(segment);
  ASSERT_EQ(answer.verdict, PathVerdict::below);
  // The sphere touches the pole where the chord of the angle between is 0.002.
  const double exact = (angle - 2.0 * std::asin(0.001)) / 6.0;
  EXPECT_LE(answer.lower, exact);
  EXPECT_GE(answer.upper, exact);
  EXPECT_LE(answer.upper - answer.lower, 2e-6);
  EXPECT_EQ(answer.pair.link_b, -1);
}

TEST(Certify, TellsASegmentThatStartsTooNear) {
  const RobotBody ball{Sphere(0.5), {}, ""};
  const Robot robot("r", {{"base", {}}, {"ball", {ball}}},
                    {{"x", RobotJointType::prismatic, 0, 1, {}, {1, 0, 0}, -9, 9}});
  const RobotCollision collision(robot, {}, {{Sphere(0.5), {}, "ball"}});
  const PathSegment away = straight_segment(std::vector<double>{0.9}, std::vector<double>{5.0});
  PathAnswer answer = collision.certify(away);
  EXPECT_EQ(answer.verdict, PathVerdict::below);
  EXPECT_EQ(answer.lower, 0.0);
  EXPECT_EQ(answer.upper, 0.0);
  // Exactly as far as the clearance: neither farther nor nearer can be proved.
  PathOptions options;
  options.clearance = 1.0;
  options.max_intervals = 500;
  answer = collision.certify(straight_segment(std::vector<double>{2.0}, std::vector<double>{5.0}),
                             options);
  EXPECT_EQ(answer.verdict, PathVerdict::undecided);
  EXPECT_EQ(answer.lower, 0.0);
  EXPECT_LT(answer.upper, 1e-5);
}

// Law: a claim that was made better than it is, or left out, is not proved.
TEST(CheckFree, RefusesFalseClaims) {
  Random random(23);
  int tried = 0;
  for (int round = 0; round < test::effort(40); ++round) {
    const RobotCollision collision = arm_among_poles(random, 4, round % 2 == 0);
    const PathSegment segment = random_segment(random, collision.robot(), false);
    std::vector<PathClaim> claims;
    PathOptions options;
    options.claims = &claims;
    if (collision.certify(segment, options).verdict != PathVerdict::free) continue;
    for (int k = 0; k < 10; ++k) {
      std::vector<PathClaim> forged = claims;
      // Claims about the first moment alone are said again by others.
      std::size_t at = random.below(static_cast<std::uint32_t>(forged.size()));
      while (!(forged[at].end > forged[at].begin)) at = (at + 1) % forged.size();
      PathClaim& claim = forged[at];
      switch (k % 5) {
        case 0:
          claim.distance += 1e3;
          break;
        case 1:
          claim.motion *= 0.2;
          break;
        case 2:
          claim.end = claim.begin + 0.9 * (claim.end - claim.begin);
          break;
        case 3:
          forged.erase(forged.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        default:
          claim.pair += static_cast<std::uint32_t>(collision.body_pairs());
          break;
      }
      EXPECT_NE(collision.check_free(segment, 0.0, forged), "") << k;
      ++tried;
    }
  }
  EXPECT_GT(tried, 0);
}

TEST(CertifyEdges, HaveTheBitsOfSingleCalls) {
  Random random(24);
  const RobotCollision collision = arm_among_poles(random, 6, true);
  std::vector<double> ends;
  constexpr std::size_t kEdges = 20;
  for (std::size_t i = 0; i < 2 * kEdges; ++i)
    for (const double value : test::random_configuration(random, collision.robot()))
      ends.push_back(value);
  std::vector<PathAnswer> answers(kEdges), alone(kEdges);
  collision.certify_edges(ends, answers);
  collision.certify_edges(ends, alone, {}, 1);
  const std::span<const double> all(ends);
  for (std::size_t i = 0; i < kEdges; ++i) {
    const PathAnswer single =
        collision.certify(straight_segment(all.subspan(6 * i, 3), all.subspan(6 * i + 3, 3)));
    for (const PathAnswer& answer : {answers[i], alone[i]}) {
      EXPECT_EQ(answer.verdict, single.verdict);
      EXPECT_EQ(answer.lower, single.lower);
      EXPECT_EQ(answer.upper, single.upper);
      EXPECT_EQ(answer.intervals, single.intervals);
      EXPECT_EQ(answer.pair.distance.distance, single.pair.distance.distance);
    }
  }
  EXPECT_THROW(collision.certify_edges(all.subspan(1), answers), InvalidInput);
}

// Law: no distance changes by more than the bound while the coordinates change within theirs.
TEST(MotionBound, IsNoLessThanTheMotion) {
  Random random(25);
  double tightest = 0.0;
  for (int round = 0; round < test::effort(60); ++round) {
    const Robot robot = test::random_robot(random, 3 + random.below(6));
    const RobotCollision collision(robot);
    const CollisionData& data = RobotAccess::data(collision);
    const PathSegment segment = straight_segment(test::random_configuration(random, robot),
                                                 test::random_configuration(random, robot));
    const double middle = random.uniform(0.1, 0.9), half = random.uniform(0.0, 0.1);
    std::vector<double> values, changes;
    PlacedRobot at, later;
    values_at(segment, middle, values);
    most_changes(segment, middle - half, middle + half, changes);
    place(data, values.data(), at);
    MotionBound bound(data);
    bound.start(at, changes);
    for (const ItemPair& pair : data.item_pairs) {
      const double most = bound.between(pair);
      const DistanceResult before = measure(data, at, pair, {}, nullptr);
      for (int k = 0; k <= 10; ++k) {
        values_at(segment, middle - half + 0.2 * half * k, values);
        place(data, values.data(), later);
        const DistanceResult after = measure(data, later, pair, {}, nullptr);
        const double change = std::fabs(after.distance - before.distance);
        EXPECT_LE(change, most + 1e-12);
        if (most > 1e-3) tightest = std::max(tightest, change / most);
      }
    }
  }
  EXPECT_GT(tightest, 0.7);
}

}  // namespace
}  // namespace tactus::detail
