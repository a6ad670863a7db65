// Joints in worlds that repeat along some axes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/joint_scene.hpp"
#include "tests/support/refusal.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::energy;
using test::gap;
using test::refusal;
using test::run;

WorldSettings weightless() {
  WorldSettings settings;
  settings.gravity = {};
  return settings;
}

/// The settings with space periodic along the first `axes` axes.
WorldSettings repeated(WorldSettings settings, double period, int axes = 3) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(axes); ++i)
    settings.periodic[i] = PeriodicAxis{0.0, period};
  return settings;
}

BodyId add_part(World& world, const Shape& shape, const Pose& pose, const Vec3& velocity = {},
                const Vec3& spin = {}) {
  BodyDefinition part{shape, pose, velocity, spin};
  part.filter.mask = 0;
  return world.add(part);
}

Vec3 momentum(const World& world) {
  Vec3 sum;
  for (const Body& body : world.bodies())
    if (body.is_dynamic()) sum += body.linear_velocity() * body.mass().mass;
  return sum;
}

/// How differently the bodies and joints of two worlds move, but for whole periods of places.
struct Difference {
  double place = 0.0, speed = 0.0, position = 0.0, force = 0.0;

  void look(const World& plain, const World& periodic, double period) {
    for (std::size_t i = 0; i < plain.bodies().size(); ++i) {
      const Body &x = plain.bodies()[i], &y = periodic.bodies()[i];
      const Vec3 apart = y.center_of_mass() - x.center_of_mass();
      for (int axis = 0; axis < 3; ++axis)
        place = std::max(place, std::fabs(std::remainder(apart[axis], period)));
      speed = std::max({speed, norm(y.linear_velocity() - x.linear_velocity()),
                        norm(y.angular_velocity() - x.angular_velocity())});
    }
    for (std::size_t i = 0; i < plain.joints().size(); ++i) {
      const Joint &x = plain.joints()[i], &y = periodic.joints()[i];
      position = std::max({position, std::fabs(std::remainder(y.position - x.position, 2.0 * kPi)),
                           std::fabs(y.swing - x.swing)});
      force = std::max({force, norm(y.force - x.force), norm(y.torque - x.torque)});
    }
  }
};

/// Number of steps in which a body went through a face.
struct Crossings {
  std::vector<Vec3> last;
  int count = 0;

  void look(const World& world, double period) {
    for (std::size_t i = 0; i < world.bodies().size(); ++i) {
      const Vec3 place = world.bodies()[i].center_of_mass();
      if (i < last.size() && max_abs(place - last[i]) > 0.5 * period) ++count;
      last.resize(std::max(last.size(), i + 1));
      last[i] = place;
    }
  }
};

/// Differences of a world and its periodic twin, and the twin's crossings, over some steps.
struct Comparison {
  Difference worst;
  Crossings crossings;
  double apart = 0.0;          ///< of joints
  double largest_force = 0.0;  ///< of the first joint

  Comparison(World& plain, World& periodic, double period, int steps) {
    for (int i = 0; i < steps; ++i) {
      plain.step();
      periodic.step();
      worst.look(plain, periodic, period);
      crossings.look(periodic, period);
      apart = std::max(apart, gap(periodic));
      largest_force = std::max(largest_force, norm(plain.joints()[0].force));
    }
  }
};

/// Two boxes that fly and turn through the faces.
World pair(const WorldSettings& settings, int kind) {
  World world(settings);
  const BodyId a = add_part(world, Box({0.3, 0.2, 0.25}), Pose::translation({1.7, 0.2, 1.0}),
                            {3.0, -2.0, 1.0}, {0.5, 1.0, -2.0});
  const BodyId b = add_part(world, Box({0.2, 0.3, 0.2}), Pose::translation({2.1, 0.3, 1.1}),
                            {3.0, -1.5, 1.0}, {1.0, 1.0, -1.0});
  const Vec3 anchor{1.95, 0.2, 1.05}, axis{0.3, -0.5, 0.8};
  const Body &x = world.body(a), &y = world.body(b);
  const auto at = [&](JointType type) { return joint_at(type, x, y, anchor, axis); };
  JointDefinition joint = at(JointType::fixed);
  if (kind == 1) joint = at(JointType::ball);
  if (kind == 2) {
    joint = at(JointType::ball);
    joint.swing = 0.4;
    joint.twist = JointLimits{-0.2, 0.5};
  }
  if (kind == 3) {
    joint = at(JointType::hinge);
    joint.motor = JointMotor{5.0, 0.3};
  }
  if (kind == 4) {
    joint = at(JointType::hinge);
    joint.limits = JointLimits{-0.3, 0.3};
  }
  if (kind == 5) {
    joint = at(JointType::slider);
    joint.limits = JointLimits{-0.05, 0.1};
    joint.motor = JointMotor{0.5, 0.1};
  }
  if (kind >= 6) joint = distance_joint(x, y, {1.8, 0.2, 1.0}, {2.1, 0.3, 1.1});
  if (kind == 7) joint.spring = JointSpring{3.0, 0.0};
  if (kind == 8) joint.limits = JointLimits{0.2, 0.4};
  world.add_joint(joint);
  return world;
}

class PeriodicJoint : public testing::TestWithParam<int> {};

TEST_P(PeriodicJoint, MovesThroughFacesAsInUnboundedSpace) {
  World plain = pair(weightless(), GetParam());
  World periodic = pair(repeated(weightless(), 2.0), GetParam());
  const Vec3 start = momentum(periodic);
  const Comparison seen(plain, periodic, 2.0, 300);
  EXPECT_GT(seen.crossings.count, 25);
  EXPECT_LT(seen.worst.place, 1e-12);
  EXPECT_LT(seen.worst.speed, 2e-11);
  EXPECT_LT(seen.worst.position, 1e-11);
  EXPECT_LT(seen.worst.force, 1e-9 * seen.largest_force);
  EXPECT_LT(norm(momentum(periodic) - start), 2e-14 * norm(start));
}
INSTANTIATE_TEST_SUITE_P(Kinds, PeriodicJoint, testing::Range(0, 9));

/// A chain of capsules that turns as it flies; longer than the period.
World chain(const WorldSettings& settings, JointType type, int count = 6) {
  World world(settings);
  const double length = 0.5;
  BodyId last = kNoBody;
  for (int i = 0; i < count; ++i) {
    const Vec3 from{0.1 + length * i, 1.0, 1.0}, to = from + Vec3{length, 0.0, 0.0};
    const Vec3 middle = (from + to) * 0.5;
    const Vec3 spin{0.0, 0.7, 1.0};
    const BodyId link = add_part(world, Capsule(0.05, 0.4), Pose::along(from, to),
                                 cross(spin, middle) + Vec3{2.0, 1.0, 0.5}, spin);
    if (last != kNoBody)
      world.add_joint(joint_at(type, world.body(last), world.body(link), from, {0.0, 1.0, 0.0}));
    last = link;
  }
  return world;
}

TEST(PeriodicJoints, ChainLongerThanThePeriodMovesAsInUnboundedSpace) {
  for (const JointType type : {JointType::ball, JointType::hinge}) {
    World plain = chain(weightless(), type), periodic = chain(repeated(weightless(), 2.0), type);
    const double before = energy(periodic);
    const Comparison seen(plain, periodic, 2.0, 240);
    EXPECT_GT(seen.crossings.count, 60);
    EXPECT_LT(seen.worst.place, 1e-12);
    EXPECT_LT(seen.worst.speed, 1e-11);
    EXPECT_LT(seen.apart, 1e-9);
    EXPECT_NEAR(energy(periodic) / before, 1.0, 2e-13);
  }
}

/// A zigzag of links along x with one period of four, whose ends are joined through the faces; it
/// sways and drifts.
World ring(int copies, double slack = 0.1) {
  WorldSettings settings = weightless();
  const double step = 0.5, period = 4.0 * step * copies;
  settings.periodic[0] = PeriodicAxis{0.0, period};
  World world(settings);
  std::vector<BodyId> links;
  std::vector<Vec3> knots;
  for (int i = 0; i <= 4 * copies; ++i) knots.push_back({step * i, i % 2 == 0 ? 0.0 : slack, 0.0});
  for (int i = 0; i < 4 * copies; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Vec3 sway{0.7, 0.2 * std::sin(0.5 * kPi * (i + 0.5)), 0.3 * std::cos(0.5 * kPi * i)};
    links.push_back(
        add_part(world, Capsule(0.05, 0.3), Pose::along(knots[at], knots[at + 1]), sway));
  }
  for (std::size_t i = 0; i < links.size(); ++i)
    world.add_joint(joint_at(JointType::ball, world.body(links[i]),
                             world.body(links[(i + 1) % links.size()]), knots[i + 1]));
  return world;
}

TEST(PeriodicJoints, RingAroundThePeriodHoldsItselfThroughTheFace) {
  World world = ring(1), twice = ring(2);
  // The one that closes the ring holds the image one period beside the first link.
  EXPECT_EQ(world.joints().back().shift, (Vec3{2.0, 0.0, 0.0}));
  EXPECT_LT(max_abs(world.joints().back().definition.frame_b.position()), 0.26);
  EXPECT_LT(gap(world), 1e-15);
  world.step();
  twice.step();
  const double before = energy(world);
  const Vec3 start = momentum(world);
  double apart = 0.0, drift = 0.0, differs = 0.0;
  Crossings crossings;
  for (int i = 0; i < 300; ++i) {
    world.step();
    twice.step();
    crossings.look(world, 2.0);
    apart = std::max(apart, gap(world));
    drift = std::max(drift, std::fabs(energy(world) / before - 1.0));
    // In a period twice as long, both halves of the ring move as this one does.
    for (std::size_t k = 0; k < twice.bodies().size(); ++k)
      differs = std::max(differs, norm(twice.bodies()[k].linear_velocity() -
                                       world.bodies()[k % 4].linear_velocity()));
  }
  EXPECT_GT(crossings.count, 5);
  EXPECT_LT(apart, 1e-9);
  EXPECT_LT(drift, 1e-3);
  EXPECT_LT(norm(momentum(world) - start), 1e-13 * norm(start));
  EXPECT_LT(differs, 2e-8);
}

TEST(PeriodicJoints, SpringsAroundThePeriodPullEvenly) {
  // Balls 0.5 apart, springs that would be 0.3 long: all around the period, and in balance.
  World world(repeated(weightless(), 2.0, 1));
  std::vector<BodyId> balls;
  for (int i = 0; i < 4; ++i)
    balls.push_back(
        add_part(world, Sphere(0.1), Pose::translation({0.1 + 0.5 * i, 0, 0}), {1.0, 0.0, 0.0}));
  for (std::size_t i = 0; i < 4; ++i) {
    const Body &a = world.body(balls[i]), &b = world.body(balls[(i + 1) % 4]);
    JointDefinition spring = distance_joint(a, b, a.center_of_mass(), b.center_of_mass());
    spring.spring = JointSpring{2.0, 0.1};
    spring.length = 0.3;
    EXPECT_NEAR(world.joint(world.add_joint(spring)).position, 0.5, 1e-15);
  }
  const double mass = world.body(balls[0]).mass().mass;
  const double pull = 0.2 * 0.5 * mass * std::pow(4.0 * kPi, 2);
  for (int i = 0; i < 300; ++i) {
    world.step();
    for (const Joint& joint : world.joints()) {
      ASSERT_NEAR(joint.position, 0.5, 1e-12);
      ASSERT_LT(norm(joint.force - Vec3{-pull, 0.0, 0.0}), 3e-14 * pull);
    }
  }
  for (const Body& body : world.bodies())
    EXPECT_LT(norm(body.linear_velocity() - Vec3{1.0, 0.0, 0.0}), 1e-12);
}

TEST(PeriodicJoints, PendulumSwingsThroughTheFaceOfItsAnchor) {
  const auto pendulum = [](const WorldSettings& settings, double at) {
    World world(settings);
    BodyDefinition post{Sphere(0.01), Pose::translation({at, 0.5, 3.0})};
    post.type = BodyType::fixed;
    post.filter.mask = 0;
    const BodyId fixed = world.add(post);
    const BodyId rod = add_part(world, Box({0.7, 0.1, 0.1}), Pose::translation({1.5, 0.5, 3.0}));
    const BodyId second = add_part(world, Box({0.7, 0.1, 0.1}), Pose::translation({0.8, 0.5, 3.0}));
    world.add_joint(joint_at(JointType::hinge, world.body(fixed), world.body(rod), {1.85, 0.5, 3.0},
                             {0.0, 1.0, 0.0}));
    world.add_joint(joint_at(JointType::hinge, world.body(rod), world.body(second),
                             {1.15, 0.5, 3.0}, {0.0, 1.0, 0.0}));
    return world;
  };
  WorldSettings settings;
  // The anchor itself, and its image on the other side, on which the bodies then hang.
  for (const double at : {1.85, -0.15}) {
    World periodic = pendulum(repeated(settings, 2.0, 2), at);
    World free = pendulum(settings, 1.85);
    Difference worst;
    Crossings crossings;
    for (int i = 0; i < 90; ++i) {
      free.step();
      periodic.step();
      worst.look(free, periodic, 2.0);
      crossings.look(periodic, 2.0);
    }
    EXPECT_GT(crossings.count, 2);
    EXPECT_LT(worst.place, 1e-12) << at;
    EXPECT_LT(worst.position, 1e-12) << at;
  }
}

TEST(PeriodicJoints, RailAndRopeCountThePeriodsThatWerePassed) {
  World world(repeated(weightless(), 2.0, 1));
  BodyDefinition post{Sphere(0.01), Pose::translation({1.0, 0.0, 0.0})};
  post.type = BodyType::fixed;
  post.filter.mask = 0;
  const BodyId fixed = world.add(post);
  const BodyId car = add_part(world, Sphere(0.1), Pose::translation({1.0, 0.5, 0.0}), {3, 0, 0});
  const BodyId ball = add_part(world, Sphere(0.1), Pose::translation({1.5, 0.0, 0.5}), {2, 0, 0});
  const JointId rail = world.add_joint(joint_at(JointType::slider, world.body(fixed),
                                                world.body(car), {1.0, 0.5, 0.0}, {1.0, 0.0, 0.0}));
  JointDefinition line =
      distance_joint(world.body(fixed), world.body(ball), {1.0, 0.0, 0.5}, {1.5, 0.0, 0.5});
  line.limits = JointLimits{0.0, 5.0};
  const JointId rope = world.add_joint(line);
  run(world, 2.0);
  EXPECT_NEAR(world.joint(rail).position, 6.0, 3e-13);
  EXPECT_EQ(world.joint(rail).shift, (Vec3{6.0, 0.0, 0.0}));
  EXPECT_NEAR(world.joint(rope).position, 4.5, 4e-13);
  // At its end it throws the ball back or stops it; nothing passes.
  double most = 0.0;
  while (world.time() < 5.0) {
    world.step();
    most = std::max(most, world.joint(rope).position);
  }
  EXPECT_NEAR(most, 5.0, 1e-6);
}

/// Four wheels with motors under a box, on a plane that repeats sideways.
World car(const WorldSettings& settings) {
  World world(settings);
  test::add_ground(world);
  BodyDefinition box{Box({1.0, 0.5, 0.2}), Pose::translation({1.0, 1.0, 0.35})};
  const BodyId chassis = world.add(box);
  for (int i = 0; i < 4; ++i) {
    const Vec3 hub{i % 2 == 0 ? 0.65 : 1.35, i < 2 ? 0.65 : 1.35, 0.2};
    BodyDefinition wheel{Sphere(0.2), Pose::translation(hub)};
    wheel.material.friction = 1.0;
    JointDefinition axle;
    const BodyId id = world.add(wheel);
    axle = joint_at(JointType::hinge, world.body(chassis), world.body(id), hub, {0.0, 1.0, 0.0});
    axle.motor = JointMotor{10.0, 40.0};
    world.add_joint(axle);
  }
  return world;
}

TEST(PeriodicJoints, CarDrivesThroughFacesWithoutAJerk) {
  TACTUS_LONG_TEST();
  World plain = car({}), periodic = car(repeated({}, 3.0, 2));
  const Comparison seen(plain, periodic, 3.0, 480);
  EXPECT_GT(seen.crossings.count, 20);
  EXPECT_LT(seen.apart, 1e-5);
  EXPECT_LT(seen.worst.place, 5e-11);
  EXPECT_LT(seen.worst.speed, 1e-9);
  EXPECT_LT(seen.worst.position, 2e-10);
}

/// Chains with contacts of their own that fall about in a periodic space.
World tangle(int threads) {
  WorldSettings settings = repeated({}, 2.2, 2);
  settings.max_threads = threads;
  World world(settings);
  test::add_ground(world);
  for (int k = 0; k < 6; ++k) {
    BodyId last = kNoBody;
    for (int i = 0; i < 5; ++i) {
      const Vec3 from{0.1 + 0.4 * i, 0.2 + 0.35 * k, 0.5 + 0.3 * k};
      const Vec3 to = from + Vec3{0.4, 0.0, 0.0};
      BodyDefinition link{Capsule(0.08, 0.24), Pose::along(from, to), {2.0, 1.0, 0.0}};
      const BodyId id = world.add(link);
      if (last != kNoBody) {
        JointDefinition joint =
            joint_at(JointType::ball, world.body(last), world.body(id), from, {1.0, 0.0, 0.0});
        joint.swing = 1.0;
        world.add_joint(joint);
      }
      last = id;
    }
  }
  return world;
}

TEST(PeriodicJoints, NoBitDependsOnThreadsOrOnAPause) {
  TACTUS_LONG_TEST();
  World one = tangle(1), two = tangle(2);
  const auto across = [](const World& world) {
    return std::any_of(world.joints().begin(), world.joints().end(),
                       [](const Joint& joint) { return max_abs(joint.shift) > 0.0; });
  };
  run(one, 0.5);
  run(two, 0.5);
  while (!across(one)) {
    one.step();
    two.step();
  }
  EXPECT_EQ(one.state_hash(), two.state_hash());
  const WorldState middle = one.save();
  World continued = tangle(2);
  continued.restore(middle);
  EXPECT_EQ(continued.save(), middle);
  EXPECT_EQ(continued.state_hash(), one.state_hash());
  for (std::size_t i = 0; i < one.joints().size(); ++i) {
    EXPECT_EQ(continued.joints()[i].shift, one.joints()[i].shift);
    EXPECT_EQ(continued.joints()[i].force, one.joints()[i].force);
    EXPECT_EQ(continued.joints()[i].definition.frame_b, one.joints()[i].definition.frame_b);
  }
  run(one, 1.0);
  run(continued, 1.0);
  EXPECT_EQ(continued.save(), one.save());
  EXPECT_LT(gap(one), 1e-6);
}

TEST(PeriodicJoints, JoinedBodiesTouchAcrossTheFaceOnlyWhenTheyMay) {
  for (const bool touch : {false, true}) {
    World world(repeated(weightless(), 2.0));
    const BodyId a = add_body(world, Sphere(0.2), {1.9, 1.0, 1.0});
    const BodyId b = add_body(world, Sphere(0.2), {0.2, 1.0, 1.0});
    JointDefinition joint = joint_at(JointType::ball, world.body(a), world.body(b), {2.05, 1, 1});
    joint.touch = touch;
    world.add_joint(joint);
    world.step();
    EXPECT_EQ(!world.touching().empty(), touch);
  }
}

TEST(PeriodicJoints, AnchorsAndBodiesAreTakenAtTheirNearestImages) {
  World world(repeated(weightless(), 2.0, 2));
  const BodyId a = add_part(world, Box({0.2, 0.2, 0.2}), Pose::translation({1.9, 1.0, 1.0}));
  const BodyId b = add_part(world, Sphere(0.1), Pose::translation({-3.8, 7.0, 1.0}));
  const JointDefinition given =
      joint_at(JointType::hinge, world.body(a), world.body(b), {0.05, 1.0, 1.0});
  const Joint& joint = world.joint(world.add_joint(given));
  // The anchor is 0.15 beside A and as much before B.
  EXPECT_LT(norm(joint.definition.frame_a.position() - Vec3{0.15, 0.0, 0.0}), 9e-15);
  EXPECT_LT(norm(joint.definition.frame_b.position() - Vec3{-0.15, 0.0, 0.0}), 3e-14);
  EXPECT_EQ(joint.shift, (Vec3{6.0, -6.0, 0.0}));
  run(world, 0.5);
  EXPECT_LT(norm(world.body(a).linear_velocity()) + norm(world.body(b).linear_velocity()), 1e-9);
  EXPECT_EQ(world.joints()[0].shift, (Vec3{2.0, 0.0, 0.0}));
  // Half a period away either image would do: that which was given stays.
  const JointDefinition far =
      distance_joint(world.body(a), world.body(b), {1.9, 1.0, 1.0}, {0.9, 1.0, 1.0});
  EXPECT_NEAR(world.joint(world.add_joint(far)).position, 1.0, 7e-15);
}

TEST(PeriodicJoints, WhatIsTooFarAwayIsRefused) {
  World world(repeated(weightless(), 2.0));
  const BodyId a = add_body(world, Sphere(0.1), {0.5, 1.0, 1.0});
  const BodyId b = add_body(world, Sphere(0.1), {1.0, 1.0, 1.0});
  JointDefinition joint = joint_at(JointType::ball, world.body(a), world.body(b), {0.75, 1, 1});
  joint.frame_b = Pose::translation({1e12, 0.0, 0.0});
  EXPECT_EQ(refusal([&] { world.add_joint(joint); }), "frame_b: lies over 1e9 periods away");
  joint.frame_b = Pose::translation({-0.25, 0.0, 0.0});
  world.set_pose(b, Pose::translation({1e12, 1.0, 1.0}));
  EXPECT_EQ(refusal([&] { world.add_joint(joint); }), "body_b: lies over 1e9 periods away");
  EXPECT_TRUE(world.joints().empty());
  world.set_pose(b, Pose::translation({1.0, 1.0, 1.0}));
  const JointId id = world.add_joint(joint);
  world.step();
  WorldState state = world.save();
  state.joints[0].image[1] = 1'000'000'000;
  EXPECT_EQ(refusal([&] { world.restore(state); }),
            "joints[0]: the image lies over 1e9 periods away");
  state.joints[0].image[1] = 999'999'999;
  EXPECT_NE(hash(state), world.state_hash());
  world.restore(state);
  world.set_pose(b, Pose::translation({1.0, 5.0, 1.0}));
  EXPECT_EQ(to_text(world.step().failure), "place: bodies 1 2: pose: lies over 1e9 periods away");
  world.remove_joint(id);
  EXPECT_FALSE(world.step().failure.any());
}

}  // namespace
}  // namespace tactus::detail
