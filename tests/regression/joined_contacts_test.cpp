// Joints were solved exactly, contacts by sweeps beside them, a turn each per substep: a load that
// goes through both never settled. A level bridge of four planks under a thousand kilograms threw
// its joints 17 m apart, two sticks on one fixed joint crept at 2.5 cm/s for ever, a table of five
// bodies walked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/effort.hpp"
#include "tests/support/jointed_scenes.hpp"

namespace tactus::detail {
namespace {

using test::JointedRun;

/// Sizes per second below which a body is at rest.
constexpr double kRest = 1e-3;
/// Sizes by which joints may be apart.
constexpr double kApart = 1e-3;

TEST(JoinedContacts, LevelBridgeHangsStillUnderAThousandKilograms) {
  TACTUS_LONG_TEST();
  World world;
  const BodyId load = test::add_bridge(world, {4, 0.0, 1000.0 / 72.0, 0.0});
  const JointedRun seen = test::run_jointed(world, 5.0);
  EXPECT_FALSE(seen.failed);
  EXPECT_LT(seen.apart, kApart);
  EXPECT_LT(seen.speed, kRest);
  EXPECT_LE(seen.rise, 0.0);
  // The pull of a level bridge comes from its sag, which the joints bound.
  EXPECT_GT(world.body(load).center_of_mass().z, 3.24 - 0.1);
}

TEST(JoinedContacts, SticksOnAFixedJointRest) {
  World world;
  test::add_ground(world, {.friction = 0.6});
  const BodyId lying = test::add_block(world, {1, 0.1, 0.1}, Pose::translation({0, 0, 0.1}), 10.0);
  const BodyId standing =
      test::add_block(world, {0.1, 0.1, 0.6}, Pose::translation({0.45, 0, 0.45}), 6.0);
  world.add_joint(
      joint_at(JointType::fixed, world.body(lying), world.body(standing), {0.45, 0, 0.1}));
  const JointedRun seen = test::run_jointed(world, 10.0);
  EXPECT_LT(seen.speed, 1e-8);
  EXPECT_LT(seen.apart, 1e-9);
  EXPECT_LT(seen.rise, 1e-10);
}

TEST(JoinedContacts, TableRestsUnderAHundredTimesItsTop) {
  TACTUS_LONG_TEST();
  for (const double load : {0.0, 100.0}) {
    World world;
    Random random(3);
    test::add_table(world, random, load);
    const JointedRun seen = test::run_jointed(world, 5.0);
    EXPECT_LT(seen.speed, 1e-5);
    EXPECT_LT(seen.apart, 1e-6);
    EXPECT_LE(seen.rise, 1e-9);
  }
}

/// Links in a row, without weight, with motors and limits.
World motor_chain(int links, double torque) {
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  BodyId last = test::add_anchor(world);
  for (int i = 0; i < links; ++i) {
    const double x = i;
    const BodyId link =
        test::add_block(world, {0.9, 0.05, 0.05}, Pose::translation({x + 0.5, 0, 0}), 2.25);
    JointDefinition joint =
        joint_at(JointType::hinge, world.body(last), world.body(link), {x, 0, 0}, {0, 1, 0});
    joint.limits = JointLimits{-0.5, 0.5};
    joint.motor = JointMotor{5.0, torque};
    world.add_joint(joint);
    last = link;
  }
  return world;
}

void reverse(World& world, double speed, double torque) {
  std::vector<JointId> ids;
  for (const Joint& joint : world.joints()) ids.push_back(joint.definition.id);
  for (const JointId id : ids) world.set_motor(id, JointMotor{speed, torque});
}

// The motor's row and the limit's are one axis: what both wanted was put to both bounds at once,
// and what the limit had held against the motor pulled the link off.
TEST(JoinedContacts, MotorsThatAreReversedAgainstTheirLimitsPullNothingOff) {
  const std::pair<int, double> chains[] = {{3, 1e5}, {5, 1e3}};
  for (const auto& [links, torque] : chains) {
    World world = motor_chain(links, torque);
    double past = 0.0;
    for (int turn = 0; turn < 20; ++turn) {
      reverse(world, turn % 2 == 0 ? -5.0 : 5.0, torque);
      const JointedRun seen = test::run_jointed(world, 0.5 * (turn + 1));
      EXPECT_FALSE(seen.failed);
      EXPECT_LT(seen.apart, 1e-8);
      for (const Joint& joint : world.joints())
        past = std::max(past, std::fabs(joint.position) - 0.5);
    }
    EXPECT_LT(past, 1e-6);
  }
}

// Eight of them are more than the substeps can follow.
TEST(JoinedContacts, StepThatWouldTearAJointFailsByItsName) {
  World world = motor_chain(8, 1e5);
  for (int i = 0; i < 300; ++i) {
    if (i % 30 == 29) reverse(world, i / 30 % 2 == 0 ? -5.0 : 5.0, 1e5);
    const std::uint64_t before = world.state_hash();
    const StepFailure failure = world.step().failure;
    EXPECT_LT(test::gap(world), 0.1);
    if (!failure.any()) continue;
    EXPECT_EQ(failure.error, StepError::joint);
    EXPECT_EQ(failure.bodies.size(), 2u);
    EXPECT_EQ(world.state_hash(), before);
    break;
  }
}

TEST(JoinedContacts, RhombusPassesItsSingularPlaces) {
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  const BodyId anchor = test::add_anchor(world);
  const Vec3 corner[] = {{0, 0, 0}, {0, 0, -1}, {1, 0, -1}, {1, 0, 0}};
  std::vector<BodyId> chain{anchor};
  for (int i = 0; i < 3; ++i) {
    const Vec3 way = corner[i + 1] - corner[i];
    BodyDefinition bar{Box({0.9, 0.05, 0.05}),
                       Pose::from_axis_angle((corner[i] + corner[i + 1]) * 0.5, {0, 1, 0},
                                             std::atan2(-way.z, way.x))};
    bar.filter.mask = 0;
    // Both cranks turn at 3 rad/s: through both places at which all bars lie on a line.
    bar.linear_velocity = i == 1 ? Vec3{-3, 0, 0} : Vec3{-1.5, 0, 0};
    if (i != 1) bar.angular_velocity = {0, 3, 0};
    chain.push_back(world.add(bar));
  }
  chain.push_back(anchor);
  for (std::size_t i = 0; i < 4; ++i)
    world.add_joint(joint_at(JointType::hinge, world.body(chain[i]), world.body(chain[i + 1]),
                             corner[i], {0, 1, 0}));
  const double first = test::energy(world);
  const JointedRun seen = test::run_jointed(world, 10.0);
  EXPECT_FALSE(seen.failed);
  EXPECT_LT(seen.apart, kApart);
  EXPECT_LT(seen.rise, 1e-3 * first);
}

TEST(JoinedContacts, BitsDoNotDependOnThreads) {
  TACTUS_LONG_TEST();
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 4}) {
    WorldSettings settings;
    settings.max_threads = threads;
    World world(settings);
    test::add_bridge(world, {6, 0.01, 5.0, 0.0});
    // A pile that is cut into slabs falls on it.
    Random random(5);
    for (int i = 0; i < 300; ++i)
      test::add_body(world, test::mixed_shape(i),
                     {random.uniform(-2, 5), random.uniform(-2, 2), random.uniform(3.5, 9)});
    for (int i = 0; i < 60; ++i) ASSERT_FALSE(world.step().failure.any());
    hashes.push_back(world.state_hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

// A world of its own, and the same beside another one.
TEST(JoinedContacts, SystemsDoNotKnowOfEachOther) {
  const auto table = [](World& world, double x) {
    const BodyId top = test::add_block(world, {1, 1, 0.05}, Pose::translation({x, 0, 0.825}), 50.0);
    for (int i = 0; i < 4; ++i) {
      const Vec3 at{x + (i % 2 == 0 ? 0.4 : -0.4), i / 2 == 0 ? 0.4 : -0.4, 0.4};
      const BodyId leg = test::add_block(world, {0.06, 0.06, 0.8}, Pose::translation(at), 3.0);
      world.add_joint(
          joint_at(JointType::fixed, world.body(top), world.body(leg), at + Vec3{0.0, 0.0, 0.4}));
    }
    return top;
  };
  World alone, two;
  test::add_ground(alone);
  test::add_ground(two);
  const BodyId top = table(alone, 0.0);
  EXPECT_EQ(table(two, 0.0), top);
  table(two, 8.0);
  for (int i = 0; i < 60; ++i) {
    alone.step();
    two.step();
  }
  EXPECT_EQ(alone.body(top).motion(), two.body(top).motion());
}

}  // namespace
}  // namespace tactus::detail
