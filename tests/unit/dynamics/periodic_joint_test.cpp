// Joints that hold images of bodies across the faces of a periodic world.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

using test::add_body;

constexpr double kPeriod = 3.0;

WorldSettings space(bool periodic, const Vec3& gravity = {}) {
  WorldSettings settings;
  settings.gravity = gravity;
  if (periodic)
    settings.periodic = {PeriodicAxis{0.0, kPeriod}, PeriodicAxis{0.0, kPeriod}, std::nullopt};
  return settings;
}

/// From the place in the one world to that in the other, without whole periods.
double apart(const Body& x, const Body& y) {
  Vec3 way = y.center_of_mass() - x.center_of_mass();
  for (const int axis : {0, 1}) way[axis] -= kPeriod * std::round(way[axis] / kPeriod);
  return norm(way);
}

struct Kind {
  const char* name;
  void (*change)(JointDefinition&);
};

JointDefinition joint_of(const Kind& kind, const World& world, BodyId a, BodyId b) {
  const Vec3 middle = (world.body(a).center_of_mass() + world.body(b).center_of_mass()) * 0.5;
  JointDefinition joint =
      std::string(kind.name) == "spring"
          ? distance_joint(world.body(a), world.body(b), world.body(a).center_of_mass(),
                           world.body(b).center_of_mass() + Vec3{0.0, 0.1, 0.0})
          : joint_at(JointType::ball, world.body(a), world.body(b), middle, {0.0, 1.0, 0.0});
  kind.change(joint);
  return joint;
}

class PeriodicJoints : public testing::TestWithParam<Kind> {};

/// Three links that fly and tumble, joined by this kind.
World flight(const Kind& kind, bool periodic) {
  World world(space(periodic));
  std::vector<BodyId> links;
  for (int i = 0; i < 3; ++i) {
    BodyDefinition link{Box({0.4, 0.2, 0.15})};
    link.pose = Pose::translation({1.0 + 0.5 * i, 1.5, 0.0});
    link.linear_velocity = {2.3, -1.1 + 0.2 * i, 0.1};
    link.angular_velocity = {0.2, -0.4 * i, 0.7};
    links.push_back(world.add(link));
  }
  for (std::size_t i = 1; i < links.size(); ++i)
    world.add_joint(joint_of(kind, world, links[i - 1], links[i]));
  return world;
}

TEST_P(PeriodicJoints, ThatPassFacesMoveAsInUnboundedSpace) {
  World world = flight(GetParam(), true), open = flight(GetParam(), false);
  int across = 0;
  for (int i = 0; i < 300; ++i) {
    world.step();
    open.step();
    for (const Joint& joint : world.joints()) across += norm(joint.shift) > 0.0 ? 1 : 0;
  }
  EXPECT_GT(across, 30);
  for (std::size_t i = 0; i < world.bodies().size(); ++i) {
    const Body &x = world.bodies()[i], &y = open.bodies()[i];
    EXPECT_LT(apart(x, y), 1e-9) << i;
    EXPECT_LT(norm(x.linear_velocity() - y.linear_velocity()), 1e-9) << i;
    EXPECT_LT(norm(x.angular_velocity() - y.angular_velocity()), 1e-8) << i;
    EXPECT_GE(x.center_of_mass().x, 0.0);
    EXPECT_LE(x.center_of_mass().x, kPeriod);
  }
  for (std::size_t i = 0; i < world.joints().size(); ++i) {
    const Joint &x = world.joints()[i], &y = open.joints()[i];
    EXPECT_NEAR(x.position, y.position, 1e-8);
    EXPECT_NEAR(x.swing, y.swing, 1e-8);
    EXPECT_LT(norm(x.force - y.force), 1e-5);
  }
}

TEST_P(PeriodicJoints, ContinueAcrossAFaceWithTheSameBits) {
  World world = flight(GetParam(), true);
  while (norm(world.joints().front().shift) == 0.0) world.step();
  const WorldState state = world.save();
  World again = flight(GetParam(), true);
  again.restore(state);
  EXPECT_EQ(again.joints().front().shift, world.joints().front().shift);
  for (int i = 0; i < 60; ++i) {
    world.step();
    again.step();
  }
  EXPECT_EQ(world.state_hash(), again.state_hash());
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, PeriodicJoints,
    testing::Values(Kind{"fixed", [](JointDefinition& j) { j.type = JointType::fixed; }},
                    Kind{"ball", [](JointDefinition& j) { j.swing = 0.8; }},
                    Kind{"hinge",
                         [](JointDefinition& j) {
                           j.type = JointType::hinge;
                           j.motor = JointMotor{1.5, 2.0};
                         }},
                    Kind{"slider",
                         [](JointDefinition& j) {
                           j.type = JointType::slider;
                           j.limits = JointLimits{-0.05, 0.1};
                         }},
                    Kind{"spring", [](JointDefinition& j) { j.spring = JointSpring{3.0, 0.1}; }}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(PeriodicJoint, PendulumSwingsThroughAFace) {
  const auto pendulum = [](bool periodic) {
    World world(space(periodic, {0.0, 0.0, -9.81}));
    BodyDefinition post{Sphere(0.05)};
    post.type = BodyType::fixed;
    post.pose = Pose::translation({2.9, 1.0, 2.0});
    const BodyId fixed = world.add(post);
    const BodyId bob = add_body(world, Sphere(0.1), {2.4, 1.0, 2.0});
    world.add_joint(joint_at(JointType::hinge, world.body(fixed), world.body(bob), {2.9, 1.0, 2.0},
                             {0.0, 1.0, 0.0}));
    return world;
  };
  World world = pendulum(true), open = pendulum(false);
  int across = 0;
  for (int i = 0; i < 600; ++i) {
    world.step();
    open.step();
    across += world.joints().front().shift.x != 0.0 ? 1 : 0;
    ASSERT_LT(apart(world.bodies()[1], open.bodies()[1]), 1e-9) << i;
  }
  EXPECT_GT(across, 100);
}

TEST(PeriodicJoint, RingAroundTheBoxHoldsAndKeepsMomentum) {
  constexpr int kLinks = 6;
  World world(space(true));
  // Longer than the box, so that it can swing.
  const auto anchor = [](int i) {
    return Vec3{kPeriod / kLinks * i, i % 2 == 0 ? 0.85 : 1.15, 0.0};
  };
  for (int i = 0; i < kLinks; ++i)
    add_body(world, Sphere(0.1), (anchor(i) + anchor(i + 1)) * 0.5, {}, {0.4, 0.0, 0.1 * i});
  for (int i = 0; i < kLinks; ++i) {
    const Body &a = world.bodies()[static_cast<std::size_t>(i)],
               &b = world.bodies()[static_cast<std::size_t>((i + 1) % kLinks)];
    // The last anchor is a period away from the first link, where its image is.
    world.add_joint(joint_at(JointType::ball, a, b, anchor(i + 1)));
  }
  EXPECT_EQ(world.joints().back().shift, (Vec3{kPeriod, 0.0, 0.0}));
  const auto momentum = [&] {
    Vec3 sum;
    for (const Body& body : world.bodies()) sum += body.linear_velocity() * body.mass().mass;
    return sum;
  };
  const Vec3 before = momentum();
  for (int i = 0; i < 600; ++i) world.step();
  EXPECT_LT(norm(momentum() - before), 1e-12 * norm(before));
  for (const Joint& joint : world.joints()) {
    const JointDefinition& d = joint.definition;
    const Vec3 gap = world.body(d.body_b).pose().to_world(d.frame_b.position()) + joint.shift -
                     world.body(d.body_a).pose().to_world(d.frame_a.position());
    EXPECT_LT(norm(gap), 1e-8) << d.id;
  }
}

TEST(PeriodicJoint, TooFarApartIsRefused) {
  World world(space(true));
  const BodyId a = add_body(world, Sphere(0.1), {1.0, 1.0, 0.0});
  const BodyId b = add_body(world, Sphere(0.1), {1e12, 1.0, 0.0});
  try {
    world.add_joint(
        distance_joint(world.body(a), world.body(b), {1.0, 1.0, 0.0}, {1e12, 1.0, 0.0}));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "pose");
  }
}

}  // namespace
}  // namespace tactus::detail
