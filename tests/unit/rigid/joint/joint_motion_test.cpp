// Jointed bodies against closed forms of mechanics.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/joint_scene.hpp"

namespace tactus::detail {
namespace {

using test::add_anchor;
using test::energy;
using test::gap;
using test::run;

constexpr double kGravity = 9.81;

/// Mean of a and b between which arithmetic and geometric mean meet.
double agm(double a, double b) {
  while (std::fabs(a - b) > 1e-15 * a) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return a;
}

/// Times at which x passes zero, by the line between two steps.
template <class X>
double period(World& world, X&& x, double seconds) {
  std::vector<double> crossings;
  double before = x();
  while (world.time() < seconds) {
    world.step();
    const double now = x();
    if ((before < 0.0) != (now < 0.0)) {
      const double part = before / (before - now);
      crossings.push_back(world.time() - (1.0 - part) * world.settings().time_step);
    }
    before = now;
  }
  EXPECT_GE(crossings.size(), 3u);
  const double halves = static_cast<double>(crossings.size() - 1);
  return 2.0 * (crossings.back() - crossings.front()) / halves;
}

struct Pendulum {
  JointType type;
  double inertia;  ///< about the pivot, per mass
};

class Swing : public testing::TestWithParam<JointType> {};

TEST_P(Swing, HasThePeriodAndTheEnergyOfTheory) {
  World world;
  const BodyId anchor = add_anchor(world);
  const double radius = 0.1, start = 1.0;
  const Vec3 place{std::sin(start), 0.0, -std::cos(start)};
  const BodyId bob = test::add_body(world, Sphere(radius), place);
  const Body &a = world.body(anchor), &b = world.body(bob);
  const bool point = GetParam() == JointType::distance;
  world.add_joint(point ? distance_joint(a, b, {}, place)
                        : joint_at(GetParam(), a, b, {}, {0.0, 1.0, 0.0}));
  // A ball turns with the line it hangs on; the bob of a thread keeps its direction.
  const double inertia = 1.0 + (point ? 0.0 : 0.4 * radius * radius);
  const double theory = 2.0 * kPi * std::sqrt(inertia / kGravity) / agm(1.0, std::cos(0.5 * start));
  const double first = energy(world);
  const double scale = world.body(bob).mass().mass * kGravity;
  double worst = 0.0, drift = 0.0;
  const double measured = period(
      world,
      [&] {
        worst = std::max(worst, std::fabs(energy(world) - first));
        drift = std::max(drift, std::fabs(norm(world.body(bob).center_of_mass()) - 1.0));
        return world.body(bob).center_of_mass().x;
      },
      60.0);
  // The scheme is of second order: (w h)^2 / 24 with h = 1/720 s and w = 3.1 1/s is 8e-7.
  EXPECT_NEAR(measured / theory, 1.0, 2e-6);
  EXPECT_LT(worst, 1e-5 * scale);
  EXPECT_LT(drift, 1e-10);
}
INSTANTIATE_TEST_SUITE_P(Joints, Swing,
                         testing::Values(JointType::ball, JointType::hinge, JointType::distance));

TEST(JointMotion, PeriodConvergesWithTheSquareOfTheSubstep) {
  const double theory = 2.0 * kPi / std::sqrt(kGravity) / agm(1.0, std::cos(0.5));
  const auto error = [&](int substeps) {
    WorldSettings settings;
    settings.substeps = substeps;
    settings.load_overlap = 0.0;
    World world(settings);
    const BodyId anchor = add_anchor(world);
    const Vec3 place{std::sin(1.0), 0.0, -std::cos(1.0)};
    const BodyId bob = test::add_body(world, Sphere(0.1), place);
    world.add_joint(distance_joint(world.body(anchor), world.body(bob), {}, place));
    return period(world, [&] { return world.body(bob).center_of_mass().x; }, 60.0) / theory - 1.0;
  };
  EXPECT_NEAR(error(1) / error(2), 4.0, 0.2);
}

TEST(JointMotion, ConicalPendulumKeepsItsHeightAndPull) {
  World world;
  const BodyId anchor = add_anchor(world);
  const double angle = 0.6;
  const Vec3 place{std::sin(angle), 0.0, -std::cos(angle)};
  const BodyId bob = test::add_body(world, Sphere(0.1), place);
  const double turning = std::sqrt(kGravity / std::cos(angle));
  world.set_velocity(bob, {0.0, turning * place.x, 0.0}, {});
  const JointId thread =
      world.add_joint(distance_joint(world.body(anchor), world.body(bob), {}, place));
  const double weight = world.body(bob).mass().mass * kGravity;
  for (int i = 0; i < 600; ++i) {
    world.step();
    const Vec3 at = world.body(bob).center_of_mass();
    ASSERT_NEAR(at.z, place.z, 2e-5);
    const Vec3 pull = world.joint(thread).force;
    ASSERT_NEAR(norm(pull), weight / std::cos(angle), 1e-4 * weight);
    ASSERT_LT(norm(cross(pull, at)), 2e-14 * weight);
  }
  const double turned = turning * world.time();
  EXPECT_NEAR(world.body(bob).center_of_mass().x, place.x * std::cos(turned), 1e-4);
}

TEST(JointMotion, DoublePendulumKeepsItsEnergy) {
  World world;
  std::vector<BodyId> bodies = test::add_chain(world, 2, JointType::ball);
  const double first = energy(world);
  const double scale = 2.0 * world.body(bodies.back()).mass().mass * kGravity;
  double worst = 0.0, apart = 0.0;
  for (int i = 0; i < 3600; ++i) {
    world.step();
    worst = std::max(worst, std::fabs(energy(world) - first));
    apart = std::max(apart, gap(world));
  }
  EXPECT_LT(worst, 5e-4 * scale);
  EXPECT_LT(std::fabs(energy(world) - first), 1e-4 * scale);
  EXPECT_LT(apart, 1e-9);
}

TEST(JointMotion, SliderRunsDownASlopeAndStopsAtItsLimit) {
  World world;
  const BodyId anchor = add_anchor(world);
  const BodyId box = test::add_body(world, Box({0.2, 0.1, 0.1}), {0.0, 0.0, 0.0});
  const double slope = 0.5;
  JointDefinition joint = joint_at(JointType::slider, world.body(anchor), world.body(box), {},
                                   {std::cos(slope), 0.0, -std::sin(slope)});
  joint.limits = JointLimits{-0.1, 2.0};
  const JointId id = world.add_joint(joint);
  // An arm at rest on a loaded limit has its velocity in the middle of a substep: a free one not.
  const double pull = kGravity * std::sin(slope);
  run(world, 0.5);
  EXPECT_NEAR(world.joint(id).position, 0.5 * pull * 0.25, 4e-14);
  const double weight = world.body(box).mass().mass * kGravity;
  EXPECT_NEAR(norm(world.joint(id).force), weight * std::cos(slope), 7e-14 * weight);
  run(world, 1.5);
  EXPECT_NEAR(world.joint(id).position, 2.0, 3e-11);
  EXPECT_LT(norm(world.body(box).linear_velocity()), 1e-9);
  EXPECT_NEAR(world.joint(id).force.z, weight, 1e-6 * weight);
  EXPECT_LT(norm(world.body(box).angular_velocity()), 1e-12);
}

TEST(JointMotion, SliderThatIsFlungOutKeepsEnergyAndAngularMomentum) {
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  const BodyId first = test::add_body(world, Box({0.2, 0.3, 0.4}), {0.0, 0.0, 0.0});
  const BodyId second = test::add_body(world, Box({0.3, 0.2, 0.2}), {0.5, 0.1, 0.0});
  world.add_joint(joint_at(JointType::slider, world.body(first), world.body(second), {0.2, 0, 0},
                           {1, 0.3, 0.2}));
  const Vec3 turning{0.5, 0.3, 4.0};
  for (const BodyId id : {first, second})
    world.set_velocity(id, cross(turning, world.body(id).center_of_mass()), turning);
  const auto momentum = [&] {
    Vec3 sum;
    for (const Body& body : world.bodies())
      sum += body.spin() + cross(body.center_of_mass(), body.linear_velocity()) * body.mass().mass;
    return sum;
  };
  const double energy_before = energy(world);
  const Vec3 before = momentum();
  run(world, 3.0);
  EXPECT_GT(world.joints()[0].position, 1.0);
  EXPECT_NEAR(energy(world) / energy_before, 1.0, 5e-6);
  EXPECT_LT(norm(momentum() - before), 8e-13 * norm(before));
}

TEST(JointMotion, HingeStopsAtItsLimits) {
  World world;
  const BodyId anchor = add_anchor(world);
  const BodyId bar = test::add_body(world, Box({1.0, 0.1, 0.1}), {0.5, 0.0, 0.0});
  JointDefinition joint =
      joint_at(JointType::hinge, world.body(anchor), world.body(bar), {}, {0.0, 1.0, 0.0});
  joint.limits = JointLimits{-0.3, 0.7};
  const JointId id = world.add_joint(joint);
  run(world, 3.0);
  // About +y, x falls: it lies on the upper limit.
  EXPECT_NEAR(world.joint(id).position, 0.7, 2e-10);
  const double weight = world.body(bar).mass().mass * kGravity;
  EXPECT_NEAR(world.joint(id).torque.y, -0.5 * std::cos(0.7) * weight, 6e-11 * weight);
  EXPECT_LT(world.statistics().max_speed, 1e-9);
  const Vec3 turning{0.0, -6.0, 0.0};
  world.set_velocity(bar, cross(turning, world.body(bar).center_of_mass()), turning);
  double least = 1.0;
  for (int i = 0; i < 60; ++i) {
    world.step();
    least = std::min(least, world.joint(id).position);
  }
  // It stops there between two steps and falls back.
  EXPECT_GT(least, -0.3 - 1e-9);
  EXPECT_LT(least, -0.29);
}

TEST(JointMotion, HingeMotorSpeedsUpByItsTorqueAndKeepsItsSpeed) {
  World world;
  const BodyId anchor = add_anchor(world);
  const BodyId wheel = test::add_body(world, Cylinder(0.5, 0.2), {0.0, 0.0, 0.0});
  JointDefinition joint = joint_at(JointType::hinge, world.body(anchor), world.body(wheel), {});
  const double inertia = world.body(wheel).mass().inertia(2, 2), torque = 5.0 * inertia;
  joint.motor = JointMotor{10.0, torque};
  const JointId id = world.add_joint(joint);
  run(world, 1.0);
  EXPECT_NEAR(world.body(wheel).angular_velocity().z, 5.0, 2e-12);
  EXPECT_NEAR(world.joint(id).torque.z, torque, 1e-9 * torque);
  run(world, 1.5);
  EXPECT_NEAR(world.body(wheel).angular_velocity().z, 10.0, 1e-9);
  EXPECT_NEAR(world.joint(id).torque.z, 0.0, 8e-12 * torque);
  world.set_motor(id, JointMotor{0.0, torque});
  run(world, 1.0);
  EXPECT_NEAR(world.body(wheel).angular_velocity().z, 5.0, 5e-11);
  world.set_motor(id, {});
  run(world, 1.0);
  EXPECT_NEAR(world.body(wheel).angular_velocity().z, 5.0, 5e-11);
}

TEST(JointMotion, MotorHoldsAnArmIfItIsStrongEnough) {
  for (const double strength : {0.9, 1.1}) {
    World world;
    const BodyId anchor = add_anchor(world);
    const BodyId bar = test::add_body(world, Box({1.0, 0.1, 0.1}), {0.5, 0.0, 0.0});
    const double moment = 0.5 * world.body(bar).mass().mass * kGravity;
    JointDefinition joint =
        joint_at(JointType::hinge, world.body(anchor), world.body(bar), {}, {0.0, 1.0, 0.0});
    joint.motor = JointMotor{0.0, strength * moment};
    const JointId id = world.add_joint(joint);
    run(world, 1.0);
    EXPECT_NEAR(world.joint(id).torque.y, -std::fmin(strength, 1.0) * moment, 1e-6 * moment);
    if (strength > 1.0)
      EXPECT_LT(std::fabs(world.joint(id).position), 1e-9);
    else
      EXPECT_GT(world.joint(id).position, 0.1);
  }
}

TEST(JointMotion, SliderMotorLiftsALoad) {
  World world;
  const BodyId anchor = add_anchor(world);
  const BodyId load = test::add_body(world, Sphere(0.2), {0.0, 0.0, 0.0});
  const double mass = world.body(load).mass().mass;
  JointDefinition joint = joint_at(JointType::slider, world.body(anchor), world.body(load), {});
  joint.motor = JointMotor{1.0, 1.5 * mass * kGravity};
  const JointId id = world.add_joint(joint);
  // Half of the weight is left to speed it up.
  const double rise = 1.0 / (0.5 * kGravity);
  run(world, 2.0);
  EXPECT_NEAR(world.body(load).linear_velocity().z, 1.0, 1e-9);
  EXPECT_NEAR(world.joint(id).position, 2.0 - 0.5 * rise, 1e-3);
  EXPECT_NEAR(world.joint(id).force.z, mass * kGravity, 3e-12 * mass);
}

TEST(JointMotion, SpringSwingsWithItsFrequencyAndKeepsItsEnergy) {
  for (const bool both : {false, true}) {
    WorldSettings settings;
    settings.gravity = {};
    World world(settings);
    const BodyId first =
        both ? test::add_body(world, Sphere(0.2), {0.0, 0.0, 0.0}) : add_anchor(world);
    const BodyId second = test::add_body(world, Sphere(0.1), {1.3, 0.0, 0.0});
    JointDefinition joint =
        distance_joint(world.body(first), world.body(second), {}, {1.3, 0.0, 0.0});
    joint.spring = JointSpring{2.0, 0.0};
    joint.length = 1.0;
    const JointId id = world.add_joint(joint);
    double longest = 0.0, shortest = 2.0, worst = 0.0;
    const double mass =
        1.0 / (world.body(first).inverse_mass() + world.body(second).inverse_mass());
    const double stiffness = mass * 16.0 * kPi * kPi, stored = 0.5 * stiffness * 0.09;
    const double measured = period(
        world,
        [&] {
          const double length = world.joint(id).position, pulled = length - 1.0;
          const double now = energy(world) + 0.5 * stiffness * pulled * pulled;
          worst = std::max(worst, std::fabs(now / stored - 1.0));
          if (world.time() > 25.0) {
            longest = std::max(longest, length);
            shortest = std::min(shortest, length);
          }
          return length - 1.0;
        },
        30.0);
    // tan(w' h / 2) = w h / 2 for the frequency w' of the scheme: (w h)^2 / 12 less.
    const double h = 1.0 / 720.0, w = 4.0 * kPi;
    EXPECT_NEAR(measured, 0.5 * (1.0 + w * w * h * h / 12.0), 2e-6);
    EXPECT_NEAR(longest, 1.3, 6e-4);
    EXPECT_NEAR(shortest, 0.7, 6e-4);
    EXPECT_LT(worst, 6e-12);
  }
}

TEST(JointMotion, DampedSpringComesToRestAtItsLoadedLength) {
  World world;
  const BodyId anchor = add_anchor(world);
  const BodyId load = test::add_body(world, Sphere(0.1), {0.0, 0.0, -1.0});
  JointDefinition joint = distance_joint(world.body(anchor), world.body(load), {}, {0, 0, -1.0});
  joint.spring = JointSpring{2.0, 0.1};
  const JointId id = world.add_joint(joint);
  const double w = 4.0 * kPi, sag = kGravity / (w * w);
  const double damped = w * std::sqrt(1.0 - 0.01);
  run(world, 2.0);
  const double t = world.time();
  const double expected =
      1.0 + sag * (1.0 - std::exp(-0.1 * w * t) *
                             (std::cos(damped * t) + 0.1 * w / damped * std::sin(damped * t)));
  EXPECT_NEAR(world.joint(id).position, expected, 1e-4 * sag);
  run(world, 20.0);
  EXPECT_NEAR(world.joint(id).position, 1.0 + sag, 1e-9);
  EXPECT_NEAR(world.joint(id).force.z, world.body(load).mass().mass * kGravity, 1e-6);
}

TEST(JointMotion, SpringThatIsTooFastForTheSubstepsStaysBounded) {
  World world;
  const BodyId anchor = add_anchor(world);
  const BodyId load = test::add_body(world, Sphere(0.1), {0.0, 0.0, -1.0});
  JointDefinition joint = distance_joint(world.body(anchor), world.body(load), {}, {0, 0, -1.0});
  joint.spring = JointSpring{1e5, 0.0};
  joint.length = 0.999;
  const JointId id = world.add_joint(joint);
  for (int i = 0; i < 600; ++i) {
    world.step();
    ASSERT_NEAR(world.joint(id).position, 0.999, 1.001e-3);
  }
}

TEST(JointMotion, CantileverOfTwoHoldsItsLoad) {
  World world;
  const BodyId wall = add_anchor(world);
  const BodyId first = test::add_body(world, Box({1.0, 0.2, 0.2}), {0.5, 0.0, 0.0});
  const BodyId second = test::add_body(world, Box({1.0, 0.2, 0.2}), {1.5, 0.0, 0.0});
  const JointId root =
      world.add_joint(joint_at(JointType::fixed, world.body(wall), world.body(first), {}));
  const JointId middle = world.add_joint(
      joint_at(JointType::fixed, world.body(first), world.body(second), {1.0, 0.0, 0.0}));
  run(world, 10.0);
  const double weight = world.body(first).mass().mass * kGravity;
  EXPECT_LT(norm(world.body(second).center_of_mass() - Vec3{1.5, 0.0, 0.0}), 1e-9);
  EXPECT_LT(world.statistics().max_speed, 1e-9);
  EXPECT_NEAR(world.joint(root).force.z, 2.0 * weight, 2e-14 * weight);
  EXPECT_NEAR(world.joint(middle).force.z, weight, 9e-15 * weight);
  // About +y, a load at x pulls down with the moment x * weight; the joint takes it up.
  EXPECT_NEAR(world.joint(root).torque.y, -2.0 * weight, 1e-6 * weight);
  EXPECT_NEAR(world.joint(middle).torque.y, -0.5 * weight, 5e-15 * weight);
}

TEST(JointMotion, ChainCarriesAThousandTimesTheMassOfALink) {
  TACTUS_LONG_TEST();
  World world;
  std::vector<BodyId> bodies = test::add_chain(world, 20, JointType::ball);
  const double link = world.body(bodies.back()).mass().mass;
  const BodyId load = test::add_load(world, bodies.back(), {20.0, 0.0, 0.0}, 1000.0 * link);
  EXPECT_NEAR(world.body(load).mass().mass, 1000.0 * link, 1e-6 * link);
  double apart = 0.0;
  const double first = energy(world);
  for (int i = 0; i < 600; ++i) {
    world.step();
    apart = std::max(apart, gap(world));
  }
  EXPECT_LT(apart, 2e-3);  // of a link
  EXPECT_LT(std::fabs(energy(world) - first), 5e-5 * 1000.0 * link * kGravity * 20.0);
}

TEST(JointMotion, HangingChainCarriesItsLoadWithoutStretch) {
  World world;
  std::vector<BodyId> bodies = test::add_chain(world, 20, JointType::hinge, {0.0, 0.0, -1.0});
  const double link = world.body(bodies.back()).mass().mass;
  test::add_load(world, bodies.back(), {0.0, 0.0, -20.0}, 1000.0 * link);
  run(world, 5.0);
  EXPECT_LT(gap(world), 1e-9);
  EXPECT_LT(world.statistics().max_speed, 1e-6);
  EXPECT_NEAR(world.joints().front().force.z, 1020.0 * link * kGravity, 2e-10 * link);
}

TEST(JointMotion, ClosedLoopsThatAreHeldTwiceKeepTheirFormAndEnergy) {
  World world;
  const BodyId anchor = add_anchor(world);
  // Four bars about parallel hinges: three of their rows say what the others say.
  const auto bar = [&](const Vec3& from, const Vec3& to) {
    const Vec3 way = to - from;
    BodyDefinition body{
        Box({0.9 * norm(way), 0.05, 0.05}),
        Pose::from_axis_angle((from + to) * 0.5, {0, 1, 0}, std::atan2(-way.z, way.x))};
    body.filter.mask = 0;
    return world.add(body);
  };
  const Vec3 corner[] = {{0, 0, 0}, {0.6, 0, -0.8}, {2.6, 0, -0.8}, {2.0, 0, 0}};
  const BodyId left = bar(corner[0], corner[1]), low = bar(corner[1], corner[2]),
               right = bar(corner[2], corner[3]);
  const BodyId chain[] = {anchor, left, low, right, anchor};
  for (int i = 0; i < 4; ++i)
    world.add_joint(joint_at(JointType::hinge, world.body(chain[i]), world.body(chain[i + 1]),
                             corner[i], {0, 1, 0}));
  const double first = energy(world);
  double worst = 0.0, apart = 0.0;
  for (int i = 0; i < 600; ++i) {
    world.step();
    worst = std::max(worst, std::fabs(energy(world) - first));
    apart = std::max(apart, gap(world));
  }
  EXPECT_LT(apart, 2e-10);
  EXPECT_LT(worst, 1e-4 * std::fabs(first));
  EXPECT_LT(norm(cross(world.body(low).pose().rotation().column(0), Vec3{1, 0, 0})), 4e-15);
}

TEST(JointMotion, BodiesThatAreFoundApartAreDrawnTogetherAtTheGivenSpeed) {
  WorldSettings settings;
  settings.gravity = {};
  settings.max_push_speed = 1.0;
  World world(settings);
  const BodyId anchor = add_anchor(world);
  const BodyId ball = test::add_body(world, Sphere(0.5), {0.0, 0.0, 0.0});
  JointDefinition joint = joint_at(JointType::ball, world.body(anchor), world.body(ball), {});
  joint.frame_b = Pose::translation({0.0, 0.0, 0.0});
  joint.frame_a = Pose::translation({0.5, 0.0, 0.0});
  world.add_joint(joint);
  // The smaller body is the anchor, 0.02 across.
  run(world, 10.0);
  EXPECT_NEAR(world.body(ball).center_of_mass().x, 0.2, 2e-8);
  EXPECT_LT(world.statistics().max_speed, 1e-9);
  run(world, 20.0);
  EXPECT_NEAR(world.body(ball).center_of_mass().x, 0.5, 1e-9);
}

TEST(JointMotion, KinematicCrankDrivesAPiston) {
  World world;
  const BodyId anchor = add_anchor(world);
  BodyDefinition crank_body{Cylinder(0.5, 0.1)};
  crank_body.type = BodyType::kinematic;
  crank_body.angular_velocity = {0.0, 0.0, 2.0};
  crank_body.filter.mask = 0;
  const BodyId crank = world.add(crank_body);
  const BodyId rod = test::add_body(world, Box({1.2, 0.05, 0.05}), {1.1, 0.0, 0.0});
  const BodyId piston = test::add_body(world, Box({0.2, 0.2, 0.2}), {1.7, 0.0, 0.0});
  world.exclude(crank, rod);
  world.exclude(rod, piston);
  world.add_joint(joint_at(JointType::hinge, world.body(crank), world.body(rod), {0.5, 0, 0}));
  world.add_joint(joint_at(JointType::ball, world.body(rod), world.body(piston), {1.7, 0, 0}));
  world.add_joint(
      joint_at(JointType::slider, world.body(anchor), world.body(piston), {1.7, 0, 0}, {1, 0, 0}));
  for (int i = 0; i < 300; ++i) {
    world.step();
    const double turned = 2.0 * world.time();
    const double height = 0.5 * std::sin(turned);
    const double expected = 0.5 * std::cos(turned) + std::sqrt(1.44 - height * height);
    ASSERT_NEAR(world.body(piston).center_of_mass().x, expected, 2e-10);
  }
}

}  // namespace
}  // namespace tactus::detail
