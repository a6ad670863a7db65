#include <gtest/gtest.h>

#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

TEST(WorldRayCast, NearestBodyInTheMask) {
  World world;
  test::add_ground(world);
  BodyDefinition ghost{Sphere(0.5), Pose::translation({0, 0, 5})};
  ghost.filter.category = 8;
  const BodyId high = world.add(ghost);
  const BodyId low = test::add_body(world, Box({1, 1, 1}), {0, 0, 2});
  const auto first = world.ray_cast({0, 0, 10}, {0, 0, -2}, 100.0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->body, high);
  EXPECT_NEAR(first->distance, 4.5, 1e-12);
  EXPECT_LT(norm(first->point - Vec3{0, 0, 5.5}), 1e-12);
  EXPECT_EQ(world.ray_cast({0, 0, 10}, {0, 0, -1}, 100.0, 1)->body, low);
  EXPECT_EQ(world.ray_cast({3, 0, 10}, {0, 0, -1}, 100.0)->body, world.bodies()[0].id());
  EXPECT_FALSE(world.ray_cast({3, 0, 10}, {0, 0, -1}, 9.0));
  EXPECT_THROW(world.ray_cast({0, 0, 0}, {0, 0, 0}, 1.0), InvalidInput);
  EXPECT_THROW(world.ray_cast({0, 0, 0}, {1, 0, 0}, -1.0), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail
