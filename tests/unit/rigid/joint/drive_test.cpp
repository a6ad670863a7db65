// Position drives of joints, and joints that break.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/joint_scene.hpp"

namespace tactus::detail {
namespace {

using test::add_anchor;
using test::add_body;
using test::add_ground;
using test::effort;
using test::run;

constexpr double kGravity = 9.81;

/// A box that hangs out along x from a hinge or slider at the origin.
struct Arm {
  World world;
  BodyId body = kNoBody;
  JointId joint = kNoJoint;
  double mass = 0.0;

  explicit Arm(JointType type, const Vec3& axis, const std::optional<JointDrive>& drive) {
    const BodyId anchor = add_anchor(world);
    body = add_body(world, Box({0.4, 0.1, 0.1}), {0.5, 0.0, 0.0});
    mass = world.body(body).mass().mass;
    JointDefinition joint_of =
        joint_at(type, world.body(anchor), world.body(body), {0.0, 0.0, 0.0}, axis);
    joint_of.drive = drive;
    joint = world.add_joint(joint_of);
  }
};

// At rest the drive's torque carries the weight: k (target - angle) = m g l cos(angle).
TEST(Drive, HoldsAHingeWhereItsSpringCarriesTheWeight) {
  const double stiffness = 900.0, target = -0.4;
  Arm arm(JointType::hinge, {0, 1, 0}, JointDrive{target, stiffness, 90.0});
  run(arm.world, 6.0);
  const Joint& joint = arm.world.joint(arm.joint);
  const double torque = arm.mass * kGravity * 0.5 * std::cos(joint.position);
  EXPECT_NEAR(stiffness * (joint.position - target), torque, 1e-3 * torque);
  EXPECT_LT(norm(arm.world.body(arm.body).angular_velocity()), 1e-6);
  EXPECT_NEAR(std::fabs(joint.torque.y), torque, 1e-3 * torque);
}

TEST(Drive, HoldsASliderWhereItsSpringCarriesTheWeight) {
  Arm arm(JointType::slider, {0, 0, 1}, JointDrive{0.2, 4000.0, 400.0});
  run(arm.world, 5.0);
  EXPECT_NEAR(arm.world.joint(arm.joint).position, 0.2 - arm.mass * kGravity / 4000.0, 1e-6);
}

// An undamped spring of low frequency, against w^2 = k / I: implicit steps slow it little.
TEST(Drive, SwingsWithTheFrequencyOfItsStiffness) {
  World world;
  const BodyId anchor = add_anchor(world);
  const BodyId wheel = add_body(world, Cylinder(0.5, 0.2), {0, 0, 0});
  JointDefinition joint =
      joint_at(JointType::hinge, world.body(anchor), world.body(wheel), {0, 0, 0}, {0, 0, 1});
  const double inertia = world.body(wheel).mass().inertia(2, 2), w = 3.0;
  joint.drive = JointDrive{1.0, inertia * w * w, 0.0};
  const JointId id = world.add_joint(joint);
  run(world, 2.0 * kPi / w);
  EXPECT_NEAR(world.joint(id).position, 0.0, 0.05);
  run(world, kPi / w);
  EXPECT_NEAR(world.joint(id).position, 2.0, 0.1);
}

TEST(Drive, IsStableForAnyStiffness) {
  for (const double stiffness : {1e2, 1e6, 1e10, 1e14}) {
    for (const JointType type : {JointType::hinge, JointType::slider, JointType::ball}) {
      Arm arm(type, {0, 1, 0}, JointDrive{0.3, stiffness, 0.0});
      double energy = 0.0;
      for (int step = 0; step < 60; ++step) {
        const StepStatistics& s = arm.world.step();
        ASSERT_FALSE(s.failure.any()) << to_text(s.failure);
        energy = s.kinetic_energy;
      }
      EXPECT_LT(energy, 1.0 + 0.5 * 0.09 * std::fmin(stiffness, 1e3)) << stiffness;
      if (stiffness > 1e8) {
        EXPECT_NEAR(arm.world.joint(arm.joint).position, 0.3, 1e-4) << stiffness << to_string(type);
        EXPECT_LT(energy, 1e-6) << stiffness << to_string(type);
      }
    }
  }
}

// Targets that jump, of limbs in a row: nothing is torn, and all arrive.
TEST(Drive, FollowsAnyJumpOfItsTarget) {
  Random random(9);
  for (int i = 0; i < effort(6); ++i) {
    World world;
    BodyId last = add_anchor(world);
    std::vector<JointId> joints;
    const double stiffness = std::pow(10.0, random.uniform(3.0, 12.0));
    for (int k = 0; k < 3; ++k) {
      BodyDefinition limb{Capsule(0.04, 0.3),
                          Pose::from_axis_angle({0.2 + 0.4 * k, 0.0, 0.0}, {0, 1, 0}, 0.5 * kPi)};
      limb.filter.mask = 0;
      const BodyId next = world.add(limb);
      const JointType type = k == 1 && random.below(2) == 0 ? JointType::ball : JointType::hinge;
      JointDefinition joint =
          joint_at(type, world.body(last), world.body(next), {0.4 * k, 0.0, 0.0}, {0, 1, 0});
      joint.drive = JointDrive{0.0, stiffness, 0.01 * stiffness};
      joints.push_back(world.add_joint(joint));
      last = next;
    }
    for (int jump = 0; jump < 3; ++jump) {
      for (const JointId id : joints) {
        JointDrive drive = *world.joint(id).definition.drive;
        drive.target = random.uniform(-2.0, 2.0);
        world.set_drive(id, drive);
      }
      for (int step = 0; step < 40; ++step) {
        const StepFailure& failure = world.step().failure;
        ASSERT_FALSE(failure.any()) << stiffness << ": " << to_text(failure);
      }
      for (const JointId id : joints)
        EXPECT_NEAR(world.joint(id).position, world.joint(id).definition.drive->target,
                    0.02 + 100.0 / stiffness)
            << stiffness;
    }
  }
}

TEST(Drive, PullsNoHarderThanItMay) {
  const double most = 8.0;
  Arm arm(JointType::hinge, {0, 1, 0}, JointDrive{-1.0, 1e8, 1e6, most});
  ASSERT_GT(arm.mass * kGravity * 0.5, most);
  double last = 0.0;
  for (int step = 0; step < 20; ++step) {
    arm.world.step();
    EXPECT_LE(std::fabs(arm.world.joint(arm.joint).torque.y), most * (1.0 + 1e-9));
    last = arm.world.joint(arm.joint).position;
  }
  // It falls, and more slowly than without.
  EXPECT_GT(last, 0.05);
  Arm loose(JointType::hinge, {0, 1, 0}, {});
  run(loose.world, arm.world.time());
  EXPECT_LT(last, loose.world.joint(loose.joint).position);
}

// The frames come together from any turn; the target turns B's about their z axis.
TEST(Drive, TurnsABallJointBackFromAnywhere) {
  Random random(4);
  for (int i = 0; i < effort(6); ++i) {
    WorldSettings settings;
    settings.gravity = {};
    World world(settings);
    const BodyId anchor = add_anchor(world);
    const BodyId body = add_body(world, Box({0.3, 0.2, 0.1}), {0.0, 0.0, 0.3});
    JointDefinition joint =
        joint_at(JointType::ball, world.body(anchor), world.body(body), {0, 0, 0}, {0, 0, 1});
    joint.frame_b = joint.frame_b * Pose({0, 0, 0}, test::random_rotation(random));
    joint.drive = JointDrive{random.uniform(-3.0, 3.0), 60.0, 12.0};
    const JointId id = world.add_joint(joint);
    run(world, 6.0);
    EXPECT_NEAR(world.joint(id).position, joint.drive->target, 1e-4);
    EXPECT_LT(world.joint(id).swing, 1e-4);
  }
}

TEST(Drive, KeepsItsBitsThroughSaveAndThreads) {
  const auto build = [](int threads) {
    WorldSettings settings;
    settings.max_threads = threads;
    World world(settings);
    add_ground(world);
    BodyId last = add_anchor(world);
    world.set_pose(last, Pose::translation({0.0, 0.0, 1.0}));
    for (int i = 0; i < 5; ++i) {
      const Vec3 place{0.5 * (i + 1), 0.0, 1.0};
      const BodyId next = add_body(world, Box({0.4, 0.2, 0.2}), place);
      const JointType type = i % 2 == 0 ? JointType::hinge : JointType::ball;
      JointDefinition joint = joint_at(type, world.body(last), world.body(next),
                                       place - Vec3{0.25, 0.0, 0.0}, {0, 1, 0});
      joint.drive = JointDrive{0.2, 500.0, 20.0, 120.0};
      if (i == 3) joint.break_force = 300.0;
      world.add_joint(joint);
      last = next;
    }
    return world;
  };
  World one = build(1), three = build(3), other = build(1);
  std::size_t broken = 0;
  for (int step = 0; step < 60; ++step) {
    if (step == 10) other.restore(one.save());
    require_done(one.step());
    three.step();
    broken += one.broken_joints().size();
    if (step >= 10) {
      other.step();
      ASSERT_EQ(one.state_hash(), other.state_hash()) << step;
      ASSERT_EQ(one.broken_joints().size(), other.broken_joints().size());
    }
  }
  EXPECT_EQ(one.state_hash(), three.state_hash());
  EXPECT_EQ(broken, 1u);
  EXPECT_EQ(one.joints().size(), 4u);
  // A state after the break takes the joint out of a world that has it.
  World again = build(1);
  again.restore(one.save());
  EXPECT_EQ(again.joints().size(), 4u);
  again.step();
  one.step();
  EXPECT_EQ(again.state_hash(), one.state_hash());
}

TEST(Drive, IsRefusedWhereItMakesNoSense) {
  const auto field_of = [](JointDefinition joint) -> std::string {
    joint.body_a = 1;
    joint.body_b = 2;
    try {
      validate(joint);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return {};
  };
  JointDefinition joint;
  joint.drive = JointDrive{0.0, 1.0, 0.0};
  EXPECT_EQ(field_of(joint), "");
  for (const JointType type : {JointType::fixed, JointType::distance}) {
    joint.type = type;
    EXPECT_EQ(field_of(joint), "drive");
  }
  joint.type = JointType::hinge;
  joint.motor = JointMotor{1.0, 1.0};
  EXPECT_EQ(field_of(joint), "drive");
  joint.motor.reset();
  joint.drive = JointDrive{4.0, 1.0, 0.0};
  EXPECT_EQ(field_of(joint), "drive.target");
  joint.drive = JointDrive{0.0, 0.0, 0.0};
  EXPECT_EQ(field_of(joint), "drive.stiffness");
  joint.drive = JointDrive{0.0, 1.0, -1.0};
  EXPECT_EQ(field_of(joint), "drive.damping");
  joint.drive = JointDrive{0.0, 1.0, 0.0, 0.0};
  EXPECT_EQ(field_of(joint), "drive.max_force");
  joint.drive.reset();
  joint.break_torque = -1.0;
  EXPECT_EQ(field_of(joint), "break_torque");
  joint.break_torque.reset();
  joint.break_force = -1.0;
  EXPECT_EQ(field_of(joint), "break_force");
}

/// A ball of 10 kg that hangs on a fixed joint from an anchor, with another body on it.
struct Hanging {
  World world;
  BodyId ball = kNoBody;
  JointId joint = kNoJoint;

  explicit Hanging(double break_force, double sleep_time = 0.0) : world(of(sleep_time)) {
    const BodyId anchor = add_anchor(world);
    BodyDefinition definition{Sphere(0.1), Pose::translation({0.0, 0.0, -0.5})};
    definition.mass = BodyMass{10.0, {}, Mat3::identity() * 0.04};
    ball = world.add(definition);
    JointDefinition made =
        joint_at(JointType::ball, world.body(anchor), world.body(ball), {0, 0, 0});
    made.break_force = break_force;
    joint = world.add_joint(made);
  }
  static World of(double sleep_time) {
    WorldSettings settings;
    settings.sleep_time = sleep_time;
    return World(settings);
  }
};

TEST(Break, AJointHoldsUpToItsForce) {
  Hanging holds(10.0 * kGravity * 1.001), breaks(10.0 * kGravity * 0.999);
  run(holds.world, 1.0);
  EXPECT_EQ(holds.world.joints().size(), 1u);
  EXPECT_TRUE(holds.world.broken_joints().empty());

  require_done(breaks.world.step());
  ASSERT_EQ(breaks.world.broken_joints().size(), 1u);
  const Joint& broken = breaks.world.broken_joints()[0];
  EXPECT_EQ(broken.definition.id, breaks.joint);
  EXPECT_NEAR(norm(broken.force), 10.0 * kGravity, 0.1);
  EXPECT_TRUE(breaks.world.joints().empty());
  EXPECT_THROW(static_cast<void>(breaks.world.joint(breaks.joint)), InvalidInput);
  // It falls from then on.
  const double height = breaks.world.body(breaks.ball).center_of_mass().z;
  run(breaks.world, 0.5);
  EXPECT_NEAR(breaks.world.body(breaks.ball).center_of_mass().z - height, -0.5 * kGravity * 0.25,
              1e-3);
  EXPECT_TRUE(breaks.world.broken_joints().empty());
}

// A jerk breaks what the weight does not: a fall of 0.3 m that ends within a step.
TEST(Break, AJerkCountsByItsMeanForceOfTheStep) {
  for (const bool strong : {true, false}) {
    World world;
    const BodyId anchor = add_anchor(world);
    const BodyId ball = add_body(world, Sphere(0.1), {0.0, 0.0, -0.2});
    const double mass = world.body(ball).mass().mass;
    JointDefinition rope =
        distance_joint(world.body(anchor), world.body(ball), {0, 0, 0}, {0.0, 0.0, -0.2});
    rope.limits = JointLimits{0.0, 0.5};
    const double jerk = mass * std::sqrt(2.0 * kGravity * 0.3) * 60.0;
    rope.break_force = jerk * (strong ? 1.2 : 0.4);
    world.add_joint(rope);
    run(world, 0.5);
    EXPECT_EQ(world.joints().size(), strong ? 1u : 0u);
  }
}

TEST(Break, TorqueBreaksAWeld) {
  for (const double part : {1.01, 0.99}) {
    World world;
    const BodyId anchor = add_anchor(world);
    const BodyId arm = add_body(world, Box({0.4, 0.1, 0.1}), {0.5, 0.0, 0.0});
    const double torque = world.body(arm).mass().mass * kGravity * 0.5;
    JointDefinition weld =
        joint_at(JointType::fixed, world.body(anchor), world.body(arm), {0, 0, 0});
    weld.break_torque = torque * part;
    world.add_joint(weld);
    for (int step = 0; step < 30; ++step) require_done(world.step());
    EXPECT_EQ(world.joints().size(), part > 1.0 ? 1u : 0u);
  }
}

// Bodies that fall asleep in the step in which their joint breaks wake again.
TEST(Break, WakesWhatFellAsleepInTheStep) {
  Hanging hanging(10.0 * kGravity * 0.999, 0.01);
  require_done(hanging.world.step());
  ASSERT_EQ(hanging.world.broken_joints().size(), 1u);
  EXPECT_FALSE(hanging.world.body(hanging.ball).is_asleep());
  run(hanging.world, 0.2);
  EXPECT_LT(hanging.world.body(hanging.ball).center_of_mass().z, -0.6);
  // One that holds sleeps.
  Hanging holds(10.0 * kGravity * 1.001, 0.01);
  require_done(holds.world.step());
  EXPECT_TRUE(holds.world.body(holds.ball).is_asleep());
}

}  // namespace
}  // namespace tactus::detail
