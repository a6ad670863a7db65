#include <gtest/gtest.h>

#include <cmath>

#include "tactus/world.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"

// Bodies of which neither is convex, one on the other.
namespace tactus::detail {
namespace {

/// Five rings, dropped one after the other, turned by the start.
World rings(int start) {
  TriangleMesh torus = test::torus_mesh(10, 6, 0.35);
  for (Vec3& v : torus.vertices) v = v * 0.2;
  const Mesh ring(torus);
  World world;
  BodyDefinition floor{HalfSpace({0, 0, 1}, 0.0)};
  floor.type = BodyType::fixed;
  world.add(floor);
  for (int i = 0; i < 5; ++i) {
    BodyDefinition definition{ring};
    const double turn = 0.9 * i + start, place = 2.4 * i + start;
    definition.pose = Pose(Vec3{0.12 * std::cos(place), 0.12 * std::sin(place), 0.3 + 0.4 * i},
                           normalized(Quat{1.0, 0.3 * std::sin(turn), 0.3 * std::cos(turn), 0.1}));
    world.add(definition);
  }
  return world;
}

bool rests(const World& world) {
  for (const Body& body : world.bodies()) {
    if (norm(body.linear_velocity()) > 0.002 || norm(body.angular_velocity()) > 0.01) return false;
  }
  return true;
}

// Some rings rock on (docs/algorithms/time-stepping.md says how many); none sinks into another.
TEST(MeshPile, RingsOnOneAnotherComeToRest) {
  TACTUS_LONG_TEST();
  int at_rest = 0;
  for (int start = 0; start < 4; ++start) {
    World world = rings(start);
    for (int step = 0; step < 300; ++step) {
      world.step();
      if (step > 240) {
        EXPECT_LT(world.statistics().deepest_penetration, 5e-3) << start;
      }
    }
    EXPECT_GT(world.statistics().deepest_penetration, 0.0);
    for (const Body& body : world.bodies()) EXPECT_GT(body.center_of_mass().z, -1e-3);
    at_rest += rests(world) ? 1 : 0;
  }
  EXPECT_GE(at_rest, 2);
}

}  // namespace
}  // namespace tactus::detail
