#include <gtest/gtest.h>

#include <cmath>

#include "tactus/world.hpp"
#include "tests/support/meshes.hpp"

// Bodies of which neither is convex, one on the other.
namespace tactus::detail {
namespace {

TEST(MeshPile, RingsOnOneAnotherComeToRest) {
  TriangleMesh torus = test::torus_mesh(10, 6, 0.35);
  for (Vec3& v : torus.vertices) v = v * 0.2;
  const Mesh ring(torus);
  World world;
  BodyDefinition floor{HalfSpace({0, 0, 1}, 0.0)};
  floor.type = BodyType::fixed;
  world.add(floor);
  for (int i = 0; i < 5; ++i) {
    BodyDefinition definition{ring};
    const double turn = 0.9 * i;
    definition.pose = Pose(Vec3{0.12 * std::cos(2.4 * i), 0.12 * std::sin(2.4 * i), 0.3 + 0.4 * i},
                           normalized(Quat{1.0, 0.3 * std::sin(turn), 0.3 * std::cos(turn), 0.1}));
    world.add(definition);
  }
  for (int step = 0; step < 300; ++step) world.step();
  EXPECT_GT(world.statistics().deepest_penetration, 0.0);
  EXPECT_LT(world.statistics().deepest_penetration, 5e-4);
  for (const Body& body : world.bodies()) {
    EXPECT_LT(norm(body.linear_velocity()), 0.002);
    EXPECT_LT(norm(body.angular_velocity()), 0.01);
    EXPECT_GT(body.center_of_mass().z, -1e-3);
  }
}

}  // namespace
}  // namespace tactus::detail
