// Cubes poured into a hopper of triangles left it through the edges where two walls meet: a corner
// of a cube beyond both walls had one contact, whose normal led out.
#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/world.hpp"

namespace tactus {
namespace {

// Four walls from the square of half width 0.1 at height 0 to that of 0.5 at height 0.7, and up; a
// bottom.
TriangleMesh hopper() {
  TriangleMesh mesh;
  for (const auto& [half, height] :
       {std::pair{0.1, 0.0}, std::pair{0.5, 0.7}, std::pair{0.5, 4.0}}) {
    for (const auto& [x, y] :
         {std::pair{-1, -1}, std::pair{1, -1}, std::pair{1, 1}, std::pair{-1, 1}})
      mesh.vertices.push_back({half * x, half * y, height});
  }
  for (std::uint32_t ring = 0; ring < 2; ++ring) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      const std::uint32_t a = 4 * ring + k, b = 4 * ring + (k + 1) % 4;
      mesh.triangles.push_back({a, b + 4, b});
      mesh.triangles.push_back({a, a + 4, b + 4});
    }
  }
  mesh.triangles.push_back({0, 2, 1});
  mesh.triangles.push_back({0, 3, 2});
  return mesh;
}

TEST(HopperCorner, NothingLeavesWhereTwoWallsMeet) {
  WorldSettings settings;
  settings.time_step = 1.0 / 120.0;
  World world(settings);
  BodyDefinition walls{Shape(Mesh(hopper()))};
  walls.type = BodyType::fixed;
  world.add(walls);
  detail::Random random(7);
  std::vector<BodyId> cubes;
  for (int i = 0; i < 48; ++i) {
    BodyDefinition cube{Shape(Box({0.05, 0.05, 0.05}))};
    // Thrown at the edges between the walls.
    const double x = i % 2 == 0 ? 0.3 : -0.3, y = i % 4 < 2 ? 0.3 : -0.3;
    const double w = random.uniform(-1, 1), a = random.uniform(-1, 1), b = random.uniform(-1, 1);
    cube.pose = Pose({x, y, 0.9 + 0.1 * (i / 4)}, normalized(Quat{w, a, b, 0.3}));
    cube.linear_velocity = {4.0 * x, 4.0 * y, -4.0};
    cubes.push_back(world.add(cube));
  }
  for (int step = 0; step < 120; ++step) world.step();
  for (const BodyId id : cubes) {
    const Vec3 p = world.body(id).pose().position();
    const double half = 0.1 + 0.4 * std::min(std::max(p.z, 0.0) / 0.7, 1.0);
    EXPECT_GT(p.z, -0.01);
    EXPECT_LT(std::fabs(p.x), half);
    EXPECT_LT(std::fabs(p.y), half);
  }
}

}  // namespace
}  // namespace tactus
