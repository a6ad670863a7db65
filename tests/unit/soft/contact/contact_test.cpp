#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/deform.hpp"
#include "tests/support/effort.hpp"
#include "tests/unit/soft/sheet.hpp"

namespace tactus::detail {
namespace {

using detail::test::effort;
using detail::test::sheet;

DeformableDefinition solid(const TetrahedralMesh& mesh, double young, const Pose& pose,
                           const Vec3& velocity = {}) {
  DeformableDefinition d;
  d.vertices = mesh.vertices;
  d.tetrahedra = mesh.tetrahedra;
  d.material.young = young;
  d.pose = pose;
  d.linear_velocity = velocity;
  return d;
}

ObstacleDefinition floor_at(double z) { return {HalfSpace({0, 0, 1}, z)}; }

struct Watch {
  int crossings = 0, grown = 0;
  void run(DeformableWorld& world, int steps) {
    for (int k = 0; k < steps; ++k) {
      const double before = world.step_count() == 0 ? INFINITY : world.statistics().energy();
      const DeformableStatistics& s = world.step();
      crossings += static_cast<int>(world.crossings().size());
      grown += s.energy() > before + 1e-11 * std::fabs(before) ? 1 : 0;
    }
  }
};

TEST(DeformableContact, CubeComesToRestOnTheFloor) {
  DeformableWorld world;
  world.add(
      solid(tetrahedral_box({0.4, 0.4, 0.4}, {4, 4, 4}), 1e5, Pose::translation({0, 0, 0.5})));
  world.add_obstacle(floor_at(0.0));
  Watch w;
  w.run(world, 200);
  EXPECT_EQ(w.crossings, 0);
  EXPECT_EQ(w.grown, 0);
  // At rest: its weight presses the lowest vertices to the floor.
  EXPECT_LT(world.statistics().largest_speed, 1e-3);
  double lowest = 1.0;
  for (const Vec3& v : world.positions(0)) lowest = std::fmin(lowest, v.z);
  EXPECT_GT(lowest, 0.0);
  EXPECT_LT(lowest, world.contact_distance());
}

TEST(DeformableContact, BallsPileUp) {
  DeformableWorld world;
  const TetrahedralMesh ball = tetrahedral_sphere(0.2, 0.1);
  for (int k = 0; k < 4; ++k)
    world.add(
        solid(ball, 5e4, Pose::translation({0.03 * (k % 2), 0.02 * (k / 2), 0.25 + 0.45 * k})));
  world.add_obstacle(floor_at(0.0));
  Watch w;
  w.run(world, effort(60));
  EXPECT_EQ(w.crossings, 0);
  EXPECT_EQ(w.grown, 0);
}

TEST(DeformableContact, ClothFallsOnASphere) {
  DeformableWorld world;
  world.add(sheet(1.2, 24, {0.01, 0.02, 0.45}));
  world.add_obstacle({Sphere(0.35)});
  world.add_obstacle(floor_at(-0.5));
  Watch w;
  w.run(world, effort(60));
  EXPECT_EQ(w.crossings, 0);
  EXPECT_EQ(w.grown, 0);
}

TEST(DeformableContact, NothingIsFastEnoughToPassAMembrane) {
  TACTUS_LONG_TEST();
  for (const double speed : {1.0, 30.0, 1000.0, 1e5}) {
    DeformableSettings settings;
    settings.gravity = {};
    DeformableWorld world(settings);
    DeformableDefinition membrane = sheet(1.0, 10, {});
    for (std::uint32_t i = 0; i < membrane.vertices.size(); ++i) {
      const Vec3 v = membrane.vertices[i];
      if (std::fabs(v.x) > 0.49 || std::fabs(v.y) > 0.49) membrane.fixed.push_back(i);
    }
    membrane.material.young = 1e6;
    world.add(membrane);
    TetrahedralMesh tetrahedron{{{-0.1, -0.1, 0}, {0.1, -0.1, 0}, {0, 0.1, 0}, {0, 0, 0.2}},
                                {{0, 1, 2, 3}}};
    world.add(solid(tetrahedron, 1e5, Pose::translation({0.013, 0.017, 0.7}), {0, 0, -speed}));
    Watch w;
    w.run(world, 60);
    EXPECT_EQ(w.crossings, 0);
    EXPECT_EQ(w.grown, 0);
    double highest = -1.0;
    for (const Vec3& v : world.positions(1)) highest = std::fmax(highest, v.z);
    EXPECT_GT(highest, -0.05);
  }
}

}  // namespace
}  // namespace tactus::detail
