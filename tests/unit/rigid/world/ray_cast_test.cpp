#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tactus/query.hpp"
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

/// The nearest by (distance, id) of single casts.
std::optional<RayHit> by_single_casts(const World& world, const Vec3& origin, const Vec3& unit,
                                      double most) {
  std::optional<RayHit> nearest;
  for (const Body& body : world.bodies()) {
    const CastResult hit = ray_cast(body.shape(), body.pose(), origin, unit, most);
    if (hit.hit == Overlap::no || (nearest && nearest->distance <= hit.time)) continue;
    nearest = RayHit{body.id(), hit.time, {}, hit.normal, hit.part_a};
  }
  return nearest;
}

// The first rays after a change look at all bodies, later ones ask the tree.
TEST(WorldRayCast, EveryRayFindsTheNearestOfSingleCastsHoweverManyThereAre) {
  World world;
  test::add_ground(world);
  Random random(3);
  for (int i = 0; i < 150; ++i) {
    Vec3 place;
    for (int axis = 0; axis < 3; ++axis) place[axis] = random.uniform(0.5, 4.0);
    const BodyId id = test::add_body(world, test::mixed_shape(i), place);
    world.set_pose(id, Pose(place, test::random_rotation(random)));
  }
  // Two balls in one place: the lower id is met.
  test::add_body(world, Sphere(0.3), {6.0, 6.0, 6.0});
  test::add_body(world, Sphere(0.3), {6.0, 6.0, 6.0});
  int hits = 0;
  for (int change = 0; change < 2; ++change) {
    for (int i = 0; i < 200; ++i) {
      Vec3 origin, goal;
      for (int axis = 0; axis < 3; ++axis) {
        origin[axis] = random.uniform(-1.0, 6.0);
        goal[axis] = i % 10 == 0 ? 6.0 : random.uniform(0.0, 4.0);
      }
      const Vec3 unit = normalized(goal - origin);
      const double most = i % 2 == 0 ? std::numeric_limits<double>::infinity() : 2.5;
      const auto found = world.ray_cast(origin, unit, most);
      const auto expected = by_single_casts(world, origin, unit, most);
      ASSERT_EQ(found.has_value(), expected.has_value()) << i;
      if (!found) continue;
      EXPECT_EQ(found->body, expected->body) << i;
      EXPECT_NEAR(found->distance, expected->distance, 3e-13) << i;
      EXPECT_EQ(found->part, expected->part) << i;
      ++hits;
    }
    // The tree must not outlive the change.
    for (const Body& body : world.bodies()) {
      if (body.is_dynamic())
        world.set_pose(body.id(), Pose::translation(body.pose().position() + Vec3{0.3, -0.2, 0.1}));
    }
  }
  EXPECT_GT(hits, 150);
}

}  // namespace
}  // namespace tactus::detail
