// Chains that swing keep their energy, also where they whip.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/world.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/joint_scene.hpp"

namespace tactus::detail {
namespace {

/// A zigzag of rods that hangs on a fixed body and is let go; its rods do not touch each other.
World make_chain(Random& random, JointType type, int threads = 1) {
  WorldSettings settings;
  settings.max_threads = threads;
  World world(settings);
  const int links = 2 + static_cast<int>(random.uniform(0.0, 10.999));
  const double length = random.uniform(0.1, 1.0);
  BodyDefinition support{.shape = Sphere(0.01 * length)};
  support.type = BodyType::fixed;
  support.filter = {2, 1};
  BodyId last = world.add(support);
  Vec3 end;
  for (int i = 0; i < links; ++i) {
    const double angle = random.uniform(-1.0, 1.0);
    const Vec3 way = Vec3{std::cos(angle), 0.0, std::sin(angle)} * length;
    BodyDefinition rod{.shape = Box({0.9 * length, 0.1 * length, 0.1 * length})};
    rod.pose = Pose::from_axis_angle(end + way * 0.5, {0, 1, 0}, -angle);
    rod.filter = {2, 1};
    const BodyId next = world.add(rod);
    world.add_joint(joint_at(type, world.body(last), world.body(next), end, {0, 1, 0}));
    last = next;
    end += way;
  }
  return world;
}

/// Loads make substeps shorter by a half at once at most.
bool is_refined(int substeps, int last) { return substeps >= 2 * last; }

TEST(Swings, ChainsThatWhipKeepTheirEnergy) {
  Random random(61);
  int refined = 0;
  for (int seed = 0; seed < test::effort(12); ++seed) {
    World world = make_chain(random, seed % 2 == 0 ? JointType::ball : JointType::hinge);
    world.step();
    const double first = test::energy(world);
    double drift = 0.0, kinetic = 0.0;
    int last = world.statistics().substeps;
    for (int i = 0; i < 600; ++i) {
      const StepStatistics& now = world.step();
      ASSERT_FALSE(now.failure.any()) << seed;
      kinetic = std::max(kinetic, now.kinetic_energy);
      drift = std::max(drift, std::fabs(test::energy(world) - first));
      refined += is_refined(now.substeps, last) ? 1 : 0;
      last = now.substeps;
    }
    EXPECT_LT(drift, 1e-3 * kinetic)
        << "seed " << seed << ", " << world.joints().size() << " links";
  }
  if (test::effort(12) >= 12) {
    EXPECT_GT(refined, 0);
  }
}

// A step that was taken again leaves nothing behind that the state does not hold.
TEST(Swings, SameBitsForAnyThreadsAndContinued) {
  const auto make = [](int threads) {
    Random random(62);
    World world = make_chain(random, JointType::ball, threads);
    test::add_body(world, Sphere(0.5), {50.0, 0.0, 0.0});
    return world;
  };
  World whole = make(1), threaded = make(2), continued = make(1);
  int refined = 0, last = 0;
  for (int i = 0; i < 180; ++i) {
    whole.step();
    threaded.step();
    World next = make(1);
    next.restore(continued.save());
    continued = std::move(next);
    continued.step();
    ASSERT_EQ(whole.state_hash(), threaded.state_hash()) << i;
    ASSERT_EQ(whole.state_hash(), continued.state_hash()) << i;
    refined += i > 0 && is_refined(whole.statistics().substeps, last) ? 1 : 0;
    last = whole.statistics().substeps;
  }
  EXPECT_GT(refined, 0);
}

// Contacts keep their stiffness, and bodies their velocities, where a step has other substeps.
TEST(Swings, WhatSlidesBesideFeelsNothing) {
  Random random(62);
  World world = make_chain(random, JointType::ball);
  const Vec3 normal{0.6, 0.0, 0.8};
  BodyDefinition slope{.shape = HalfSpace(normal, 0.0)};
  slope.type = BodyType::fixed;
  slope.material.friction = 0.0;
  slope.pose = Pose::translation({-50.0, 0.0, -50.0});
  world.add(slope);
  BodyDefinition box{.shape = Box({0.4, 0.4, 0.4})};
  box.pose = Pose::from_axis_angle(slope.pose.position() + normal * 0.2, {0, 1, 0},
                                   std::atan2(normal.x, normal.z));
  box.material.friction = 0.0;
  const BodyId sliding = world.add(box);
  int refined = 0, last = 0;
  for (int i = 1; i <= 180; ++i) {
    const int now = world.step().substeps;
    refined += i > 1 && is_refined(now, last) ? 1 : 0;
    last = now;
    const double speed = norm(world.body(sliding).linear_velocity());
    const double expected = 0.6 * norm(world.settings().gravity) * world.time();
    EXPECT_NEAR(speed, expected, 1e-9) << i;
  }
  EXPECT_GT(refined, 0);
}

// Rows give way by a little, and kinetic energy is next to none: what hangs or stands out is no
// whip.
TEST(Swings, WhatIsBondedAndRestsIsNotRefined) {
  for (const int links : {2, 9, 30}) {
    World world;
    BodyDefinition ball{.shape = Sphere(0.05)};
    ball.filter = {2, 1};
    ball.type = BodyType::fixed;
    BodyId last = world.add(ball);
    ball.type = BodyType::dynamic_body;
    for (int i = 1; i <= links; ++i) {
      ball.pose = Pose::translation({0.1 * i, 0.0, 0.0});
      const BodyId next = world.add(ball);
      world.add_joint(joint_at(JointType::fixed, world.body(last), world.body(next),
                               {0.1 * i - 0.05, 0.0, 0.0}));
      last = next;
    }
    int most = 0;
    for (int i = 0; i < 30; ++i) most = std::max(most, world.step().substeps);
    EXPECT_LT(most, 32 * world.settings().substeps / 2) << links;
    EXPECT_LT(std::fabs(world.body(last).center_of_mass().z), 1e-6) << links;
  }
}

// Blows may take energy: nothing is gained by taking their steps again.
TEST(Swings, BlowsAreNoErrors) {
  World world;
  test::add_ground(world, {.friction = 0.5, .restitution = 0.5});
  const BodyId ball = test::add_body(world, Sphere(0.3), {0.0, 0.0, 2.0});
  const BodyId other = test::add_body(world, Sphere(0.2), {0.6, 0.0, 2.3});
  world.add_joint(joint_at(JointType::fixed, world.body(ball), world.body(other), {0.3, 0.0, 2.1}));
  BodyDefinition post{.shape = Box({0.1, 0.1, 0.1})};
  post.type = BodyType::fixed;
  post.pose = Pose::translation({20.0, 0.0, 5.0});
  const BodyId fixed = world.add(post);
  const BodyId rod = test::add_body(world, Box({1.0, 0.1, 0.1}), {20.5, 0.0, 5.0});
  JointDefinition hinge =
      joint_at(JointType::hinge, world.body(fixed), world.body(rod), {20.0, 0.0, 5.0}, {0, 1, 0});
  hinge.limits = JointLimits{-0.3, 0.3};
  world.add_joint(hinge);
  // Upwards, off its limit and down again.
  world.set_velocity(rod, {0.0, 0.0, 2.0}, {0.0, -4.0, 0.0});
  int refined = 0, last = world.step().substeps;
  for (int i = 0; i < 300; ++i) {
    const int now = world.step().substeps;
    refined += is_refined(now, last) ? 1 : 0;
    last = now;
  }
  EXPECT_EQ(refined, 0);
}

}  // namespace
}  // namespace tactus::detail
