// A ball that rolls on one face of a mesh meets the other one: within a step the patch of the wall
// was taken for that of the floor, which is nearer, and the ball rolled through.
#include <gtest/gtest.h>

#include <algorithm>

#include "tactus/world.hpp"

namespace tactus {
namespace {

TEST(MeshWall, ABallThatRollsOnItsFloorDoesNotPassIt) {
  TriangleMesh room;
  room.vertices = {{-2, -2, 0}, {2, -2, 0}, {2, 1, 0}, {-2, 1, 0}, {2, 1, 2}, {-2, 1, 2}};
  room.triangles = {{0, 1, 2}, {0, 2, 3}, {3, 2, 4}, {3, 4, 5}};
  for (int start = 0; start < 8; ++start) {
    for (const double speed : {3.0, 8.0, 12.0, 24.0}) {
      World world;
      BodyDefinition walls{Mesh(room)};
      walls.type = BodyType::fixed;
      world.add(walls);
      BodyDefinition ball{Sphere(0.11), Pose::translation({0, -0.6 - 0.0311 * start, 0.11})};
      ball.linear_velocity = {0, speed, 0};
      ball.angular_velocity = {-speed / 0.11, 0, 0};
      const BodyId id = world.add(ball);
      double deepest = 0.0;
      for (int step = 0; step < 60; ++step)
        deepest = std::max(deepest, world.step().deepest_relative_penetration);
      EXPECT_LT(deepest, 1e-3) << start << ", " << speed;
      EXPECT_LT(world.body(id).center_of_mass().y, 1.0) << start << ", " << speed;
    }
  }
}

}  // namespace
}  // namespace tactus
