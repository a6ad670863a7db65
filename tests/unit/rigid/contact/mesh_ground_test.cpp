// Bodies on a mesh, whose contacts are kept from step to step: worlds that continue and other
// numbers of threads have the same bits.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>

#include "tactus/core/random.hpp"
#include "tactus/world.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

TriangleMesh hills() {
  TriangleMesh mesh;
  constexpr std::uint32_t kCells = 8;
  for (std::uint32_t y = 0; y <= kCells; ++y)
    for (std::uint32_t x = 0; x <= kCells; ++x)
      mesh.vertices.push_back({1.0 * x - 4.0, 1.0 * y - 4.0, 0.2 * std::sin(1.1 * x + 0.7 * y)});
  for (std::uint32_t y = 0; y < kCells; ++y) {
    for (std::uint32_t x = 0; x < kCells; ++x) {
      const std::uint32_t a = y * (kCells + 1) + x;
      mesh.triangles.push_back({a, a + 1, a + kCells + 2});
      mesh.triangles.push_back({a, a + kCells + 2, a + kCells + 1});
    }
  }
  return mesh;
}

World hilly_world(int threads) {
  WorldSettings settings;
  settings.max_threads = threads;
  settings.substeps = 4;
  World world(settings);
  BodyDefinition ground{Mesh(hills())};
  ground.type = BodyType::fixed;
  world.add(ground);
  Random random(81);
  int i = 0;
  for (const Shape& shape : every_convex_shape(random)) {
    if (shape.type() == ShapeType::custom) continue;
    BodyDefinition body{shape};
    body.pose =
        Pose(Vec3{-2.0 + 1.2 * (i % 4), -2.0 + 1.2 * (i / 4), 0.9}, random_rotation(random));
    body.material.rolling_friction = 0.2;
    world.add(body);
    ++i;
  }
  return world;
}

void step(World& world, int steps) {
  for (int i = 0; i < steps; ++i) world.step();
}

TEST(MeshGround, AWorldThatContinuesHasTheSameBits) {
  for (const int at : {25, 70}) {
    World again = hilly_world(1);
    step(again, at);
    const WorldState state = again.save();
    World later = hilly_world(1);
    later.restore(state);
    step(later, 10);
    step(again, 10);
    EXPECT_EQ(later.state_hash(), again.state_hash()) << at;
  }
}

TEST(MeshGround, ThreadsChangeNoBit) {
  World one = hilly_world(1), three = hilly_world(3);
  step(one, 60);
  step(three, 60);
  EXPECT_EQ(one.state_hash(), three.state_hash());
}

// Bodies lie on the ground as deep as the contacts let them, and do not sink while these are kept.
TEST(MeshGround, BodiesAtRestStayWhereTheyAre) {
  World world = hilly_world(1);
  step(world, 150);
  const double before = world.statistics().deepest_penetration;
  step(world, 50);
  EXPECT_LT(before, 2e-3);
  EXPECT_LT(world.statistics().deepest_penetration, before + 1e-4);
  for (const Body& body : world.bodies()) EXPECT_GT(body.center_of_mass().z, -0.5);
}

}  // namespace
}  // namespace tactus::detail
