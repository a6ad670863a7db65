#include <gtest/gtest.h>

#include <cmath>

#include "tactus/world.hpp"
#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::add_ground;

BodyId add_sensor(World& world, const Shape& shape, const Vec3& place,
                  BodyType type = BodyType::fixed) {
  BodyDefinition sensor{shape, Pose::translation(place)};
  sensor.type = type;
  sensor.sensor = true;
  return world.add(sensor);
}

TEST(Touch, ASensorSeesABallFallThrough) {
  World world, alone;
  const BodyId ball = add_body(world, Sphere(0.5), {0, 0, 3});
  add_body(alone, Sphere(0.5), {0, 0, 3});
  const BodyId gate = add_sensor(world, Box({4, 4, 0.5}), {0, 0, 0});
  int begun = 0, ended = 0;
  for (int i = 0; i < 120; ++i) {
    world.step();
    alone.step();
    EXPECT_EQ(world.body(ball).motion(), alone.bodies()[0].motion());
    const bool inside = std::fabs(world.body(ball).center_of_mass().z) <= 0.75;
    ASSERT_EQ(world.touching().size(), inside ? 1u : 0u) << i;
    begun += static_cast<int>(world.touches_begun().size());
    ended += static_cast<int>(world.touches_ended().size());
    if (inside) {
      EXPECT_EQ(world.touching()[0], (TouchingPair{ball, gate}));
    }
  }
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(ended, 1);
  EXPECT_TRUE(world.contacts().empty());
}

TEST(Touch, AMovingSensorFallsThroughTheGround) {
  World world;
  const BodyId ground = add_ground(world);
  const BodyId ghost = add_sensor(world, Sphere(0.25), {0, 0, 1}, BodyType::dynamic_body);
  test::run(world, 1.0);
  EXPECT_NEAR(world.body(ghost).center_of_mass().z, 1.0 - 0.5 * 9.81, 3e-12);
  ASSERT_EQ(world.touching().size(), 1u);
  EXPECT_EQ(world.touching()[0], (TouchingPair{ground, ghost}));
  EXPECT_TRUE(world.overlaps(0.0).empty());
}

TEST(Touch, ABounceWithinAStepIsNoticed) {
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  Material bouncy;
  bouncy.restitution = 1.0;
  add_ground(world, bouncy);
  const BodyId ball = add_body(world, Sphere(0.1), {0, 0, 0.5}, bouncy, {0, 0, -30});
  int begun = 0, ended = 0;
  for (int i = 0; i < 4; ++i) {
    world.step();
    begun += static_cast<int>(world.touches_begun().size());
    ended += static_cast<int>(world.touches_ended().size());
  }
  EXPECT_GT(world.body(ball).linear_velocity().z, 29.0);
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(ended, 1);
}

TEST(Touch, RestingBodiesGoOnTouching) {
  World world;
  const BodyId ground = add_ground(world);
  const BodyId low = add_body(world, Box({1, 1, 1}), {0, 0, 0.5});
  const BodyId high = add_body(world, Box({1, 1, 1}), {0, 0, 1.5});
  test::run(world, 1.0);
  const TouchingPair pairs[] = {{ground, low}, {low, high}};
  ASSERT_EQ(world.touching().size(), 2u);
  EXPECT_EQ(world.touching()[0], pairs[0]);
  EXPECT_EQ(world.touching()[1], pairs[1]);
  EXPECT_TRUE(world.touches_begun().empty());
  EXPECT_TRUE(world.touches_ended().empty());

  world.remove(high);
  EXPECT_EQ(world.touching().size(), 1u);
  world.step();
  ASSERT_EQ(world.touches_ended().size(), 1u);
  EXPECT_EQ(world.touches_ended()[0], pairs[1]);

  world.restore(world.save());
  EXPECT_TRUE(world.touching().empty());
  world.step();
  ASSERT_EQ(world.touches_begun().size(), 1u);
  EXPECT_EQ(world.touches_begun()[0], pairs[0]);
}

}  // namespace
}  // namespace tactus::detail
