// Joints of a world: what they are, what is refused, what they remember.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/impulse_world.hpp"
#include "tactus/rigid/joint/envelope_cholesky.hpp"
#include "tactus/rigid/joint/joint_rows.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/joint_scene.hpp"

namespace tactus::detail {
namespace {

using test::add_anchor;
using test::add_body;
using test::run;

TEST(EnvelopeCholesky, SolvesWhatElementaryRowsMake) {
  // A = L L^T with a known L within the envelope, A x = b with a known x.
  const std::vector<std::uint32_t> first{0, 0, 2, 1, 2, 5};
  const std::size_t n = first.size();
  std::vector<std::vector<double>> l(n, std::vector<double>(n, 0.0)), a = l;
  Random random(5);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = first[i]; j < i; ++j) l[i][j] = random.uniform(-1.0, 1.0);
    l[i][i] = random.uniform(0.5, 2.0);
  }
  EnvelopeCholesky matrix;
  matrix.start(first);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) a[i][j] += l[i][k] * l[j][k];
      if (j <= i && j >= first[i]) matrix.at(i, j) = a[i][j];
      if (j < first[i]) {
        EXPECT_EQ(a[i][j], 0.0);
      }
    }
  }
  std::vector<double> x(n), b(n, 0.0);
  for (double& value : x) value = random.uniform(-1.0, 1.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) b[i] += a[i][j] * x[j];
  matrix.factor();
  matrix.solve(b);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(b[i], x[i], 2e-14);
}

/// Every row's speed is the rate of its error, where the joint is met.
TEST(JointRows, SpeedsAreTheRatesOfTheErrors) {
  World world;
  const BodyId a = add_body(world, Box({0.5, 0.4, 0.3}), {0.1, 0.2, 0.3});
  const BodyId b = add_body(world, Box({0.3, 0.4, 0.6}), {0.9, 0.1, 0.5});
  Random random(3);
  for (const JointType type : {JointType::fixed, JointType::ball, JointType::hinge,
                               JointType::slider, JointType::distance}) {
    JointDefinition joint =
        joint_at(type, world.body(a), world.body(b), {0.5, 0.3, 0.2}, {0.3, -0.5, 0.8});
    if (type == JointType::distance) {
      joint = distance_joint(world.body(a), world.body(b), {0.3, 0.3, 0.2}, {0.6, 0.0, 0.4});
      joint.length = norm(Vec3{0.3, -0.3, 0.2});
    }
    // Where they are free, the frames need not coincide.
    if (type == JointType::slider) joint.frame_b = joint.frame_b * Pose::translation({0, 0, 0.3});
    if (type == JointType::hinge)
      joint.frame_b = joint.frame_b * Pose::from_axis_angle({}, {0, 0, 1}, 0.4);
    const auto place = [&](BodyId id, const RigidMotion& motion, double t) {
      const Pose pose = pose_at(world.body(id).pose(), motion, t);
      return BodyPlace{pose, pose.to_world(world.body(id).mass().center)};
    };
    const auto vector = [&] {
      const double x = random.uniform(-1.0, 1.0), y = random.uniform(-1.0, 1.0);
      return Vec3{x, y, random.uniform(-1.0, 1.0)};
    };
    const RigidMotion motion_a{vector(), vector()}, motion_b{vector(), vector()};
    JointRows now, before, after;
    place_rows(joint, place(a, motion_a, 0.0), place(b, motion_b, 0.0), 0.0, now);
    const double t = 1e-5;
    place_rows(joint, place(a, motion_a, -t), place(b, motion_b, -t), 0.0, before);
    place_rows(joint, place(a, motion_a, t), place(b, motion_b, t), 0.0, after);
    int rows = 0;
    for (std::size_t i = 0; i < now.row.size(); ++i) {
      const JointRow& row = now.row[i];
      if (row.kind != RowKind::held) continue;
      ++rows;
      EXPECT_NEAR(row.error, 0.0, 1e-15);
      const double speed =
          dot(row.linear, motion_b.linear - motion_a.linear) +
          (dot(row.angular_b, motion_b.angular) - dot(row.angular_a, motion_a.angular));
      EXPECT_NEAR((after.row[i].error - before.row[i].error) / (2.0 * t), speed, 5e-9)
          << to_string(type) << " row " << i;
    }
    const int expected[] = {6, 3, 5, 5, 1};
    EXPECT_EQ(rows, expected[static_cast<int>(type)]);
  }
}

TEST(Joints, IdsAreStableAndGoWithTheirBodies) {
  World world;
  const BodyId anchor = add_anchor(world);
  const BodyId first = add_body(world, Sphere(0.1), {1, 0, 0});
  const BodyId second = add_body(world, Sphere(0.1), {2, 0, 0});
  const JointId one =
      world.add_joint(joint_at(JointType::ball, world.body(anchor), world.body(first), {}));
  const JointId two =
      world.add_joint(joint_at(JointType::ball, world.body(first), world.body(second), {1, 0, 0}));
  EXPECT_NE(one, two);
  ASSERT_EQ(world.joints().size(), 2u);
  EXPECT_EQ(world.joint(two).definition.body_b, second);
  world.remove_joint(one);
  EXPECT_THROW(world.joint(one), InvalidInput);
  EXPECT_THROW(world.remove_joint(one), InvalidInput);
  const JointId three =
      world.add_joint(joint_at(JointType::ball, world.body(anchor), world.body(first), {}));
  EXPECT_GT(three, two);
  world.remove(second);
  ASSERT_EQ(world.joints().size(), 1u);
  EXPECT_EQ(world.joints()[0].definition.id, three);
  world.remove(first);
  EXPECT_TRUE(world.joints().empty());
  JointDefinition named;
  named.body_a = anchor;
  named.body_b = add_body(world, Sphere(0.1), {1, 0, 0});
  named.id = 50;
  EXPECT_EQ(world.add_joint(named), 50u);
  EXPECT_THROW(world.add_joint(named), InvalidInput);
  named.id = kNoJoint;
  EXPECT_EQ(world.add_joint(named), 51u);
}

TEST(Joints, BadDefinitionsNameTheirField) {
  World world;
  const BodyId anchor = add_anchor(world), other = add_anchor(world);
  const BodyId body = add_body(world, Sphere(0.1), {1, 0, 0});
  const auto refused = [&](JointType type, const std::string& field,
                           const std::function<void(JointDefinition&)>& change) {
    JointDefinition joint = joint_at(type, world.body(anchor), world.body(body), {});
    change(joint);
    try {
      world.add_joint(joint);
      ADD_FAILURE() << field << " was taken";
    } catch (const InvalidInput& error) {
      EXPECT_EQ(error.field(), field) << error.what();
    }
    EXPECT_TRUE(world.joints().empty());
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using Definition = JointDefinition;
  refused(JointType::ball, "body_a", [](Definition& j) { j.body_a = 99; });
  refused(JointType::ball, "body_b", [](Definition& j) { j.body_b = 99; });
  refused(JointType::ball, "body_b", [](Definition& j) { j.body_b = j.body_a; });
  refused(JointType::ball, "body_a", [&](Definition& j) { j.body_b = other; });
  refused(JointType::ball, "frame_a",
          [&](Definition& j) { j.frame_a = Pose::translation({nan, 0, 0}); });
  refused(JointType::ball, "frame_b",
          [&](Definition& j) { j.frame_b = Pose::translation({0, nan, 0}); });
  refused(JointType::ball, "limits", [](Definition& j) { j.limits = JointLimits{0, 1}; });
  refused(JointType::fixed, "limits", [](Definition& j) { j.limits = JointLimits{0, 1}; });
  refused(JointType::hinge, "limits.lower", [](Definition& j) { j.limits = JointLimits{1, 0}; });
  refused(JointType::hinge, "limits.lower", [&](Definition& j) { j.limits = JointLimits{nan, 0}; });
  refused(JointType::slider, "limits.upper",
          [&](Definition& j) { j.limits = JointLimits{0, nan}; });
  refused(JointType::hinge, "limits", [](Definition& j) { j.limits = JointLimits{-4, 0}; });
  refused(JointType::distance, "limits.lower",
          [](Definition& j) { j.limits = JointLimits{-1, 1}; });
  refused(JointType::hinge, "swing", [](Definition& j) { j.swing = 1.0; });
  refused(JointType::ball, "swing", [](Definition& j) { j.swing = 0.0; });
  refused(JointType::ball, "swing", [](Definition& j) { j.swing = 3.2; });
  refused(JointType::ball, "swing", [&](Definition& j) { j.swing = nan; });
  refused(JointType::fixed, "twist", [](Definition& j) { j.twist = JointLimits{0, 1}; });
  refused(JointType::ball, "twist", [](Definition& j) { j.twist = JointLimits{-4, 0}; });
  refused(JointType::ball, "twist.lower", [](Definition& j) { j.twist = JointLimits{1, 0}; });
  refused(JointType::ball, "twist.upper", [&](Definition& j) { j.twist = JointLimits{0, nan}; });
  refused(JointType::ball, "motor", [](Definition& j) { j.motor = JointMotor{1, 1}; });
  refused(JointType::distance, "motor", [](Definition& j) { j.motor = JointMotor{1, 1}; });
  refused(JointType::hinge, "motor.speed", [&](Definition& j) { j.motor = JointMotor{nan, 1}; });
  refused(JointType::hinge, "motor.max_force", [](Definition& j) { j.motor = JointMotor{1, -1}; });
  refused(JointType::hinge, "spring", [](Definition& j) { j.spring = JointSpring{}; });
  refused(JointType::distance, "spring.frequency",
          [](Definition& j) { j.spring = JointSpring{0.0, 0.0}; });
  refused(JointType::distance, "spring.damping_ratio",
          [](Definition& j) { j.spring = JointSpring{1.0, -1.0}; });
  refused(JointType::ball, "length", [](Definition& j) { j.length = 1.0; });
  refused(JointType::distance, "length", [](Definition& j) { j.length = -1.0; });
  refused(JointType::distance, "length", [](Definition& j) {
    j.length = 1.0;
    j.limits = JointLimits{0, 1};
  });
  refused(JointType::ball, "id", [](Definition& j) { j.id = ~JointId{0}; });
  EXPECT_THROW(joint_at(JointType::ball, world.body(anchor), world.body(body), {nan, 0, 0}),
               InvalidInput);
  EXPECT_THROW(joint_at(JointType::hinge, world.body(anchor), world.body(body), {}, {0, 0, 0}),
               InvalidInput);
  EXPECT_THROW(distance_joint(world.body(anchor), world.body(body), {}, {nan, 0, 0}), InvalidInput);
  const JointId id =
      world.add_joint(joint_at(JointType::ball, world.body(anchor), world.body(body), {}));
  EXPECT_THROW(world.set_motor(id, JointMotor{1, 1}), InvalidInput);
  EXPECT_THROW(world.set_motor(id + 1, {}), InvalidInput);
}

TEST(Joints, JointedBodiesTouchOnlyWhenTheyMay) {
  for (const bool touch : {false, true}) {
    WorldSettings settings;
    settings.gravity = {};
    World world(settings);
    const BodyId a = add_body(world, Sphere(0.5), {0, 0, 0});
    const BodyId b = add_body(world, Sphere(0.5), {0.8, 0, 0});
    JointDefinition joint = distance_joint(world.body(a), world.body(b), {}, {0.8, 0, 0});
    joint.limits = JointLimits{0.0, 5.0};
    joint.touch = touch;
    const JointId id = world.add_joint(joint);
    EXPECT_EQ(world.overlaps(1e-3).size(), touch ? 1u : 0u);
    run(world, 1.0);
    EXPECT_EQ(world.contacts().empty(), !touch);
    EXPECT_EQ(world.joint(id).position > 0.9, touch);
    world.remove_joint(id);
    run(world, 1.0);
    EXPECT_GT(world.body(b).center_of_mass().x - world.body(a).center_of_mass().x, 0.99);
  }
}

TEST(Joints, WhatHangsOnOneFixedBodyIsIndependent) {
  World alone, among;
  std::vector<BodyId> bobs;
  for (World* world : {&alone, &among}) {
    const BodyId anchor = add_anchor(*world);
    const BodyId bob = add_body(*world, Sphere(0.1), {1, 0, 0});
    world->add_joint(joint_at(JointType::ball, world->body(anchor), world->body(bob), {}));
    bobs.push_back(bob);
    if (world == &alone) continue;
    const BodyId wheel = add_body(*world, Cylinder(0.2, 0.1), {0, 3, 0});
    JointDefinition motor =
        joint_at(JointType::hinge, world->body(anchor), world->body(wheel), {0, 3, 0});
    motor.motor = JointMotor{5.0, 100.0};
    world->add_joint(motor);
  }
  for (int i = 0; i < 60; ++i) {
    alone.step();
    among.step();
    ASSERT_EQ(alone.body(bobs[0]).motion(), among.body(bobs[1]).motion());
  }
}

/// Balls on ropes of a motor's arm, and a heap of boxes that they fall into.
World machine() {
  World world;
  test::add_ground(world);
  const BodyId anchor = add_anchor(world);
  BodyDefinition arm{Box({2.0, 0.1, 0.1}), Pose::translation({0, 0, 2})};
  const BodyId beam = world.add(arm);
  JointDefinition axle =
      joint_at(JointType::hinge, world.body(anchor), world.body(beam), {0, 0, 2}, {0, 1, 0});
  axle.motor = JointMotor{1.0, 500.0};
  world.add_joint(axle);
  for (const double side : {-1.0, 1.0}) {
    const BodyId ball = add_body(world, Sphere(0.2), {side, 0, 1.2});
    JointDefinition rope =
        distance_joint(world.body(beam), world.body(ball), {side, 0, 2}, {side, 0, 1.2});
    rope.limits = JointLimits{0.0, 0.9};
    world.add_joint(rope);
  }
  for (int i = 0; i < 4; ++i) {
    const BodyId box = add_body(world, Box({0.3, 0.3, 0.3}), {0.9, 0, 0.15 + 0.3 * i});
    if (i == 3) {
      JointDefinition spring =
          distance_joint(world.body(anchor), world.body(box), {0, 0, 1}, {0.9, 0, 1.05});
      spring.spring = JointSpring{2.0, 0.1};
      world.add_joint(spring);
    }
  }
  return world;
}

TEST(Joints, ContinuedRunGivesTheBitsOfTheStraightOne) {
  World straight = machine();
  run(straight, 0.7);
  const WorldState half_way = straight.save();
  EXPECT_EQ(half_way.joints.size(), 4u);
  run(straight, 0.7);
  EXPECT_GT(straight.statistics().contacts, 2);
  World continued = machine();
  continued.restore(half_way);
  EXPECT_EQ(continued.save(), half_way);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(std::isfinite(continued.joints()[i].position));
  run(continued, 0.7);
  EXPECT_EQ(continued.save(), straight.save());
  EXPECT_EQ(continued.state_hash(), straight.state_hash());
}

TEST(Joints, ReportIsTheSameAfterRestoring) {
  World world = machine();
  run(world, 0.7);
  World other = machine();
  other.restore(world.save());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(other.joints()[i].position, world.joints()[i].position);
    EXPECT_EQ(other.joints()[i].force, world.joints()[i].force);
    EXPECT_EQ(other.joints()[i].torque, world.joints()[i].torque);
  }
}

TEST(Joints, StateIsCheckedHashedAndNamesWhatIsThere) {
  World world = machine();
  run(world, 0.5);
  const WorldState state = world.save();
  const auto changed = [&](auto&& change) {
    WorldState copy = state;
    change(copy);
    return copy;
  };
  EXPECT_NE(hash(changed([](WorldState& s) { s.joints[1].impulses[0] += 1e-9; })), hash(state));
  EXPECT_NE(hash(changed([](WorldState& s) { ++s.next_joint; })), hash(state));
  EXPECT_NE(hash(changed([](WorldState& s) { s.joints.pop_back(); })), hash(state));
  const auto refused = [&](auto&& change) {
    EXPECT_THROW(world.restore(changed(change)), InvalidInput);
    EXPECT_EQ(world.save(), state);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused([&](WorldState& s) { s.joints[0].impulses[7] = nan; });
  refused([](WorldState& s) { std::swap(s.joints[0], s.joints[1]); });
  refused([](WorldState& s) { s.joints.back().id = s.next_joint; });
  refused([](WorldState& s) {
    s.next_joint += 10;
    s.joints.back().id += 5;
  });
  // `restore` removes the joints that the state does not name.
  world.restore(changed([](WorldState& s) { s.joints.erase(s.joints.begin()); }));
  EXPECT_EQ(world.joints().size(), 3u);
  EXPECT_EQ(world.joints()[0].definition.id, 2u);
  ImpulseWorld impulses;
  EXPECT_THROW(impulses.restore(state), InvalidInput);
}

TEST(Joints, WorldsWithoutJointsKeepTheirHashes) {
  WorldState state;
  const std::uint64_t before = hash(state);
  state.next_joint = 2;
  EXPECT_NE(hash(state), before);
  World world;
  EXPECT_EQ(world.save().next_joint, 1u);
}

TEST(Joints, ChainThatLiesOnTheGroundComesToRest) {
  TACTUS_LONG_TEST();
  World world;
  test::add_ground(world);
  BodyId last = kNoBody;
  for (int i = 0; i < 8; ++i) {
    BodyDefinition link{Capsule(0.05, 0.2),
                        Pose::from_axis_angle({0.3 * i, 0, 1.0}, {0, 1, 0}, 0.5 * kPi)};
    link.material.rolling_friction = 0.05;
    const BodyId next = world.add(link);
    if (last != kNoBody)
      world.add_joint(
          joint_at(JointType::ball, world.body(last), world.body(next), {0.3 * i - 0.15, 0, 1.0}));
    last = next;
  }
  run(world, 6.0);
  EXPECT_LT(world.statistics().max_speed, 9e-11);
  EXPECT_LT(world.statistics().deepest_relative_penetration, 1e-3);
  EXPECT_LT(test::gap(world), 2e-9);
}

}  // namespace
}  // namespace tactus::detail
