// Swing and twist of ball joints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/rigid/joint/joint_rows.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/joint_scene.hpp"

namespace tactus::detail {
namespace {

using test::add_anchor;
using test::add_body;
using test::energy;
using test::gap;
using test::run;

constexpr double kGravity = 9.81;

WorldSettings weightless() {
  WorldSettings settings;
  settings.gravity = {};
  return settings;
}

/// A rod from the origin along a direction, on a ball joint with this axis.
struct Rod {
  BodyId body = kNoBody;
  JointId joint = kNoJoint;
};
Rod add_rod(World& world, const Vec3& direction, double swing, std::optional<JointLimits> twist) {
  const BodyId anchor = add_anchor(world);
  BodyDefinition definition{Box({0.1, 0.2, 1.0}), Pose::along({}, direction)};
  definition.filter.mask = 0;
  Rod rod;
  rod.body = world.add(definition);
  JointDefinition joint =
      joint_at(JointType::ball, world.body(anchor), world.body(rod.body), {}, direction);
  joint.swing = swing;
  joint.twist = twist;
  rod.joint = world.add_joint(joint);
  return rod;
}

/// Turns the rod about the origin.
void spin(World& world, const Rod& rod, const Vec3& turning) {
  world.set_velocity(rod.body, cross(turning, world.body(rod.body).center_of_mass()), turning);
}

TEST(BallLimits, SpeedsAreTheRatesOfSwingAndTwist) {
  Random random(5);
  const auto vector = [&] {
    const double x = random.uniform(-1.0, 1.0), y = random.uniform(-1.0, 1.0);
    return Vec3{x, y, random.uniform(-1.0, 1.0)};
  };
  JointDefinition joint;
  joint.body_a = 1;
  joint.body_b = 2;
  joint.swing = 1.0;
  joint.twist = JointLimits{-1.0, 1.0};
  for (int i = 0; i < 200; ++i) {
    const Pose a(vector(), test::random_rotation(random));
    const Pose b(vector(), test::random_rotation(random));
    const RigidMotion motion_a{vector(), vector()}, motion_b{vector(), vector()};
    const auto rows_at = [&](double t) {
      const Pose pose_a = pose_at(a, motion_a, t), pose_b = pose_at(b, motion_b, t);
      JointRows rows;
      place_rows(joint, {pose_a, pose_a.position()}, {pose_b, pose_b.position()}, 1.0, rows);
      return rows;
    };
    const JointRows now = rows_at(0.0), before = rows_at(-1e-5), after = rows_at(1e-5);
    if (now.swing > 2.8) continue;  // there differences of the twist are poor
    // By quaternions: z and w of the relative turn give the twist, the others the swing.
    const Quat q = to_quaternion(transpose(a.rotation()) * b.rotation());
    const double twist = std::remainder(2.0 * std::atan2(q.z, q.w), 2.0 * kPi);
    EXPECT_NEAR(std::remainder(now.position - twist, 2.0 * kPi), 0.0, 3e-13);
    EXPECT_NEAR(now.swing, 2.0 * std::atan2(std::hypot(q.x, q.y), std::hypot(q.z, q.w)), 6e-14);
    for (const std::size_t slot : {kSwingRow, kLimitRow}) {
      const JointRow& row = now.row[slot];
      ASSERT_EQ(row.kind, RowKind::limited);
      EXPECT_EQ(row.linear, Vec3{});
      const double speed =
          dot(row.angular_b, motion_b.angular) - dot(row.angular_a, motion_a.angular);
      const double change = after.row[slot].error - before.row[slot].error;
      if (std::fabs(change) > 1.0) continue;  // the twist passes a half turn
      EXPECT_NEAR(change / 2e-5, speed, 4e-7) << "row " << slot << " swing " << now.swing;
    }
  }
}

TEST(BallLimits, TwistHasNoRowWhereTheAxesAreOpposite) {
  JointDefinition joint;
  joint.twist = JointLimits{-0.5, 0.5};
  joint.swing = 3.0;
  for (const double angle : {kPi, kPi - 0.005}) {
    JointRows rows;
    place_rows(joint, {}, {Pose::from_axis_angle({}, {1, 0, 0}, angle), {}}, 0.0, rows);
    EXPECT_EQ(rows.row[kLimitRow].kind, RowKind::none);
    EXPECT_EQ(rows.row[kSwingRow].kind, RowKind::limited);
    EXPECT_NEAR(rows.swing, angle, 1e-12);
  }
}

TEST(BallLimits, RodRestsOnTheConeOfItsJoint) {
  World world;
  const Rod rod = add_rod(world, {1.0, 0.0, 0.0}, 0.4, {});
  run(world, 4.0);
  const Vec3 center = world.body(rod.body).center_of_mass();
  EXPECT_NEAR(world.joint(rod.joint).swing, 0.4, 7e-11);
  EXPECT_NEAR(center.x, 0.5 * std::cos(0.4), 2e-11);
  EXPECT_NEAR(center.z, -0.5 * std::sin(0.4), 7e-11);
  const double weight = world.body(rod.body).mass().mass * kGravity;
  EXPECT_NEAR(world.joint(rod.joint).torque.y, -0.5 * std::cos(0.4) * weight, 2e-11 * weight);
  EXPECT_LT(world.statistics().max_speed, 1e-9);
}

TEST(BallLimits, PendulumStaysWithinItsCone) {
  World world;
  const Rod rod = add_rod(world, {0.0, 0.0, -1.0}, 0.5, {});
  // It swings out against the cone, and then round along it and through it.
  spin(world, rod, {3.0, 4.0, 0.3});
  const double weight = world.body(rod.body).mass().mass * kGravity;
  double most = 0.0, apart = 0.0, gained = 0.0, last = energy(world);
  int touched = 0;
  for (int i = 0; i < 1200; ++i) {
    if (i % 200 == 100) {
      spin(world, rod, {2.0 + 0.01 * i, -3.0, 1.0});
      last = energy(world);
    }
    world.step();
    most = std::max(most, world.joint(rod.joint).swing);
    apart = std::max(apart, gap(world));
    touched += max_abs(world.joint(rod.joint).torque) > 0.0 ? 1 : 0;
    const double weight_step =
        weight * 0.5 * world.settings().time_step / world.settings().substeps;
    gained =
        std::max(gained, (energy(world) - last) / (weight_step * world.statistics().max_speed));
    last = energy(world);
  }
  EXPECT_LT(most, 0.5 + 1e-9);
  EXPECT_GT(most, 0.5 - 1e-6);
  EXPECT_GT(touched, 20);
  EXPECT_LT(apart, 1e-10);
  // Velocities on a limit are those of the middle of a substep: half of its gravity is not yet
  // seen.
  EXPECT_LT(gained, 1.0);
}

TEST(BallLimits, RodWithoutWeightLosesEnergyAtTheConeAndGainsNone) {
  World world(weightless());
  const Rod rod = add_rod(world, {0.0, 0.0, -1.0}, 0.5, JointLimits{-0.4, 0.4});
  spin(world, rod, {3.0, 4.0, 1.5});
  const double start = energy(world);
  double last = start, gained = 0.0, most = 0.0, twist = 0.0;
  for (int i = 0; i < 1200; ++i) {
    world.step();
    gained = std::max(gained, energy(world) - last);
    last = energy(world);
    most = std::max(most, world.joint(rod.joint).swing);
    twist = std::max(twist, std::fabs(world.joint(rod.joint).position));
  }
  EXPECT_LT(gained, 5e-14 * start);
  EXPECT_LT(last, start);
  EXPECT_LT(most, 0.5 + 1e-9);
  EXPECT_LT(twist, 0.4 + 1e-9);
}

TEST(BallLimits, TwistStopsAtItsRange) {
  for (const double side : {-1.0, 1.0}) {
    World world(weightless());
    const Rod rod = add_rod(world, {0.6, 0.0, 0.8}, 1.0, JointLimits{-0.3, 0.7});
    spin(world, rod, Vec3{0.6, 0.0, 0.8} * (2.0 * side));
    double least = 0.0, most = 0.0;
    for (int i = 0; i < 120; ++i) {
      world.step();
      least = std::min(least, world.joint(rod.joint).position);
      most = std::max(most, world.joint(rod.joint).position);
    }
    EXPECT_NEAR(side < 0.0 ? least : most, side < 0.0 ? -0.3 : 0.7, 2e-10);
    EXPECT_NEAR(world.joint(rod.joint).position, side < 0.0 ? -0.3 : 0.7, 2e-10);
    EXPECT_LT(norm(world.body(rod.body).angular_velocity()), 4e-13);
  }
}

TEST(BallLimits, TwistThatIsOneValueHolds) {
  World world;
  const Rod rod = add_rod(world, {1.0, 0.0, 0.0}, 3.0, JointLimits{0.2, 0.2});
  // It is drawn to its value, and keeps it while the rod swings and turns.
  run(world, 0.5);
  spin(world, rod, cross(world.body(rod.body).center_of_mass(), {0.0, 6.0, 1.0}));
  world.step();
  const double before = energy(world);
  const double scale = world.body(rod.body).mass().mass * kGravity * 0.5;
  double most = 0.0, worst = 0.0;
  for (int i = 0; i < 600; ++i) {
    world.step();
    most = std::max(most, world.joint(rod.joint).swing);
    worst = std::max(worst, std::fabs(energy(world) - before));
    ASSERT_NEAR(world.joint(rod.joint).position, 0.2, 4e-10);
  }
  EXPECT_LT(most, 2.9);
  EXPECT_GT(most, 1.0);
  EXPECT_LT(worst, 1e-5 * scale);
}

/// Limbs on ball joints with all limits, which fall on the ground.
World limbs(int threads) {
  WorldSettings settings;
  settings.max_threads = threads;
  World world(settings);
  test::add_ground(world);
  for (int n = 0; n < 8; ++n) {
    const Vec3 place{0.9 * n, 0.1 * n, 1.2};
    const BodyId trunk = add_body(world, Box({0.3, 0.5, 0.2}), place);
    for (const double side : {-1.0, 1.0}) {
      BodyId last = trunk;
      for (int i = 0; i < 2; ++i) {
        const Vec3 from = place + Vec3{0.0, side * (0.27 + 0.3 * i), 0.0};
        const BodyId limb =
            world.add({Capsule(0.05, 0.2), Pose::along(from, from + Vec3{0, side * 0.3, 0})});
        JointDefinition joint = joint_at(JointType::ball, world.body(last), world.body(limb), from,
                                         {0.1 * n, side, 0.0});
        joint.swing = 0.5;
        joint.twist = JointLimits{-0.2, 0.1};
        world.add_joint(joint);
        last = limb;
      }
    }
    world.set_velocity(trunk, {}, {1.0 * n, 2.0, -3.0});
  }
  return world;
}

TEST(BallLimits, LimbsThatFallKeepTheirLimitsAndLoseEnergy) {
  TACTUS_LONG_TEST();
  World world = limbs(0);
  const double before = energy(world);
  // Blows of the ground act on single limbs: between two substeps they pass their limits a little.
  double swing = 0.0, twist_above = 0.0, twist_below = 0.0;
  for (int i = 0; i < 180; ++i) {
    world.step();
    for (const Joint& joint : world.joints()) {
      swing = std::max(swing, joint.swing);
      twist_above = std::max(twist_above, joint.position);
      twist_below = std::min(twist_below, joint.position);
    }
    EXPECT_LT(energy(world), before);
  }
  EXPECT_NEAR(swing, 0.5, 0.02);
  EXPECT_NEAR(twist_above, 0.1, 0.01);
  EXPECT_NEAR(twist_below, -0.2, 0.01);
}

TEST(BallLimits, NoBitDependsOnThreadsOrOnAPause) {
  TACTUS_LONG_TEST();
  World one = limbs(1), two = limbs(2);
  run(one, 0.5);
  run(two, 0.5);
  EXPECT_EQ(one.state_hash(), two.state_hash());
  const WorldState middle = one.save();
  run(one, 0.5);
  World continued = limbs(2);
  continued.restore(middle);
  for (std::size_t i = 0; i < one.joints().size(); ++i)
    EXPECT_EQ(continued.joints()[i].torque, two.joints()[i].torque);
  run(continued, 0.5);
  EXPECT_EQ(continued.save(), one.save());
}

}  // namespace
}  // namespace tactus::detail
