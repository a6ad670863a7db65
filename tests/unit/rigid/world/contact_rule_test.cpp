// One-way bodies, and rules that decide on contacts.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

BodyId add_one_way(World& world, const Shape& shape, const Pose& pose, const Vec3& side) {
  BodyDefinition body{shape, pose};
  body.type = BodyType::fixed;
  body.one_way = side;
  return world.add(body);
}

TEST(OneWay, HoldsFromItsSideAndLetsThroughFromBelow) {
  Random random(3);
  for (int i = 0; i < test::effort(16); ++i) {
    // Gravity and the direction may be turned together.
    World world;
    const double thickness = i % 2 == 0 ? 0.1 : 0.6;
    add_one_way(world, Box({4, 4, thickness}), Pose::translation({0, 0, -0.5 * thickness}),
                {0, 0, 2});
    const Shape shape = test::mixed_shape(i);
    const BodyId above = test::add_body(world, shape, {-1, 0, 1.0});
    const BodyId below = test::add_body(world, shape, {1, 0, -1.2 - thickness}, {},
                                        {0, 0, random.uniform(7.0, 9.0)});
    double highest = -9.0;
    for (int k = 0; k < 150; ++k) {
      require_done(world.step());
      highest = std::max(highest, world.body(below).center_of_mass().z);
    }
    EXPECT_GT(highest, 0.5) << i;
    EXPECT_GT(world.body(below).center_of_mass().z, 0.0) << i;
    EXPECT_GT(world.body(above).center_of_mass().z, 0.0) << i;
    EXPECT_LT(world.body(below).center_of_mass().z, 0.6) << i;
  }
}

TEST(OneWay, LetsAFallFromWithinGoOnAndHoldsFastOnes) {
  World world;
  add_one_way(world, Box({4, 4, 0.05}), Pose::translation({0, 0, -0.025}), {0, 0, 1});
  // Set down half way through.
  const BodyId half = test::add_body(world, Box({0.4, 0.4, 0.4}), {0, 0, 0});
  const BodyId fast = test::add_body(world, Sphere(0.05), {1, 0, 3}, {}, {0, 0, -200});
  test::run(world, 0.5);
  EXPECT_LT(world.body(half).center_of_mass().z, -0.5);
  EXPECT_GT(world.body(fast).center_of_mass().z, 0.0);
  // From its side at any speed; from the other one it passes at any speed.
  world.set_pose(fast, Pose::translation({1, 0, -3}));
  world.set_velocity(fast, {0, 0, 200}, {});
  test::run(world, 0.1);
  EXPECT_GT(world.body(fast).center_of_mass().z, 10.0);
  EXPECT_EQ(world.body(fast).linear_velocity().x, 0.0);
}

TEST(ContactRule, ChangesSurfacesAndIgnoresContacts) {
  World world;
  const BodyId floor = test::add_ground(world, {.friction = 1.0});
  const BodyId slides =
      test::add_body(world, Box({0.4, 0.4, 0.2}), {0, 0, 0.1}, {.friction = 1.0}, {2, 0, 0});
  const BodyId stops =
      test::add_body(world, Box({0.4, 0.4, 0.2}), {0, 3, 0.1}, {.friction = 1.0}, {2, 0, 0});
  const BodyId sinks = test::add_body(world, Sphere(0.2), {0, 6, 0.2});
  const BodyId bounces = test::add_body(world, Sphere(0.2), {0, 9, 1.2});
  world.set_contact_rule([=](const FoundContact& contact, ContactTerms& terms) {
    EXPECT_EQ(contact.body_a.id(), floor);
    EXPECT_GT(contact.manifold.normal.z, 0.99);
    if (contact.body_b.id() == slides) terms.surface.friction = 0.0;
    if (contact.body_b.id() == sinks) terms.ignored = true;
    if (contact.body_b.id() == bounces) terms.surface.restitution = 1.0;
  });
  for (int i = 0; i < 60; ++i) {
    require_done(world.step());
    for (const TouchingPair& pair : world.touching()) EXPECT_NE(pair.body_b, sinks);
  }
  EXPECT_NEAR(world.body(slides).center_of_mass().x, 2.0, 1e-9);
  EXPECT_LT(world.body(stops).center_of_mass().x, 0.3);
  EXPECT_LT(world.body(sinks).center_of_mass().z, -3.0);
  const Body& ball = world.body(bounces);
  const double energy = 9.81 * ball.center_of_mass().z + 0.5 * squared_norm(ball.linear_velocity());
  EXPECT_NEAR(energy, 9.81 * 1.2, 0.05);
  world.set_contact_rule({});
  test::run(world, 0.5);
  EXPECT_NEAR(norm(world.body(slides).linear_velocity()), 0.0, 1e-6);
}

TEST(ContactRule, IsAskedBySleepersAnewAndMakesNumbersUsable) {
  WorldSettings settings;
  settings.sleep_time = 0.2;
  World world(settings);
  test::add_ground(world);
  const BodyId box = test::add_body(world, Box({0.4, 0.4, 0.4}), {0, 0, 0.2});
  test::run(world, 1.0);
  EXPECT_TRUE(world.body(box).is_asleep());
  world.set_contact_rule([](const FoundContact&, ContactTerms& terms) {
    terms.surface.friction = std::nan("");
    terms.surface.restitution = 7.0;
  });
  EXPECT_FALSE(world.body(box).is_asleep());
  world.set_velocity(box, {1, 0, 0}, {});
  test::run(world, 0.5);
  EXPECT_NEAR(world.body(box).linear_velocity().x, 1.0, 1e-9);
  world.set_contact_rule([](const FoundContact&, ContactTerms& terms) { terms.ignored = true; });
  test::run(world, 0.5);
  EXPECT_LT(world.body(box).center_of_mass().z, -0.5);
}

TEST(ContactRule, GivesTheSameForAnyThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 3}) {
    WorldSettings settings;
    settings.max_threads = threads;
    World world(settings);
    test::add_pile(world, 40, 2.0, {});
    add_one_way(world, Box({2, 2, 0.1}), Pose::translation({0, 0, 0.8}), {0, 0, 1});
    world.set_contact_rule([](const FoundContact& contact, ContactTerms& terms) {
      terms.surface.friction = 0.1 * static_cast<double>(contact.body_a.id() % 7);
      terms.ignored = terms.ignored || (contact.body_a.id() + contact.body_b.id()) % 11 == 0;
    });
    for (int i = 0; i < 50; ++i) require_done(world.step());
    const WorldState middle = world.save();
    for (int i = 0; i < 10; ++i) require_done(world.step());
    hashes.push_back(world.state_hash());
    world.restore(middle);
    for (int i = 0; i < 10; ++i) require_done(world.step());
    hashes.push_back(world.state_hash());
  }
  EXPECT_EQ(hashes, std::vector<std::uint64_t>(4, hashes.front()));
}

}  // namespace
}  // namespace tactus::detail
