// Bodies that rest fall asleep where the settings say so, and wake for what moves.
#include "tactus/rigid/motion/sleep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "tactus/rigid/body/body_access.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/refusal.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::add_ground;
using test::refusal;
using test::run;

WorldSettings sleepy(double after = 0.5) {
  WorldSettings settings;
  settings.sleep_time = after;
  return settings;
}

/// Three boxes on one another, on the ground, which has id 1.
World tower(const WorldSettings& settings = sleepy()) {
  World world(settings);
  add_ground(world);
  for (int i = 0; i < 3; ++i) add_body(world, Box({1, 1, 1}), {0, 0, 0.5 + i});
  return world;
}

World sleeping_tower() {
  World world = tower();
  run(world, 2.0);
  EXPECT_EQ(world.statistics().asleep, 3);
  return world;
}

double lowest(const World& world) {
  double least = 1e9;
  for (const Body& body : world.bodies())
    if (body.is_dynamic()) least = std::min(least, body.center_of_mass().z);
  return least;
}

TEST(Sleep, NothingSleepsByDefault) {
  World world = tower({});
  run(world, 2.0);
  EXPECT_EQ(world.statistics().asleep, 0);
  for (const BodyMotion& body : world.save().bodies) EXPECT_EQ(body.rest_time, 0.0);
}

TEST(Sleep, ATowerSleepsAfterItsTime) {
  World world = tower();
  int awake = 0;
  while (world.step().asleep == 0) ASSERT_LT(++awake, 120);
  // It stands from the start; bodies fall asleep together.
  EXPECT_NEAR(awake, 30, 6);
  EXPECT_EQ(world.statistics().asleep, 3);
  const WorldState before = world.save();
  run(world, 1.0);
  for (std::size_t i = 0; i < before.bodies.size(); ++i)
    EXPECT_EQ(world.bodies()[i].motion(), before.bodies[i]);
  EXPECT_EQ(world.statistics().kinetic_energy, 0.0);
}

TEST(Sleep, ContactsStayAsTheyWere) {
  World world = tower();
  run(world, 0.4);
  ASSERT_EQ(world.statistics().asleep, 0);
  const std::size_t points = world.contacts().size();
  const double load = world.contacts()[0].normal_impulse;
  for (int i = 0; i < 120; ++i) {
    world.step();
    EXPECT_EQ(world.touching().size(), 3u);
    EXPECT_TRUE(world.touches_begun().empty());
    EXPECT_TRUE(world.touches_ended().empty());
  }
  ASSERT_EQ(world.statistics().asleep, 3);
  ASSERT_EQ(world.contacts().size(), points);
  EXPECT_NEAR(world.contacts()[0].normal_impulse, load, 4e-4 * load);
  EXPECT_TRUE(
      std::is_sorted(world.contacts().begin(), world.contacts().end(),
                     [](const Contact& x, const Contact& y) { return x.body_a < y.body_a; }));
}

/// Contacts of these two bodies and all between.
std::vector<Contact> contacts_of(const World& world, BodyId first, BodyId last) {
  std::vector<Contact> result;
  std::copy_if(world.contacts().begin(), world.contacts().end(), std::back_inserter(result),
               [&](const Contact& c) { return c.body_b >= first && c.body_b <= last; });
  return result;
}

TEST(Sleep, OthersComeAndGoWithoutWakingIt) {
  World world(sleepy());
  add_ground(world);
  const BodyId early = add_body(world, Sphere(0.5), {20, 0, 0.5});
  const BodyId low = 10, high = 11;
  for (const BodyId id : {low, high}) {
    BodyDefinition box{Box({1, 1, 1}), Pose::translation({0, 0, id == low ? 0.5 : 1.5})};
    box.id = id;
    world.add(box);
  }
  run(world, 1.0);
  ASSERT_EQ(world.statistics().asleep, 3);
  const std::vector<Contact> before = contacts_of(world, low, high);
  ASSERT_EQ(before.size(), 8u);
  world.remove(early);
  BodyDefinition other{Box({1, 1, 1}), Pose::translation({30, 0, 0.5}), {1, 0, 0}};
  for (int step = 0; step < 6; ++step) {
    // Between the ground and the two in the world's list.
    other.id = static_cast<BodyId>(4 + step / 2);
    other.pose = Pose::translation({30.0 + 2.0 * step, 0, 0.5});
    if (step % 2 == 0) world.add(other);
    EXPECT_EQ(world.step().asleep, 2);
    const std::vector<Contact> now = contacts_of(world, low, high);
    ASSERT_EQ(now.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(now[i].body_a, before[i].body_a);
      EXPECT_EQ(now[i].body_b, before[i].body_b);
      EXPECT_EQ(now[i].point, before[i].point);
      EXPECT_EQ(now[i].normal_impulse, before[i].normal_impulse);
    }
  }
}

TEST(Sleep, LoadsOfWhatSleepsKeepTheSubsteps) {
  World world(sleepy());
  add_ground(world);
  Material heavy;
  heavy.density = 1e5;
  add_body(world, Box({1, 1, 1}), {0, 0, 0.5});
  add_body(world, Box({1, 1, 1}), {0, 0, 1.5}, heavy);
  run(world, 3.0);
  ASSERT_EQ(world.statistics().asleep, 2);
  const int substeps = world.statistics().substeps;
  EXPECT_GT(substeps, world.settings().substeps);
  run(world, 2.0);
  EXPECT_EQ(world.statistics().substeps, substeps);
}

TEST(Sleep, WhatSlidesOrTurnsStaysAwake) {
  World world(sleepy());
  Material ice;
  ice.friction = 0.0;
  add_ground(world, ice);
  const BodyId slides = add_body(world, Box({1, 1, 1}), {0, 0, 0.5}, ice, {0.02, 0, 0});
  const BodyId turns = add_body(world, Box({1, 1, 1}), {5, 0, 0.5}, ice);
  world.set_velocity(turns, {}, {0, 0, 0.02});
  run(world, 3.0);
  EXPECT_TRUE(world.body(slides).is_awake());
  EXPECT_TRUE(world.body(turns).is_awake());
  EXPECT_NEAR(world.body(slides).center_of_mass().x, 0.06, 2e-13);
}

/// A change that leaves a sleeping tower without rest.
struct Call {
  const char* name;
  std::function<void(World&)> change;
};

TEST(Sleep, CallsWakeTheWholeTower) {
  const Call calls[] = {
      {"impulse", [](World& w) { w.apply_impulse(4, {0, 0, 1}, {0, 0, 2.5}); }},
      {"velocity", [](World& w) { w.set_velocity(4, {0.1, 0, 0}, {}); }},
      {"force", [](World& w) { w.apply_force(4, {0, 0, 1}); }},
      {"torque", [](World& w) { w.apply_torque(3, {0, 0, 1}); }},
      {"constant force", [](World& w) { w.set_constant_force(4, {0, 0, 1}, {}); }},
      {"pose of a body", [](World& w) { w.set_pose(3, w.body(3).pose()); }},
      {"pose of the ground", [](World& w) { w.set_pose(1, Pose::translation({0, 0, -1e-6})); }},
      {"material", [](World& w) { w.set_material(1, {}); }},
      {"surfaces", [](World& w) { w.set_surface_pair(1, 2, SurfacePair{}); }},
      {"exclusion", [](World& w) { w.exclude(1, 2); }},
      {"another body", [](World& w) { add_body(w, Box({1, 1, 1}), {0, 0, 3.5}); }},
      {"ground removed", [](World& w) { w.remove(1); }},
      {"body removed", [](World& w) { w.remove(4); }},
      {"joint",
       [](World& w) {
         w.add_joint(joint_at(JointType::ball, w.body(1), w.body(4), {}, {0, 0, 1}));
       }},
  };
  for (const Call& call : calls) {
    World world = sleeping_tower();
    call.change(world);
    EXPECT_EQ(world.step().asleep, 0) << call.name;
  }
}

TEST(Sleep, AFixedBodyThatIsPutThereWakesIt) {
  for (const bool moved : {false, true}) {
    World world = sleeping_tower();
    BodyDefinition post{Box({0.2, 0.2, 4}), Pose::translation({moved ? 9.0 : 0.55, 0, 2})};
    post.type = BodyType::fixed;
    const BodyId id = world.add(post);
    if (moved) {
      EXPECT_EQ(world.step().asleep, 3);
      world.set_pose(id, Pose::translation({0.55, 0, 2}));
    }
    EXPECT_EQ(world.step().asleep, 0) << moved;
    run(world, 1.0);
    EXPECT_LT(world.body(2).center_of_mass().x, -0.04) << moved;
  }
}

TEST(Sleep, WhatLosesItsSupportFalls) {
  World world = sleeping_tower();
  const double before = lowest(world);
  world.remove(1);
  run(world, 0.5);
  EXPECT_NEAR(lowest(world), before - 0.5 * 9.81 * 0.25, 0.02);
}

TEST(Sleep, WhatLosesAYoungerSupportFalls) {
  World world(sleepy());
  const BodyId box = add_body(world, Box({1, 1, 1}), {0, 0, 0.5});
  const BodyId ground = add_ground(world);
  run(world, 1.0);
  ASSERT_TRUE(world.body(box).is_asleep());
  world.remove(ground);
  run(world, 0.5);
  EXPECT_LT(world.body(box).center_of_mass().z, -0.5);
}

TEST(Sleep, AnImpactMovesWhatSlept) {
  WorldSettings settings = sleepy();
  settings.gravity = {};
  World world(settings);
  Material elastic;
  elastic.restitution = 1.0;
  const BodyId target = add_body(world, Sphere(0.5), {}, elastic);
  run(world, 1.0);
  ASSERT_TRUE(world.body(target).is_asleep());
  const BodyId ball = add_body(world, Sphere(0.5), {-3, 0, 0}, elastic, {10, 0, 0});
  run(world, 1.0);
  EXPECT_NEAR(world.body(target).linear_velocity().x, 10.0, 1e-9);
  EXPECT_NEAR(world.body(ball).linear_velocity().x, 0.0, 1e-9);
}

TEST(Sleep, ATowerThatWakesStaysWhereItStands) {
  World world = sleeping_tower();
  const WorldState before = world.save();
  world.set_pose(3, world.body(3).pose());
  double most = 0.0;
  for (int i = 0; i < 20; ++i) most = std::max(most, world.step().max_speed);
  EXPECT_EQ(world.statistics().asleep, 0);
  EXPECT_LT(most, 3e-6);
  for (std::size_t i = 0; i < before.bodies.size(); ++i)
    EXPECT_LT(norm(world.bodies()[i].center_of_mass() - before.bodies[i].position), 1e-7);
}

TEST(Sleep, ALedBodyKeepsAwakeWhatItCarries) {
  World world(sleepy());
  BodyDefinition belt{Box({10, 2, 1}), Pose::translation({0, 0, -0.5}), {0.005, 0, 0}};
  belt.type = BodyType::kinematic;
  const BodyId led = world.add(belt);
  const BodyId box = add_body(world, Box({1, 1, 1}), {0, 0, 0.5});
  run(world, 3.0);
  EXPECT_TRUE(world.body(box).is_awake());
  EXPECT_NEAR(world.body(box).center_of_mass().x, 0.015, 1e-4);
  world.set_velocity(led, {}, {});
  run(world, 1.0);
  EXPECT_TRUE(world.body(box).is_asleep());
  world.set_velocity(led, {1, 0, 0}, {});
  run(world, 1.0);
  EXPECT_TRUE(world.body(box).is_awake());
  EXPECT_GT(world.body(box).linear_velocity().x, 0.9);
}

TEST(Sleep, JointedBodiesSleepAndWakeTogether) {
  World world(sleepy());
  BodyDefinition hook{Sphere(0.1), Pose::translation({0, 0, 5})};
  hook.type = BodyType::fixed;
  BodyId above = world.add(hook);
  std::vector<BodyId> links;
  for (int i = 0; i < 4; ++i) {
    const BodyId link = add_body(world, Box({0.2, 0.2, 0.5}), {0, 0, 4.75 - 0.5 * i});
    world.add_joint(joint_at(JointType::ball, world.body(above), world.body(link),
                             {0, 0, 5.0 - 0.5 * i}, {0, 0, 1}));
    links.push_back(above = link);
  }
  run(world, 1.0);
  EXPECT_EQ(world.statistics().asleep, 4);
  const double pull = norm(world.joints()[0].force);
  EXPECT_NEAR(pull, 9.81 * 4 * world.body(links[0]).mass().mass, 9e-15 * pull);
  world.apply_impulse(links.back(), {50, 0, 0}, world.body(links.back()).center_of_mass());
  EXPECT_EQ(world.step().asleep, 0);
  run(world, 0.2);
  EXPECT_GT(norm(world.body(links[0]).linear_velocity()), 0.01);
}

/// A pile that falls asleep in parts, and into which balls are thrown.
World pile(int threads) {
  WorldSettings settings = sleepy(0.25);
  settings.max_threads = threads;
  settings.sleep_speed = 0.05;
  World world(settings);
  Material rough;
  rough.friction = 0.6;
  rough.rolling_friction = rough.torsional_friction = 0.05;
  test::add_pile(world, 60, 1.5, rough);
  return world;
}

std::vector<std::uint64_t> hashes(World& world, int steps) {
  std::vector<std::uint64_t> result;
  for (int i = 0; i < steps; ++i) {
    world.step();
    result.push_back(world.state_hash());
  }
  return result;
}

TEST(Sleep, SameBitsForAnyThreadsAndContinued) {
  World one = pile(1), two = pile(2);
  run(one, 5.0);
  run(two, 5.0);
  ASSERT_GT(one.statistics().asleep, 10);
  for (World* world : {&one, &two}) add_body(*world, Sphere(0.2), {0.1, 0.1, 4.0}, {}, {0, 0, -5});
  World continued = pile(2);
  add_body(continued, Sphere(0.2), {0.1, 0.1, 4.0}, {}, {0, 0, -5});
  continued.restore(one.save());
  const auto expected = hashes(one, 120);
  EXPECT_EQ(hashes(two, 120), expected);
  EXPECT_EQ(hashes(continued, 120), expected);
}

TEST(Sleep, AWorldThatNeverSleepsWakesWhatItTakesOver) {
  const World asleep = sleeping_tower();
  World world = tower({});
  world.restore(asleep.save());
  EXPECT_EQ(world.step().asleep, 0);
  world.remove(1);
  run(world, 0.5);
  EXPECT_LT(lowest(world), 0.0);
}

TEST(Sleep, BadStatesAreRefused) {
  World world = sleeping_tower();
  const WorldState good = world.save();
  WorldState moves = good, early = good;
  moves.bodies[2].linear_velocity = {1, 0, 0};
  early.bodies[2].rest_time = -1.0;
  for (const WorldState& bad : {moves, early})
    EXPECT_NE(refusal([&] { world.restore(bad); }).find("bodies"), std::string::npos);
  EXPECT_EQ(world.save(), good);
}

TEST(Sleep, BadSettingsAreNamed) {
  EXPECT_NE(refusal([] { World(sleepy(-1.0)); }).find("sleep_time"), std::string::npos);
  WorldSettings settings;
  settings.sleep_speed = std::nan("");
  EXPECT_NE(refusal([&] { World{settings}; }).find("sleep_speed"), std::string::npos);
}

TEST(Sleep, AGroupIsNamedByItsFirstBody) {
  // The ground comes first; the three boxes hang together whatever the order of the links.
  World world = tower();
  const BodyId alone = add_body(world, Sphere(0.5), {10, 0, 0.5});
  std::vector<Body> bodies(world.bodies().begin(), world.bodies().end());
  for (Body& body : bodies)
    if (body.is_dynamic()) detail::BodyAccess::fall_asleep(body);
  const Sleep::Link links[] = {{2, 3}, {1, 2}, {0, 1}};
  Sleep sleep;
  const std::uint32_t disturbed[] = {3};
  sleep.wake(bodies, links, disturbed);
  for (const Body& body : bodies) EXPECT_EQ(body.is_asleep(), body.id() == alone);
}

}  // namespace
}  // namespace tactus::detail
