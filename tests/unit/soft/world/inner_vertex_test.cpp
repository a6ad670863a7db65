// No vertex of a solid ends in a half-space, those within it neither.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/deform.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

Vec3 direction_down(Random& random) {
  const double x = random.uniform(-0.7, 0.7), y = random.uniform(-0.7, 0.7);
  return normalized(Vec3{x, y, -1.0});
}

/// Solids with vertices inside, as soft as rubber and softer, thrown into a corner of up to three
/// half-spaces so fast that they are pressed flat.
TEST(InnerVertices, StayOutOfHalfSpaces) {
  Random random(12);
  const int runs = test::effort(12);
  int pressed = 0;
  for (int run = 0; run < runs; ++run) {
    SCOPED_TRACE(run);
    DeformableSettings settings;
    settings.max_threads = 1;
    settings.sweeps = 10;
    settings.rounds = 4;
    DeformableWorld world(settings);
    const TetrahedralMesh solid =
        run % 2 == 0 ? tetrahedral_box({0.4, 0.4, 0.4}, {2, 2, 2}) : tetrahedral_sphere(0.25, 0.15);
    DeformableDefinition d;
    d.vertices = solid.vertices;
    d.tetrahedra = solid.tetrahedra;
    d.material.young = std::pow(10.0, random.uniform(2.0, 5.0));
    if (run % 3 == 0) d.material.model = DeformableModel::mass_spring;
    d.pose = Pose::translation({0.6, 0.6, 0.6});
    d.linear_velocity = direction_down(random) * random.uniform(5.0, 40.0);
    world.add(d);
    const Vec3 normals[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    const std::uint32_t floors = 1 + random.below(3);
    for (std::uint32_t i = 0; i < floors; ++i) world.add_obstacle({HalfSpace(normals[i], 0.0)});
    double least = std::numeric_limits<double>::infinity();
    for (int step = 0; step < 20; ++step) {
      require_done(world.step());
      for (const Vec3& x : world.positions(0)) {
        for (std::uint32_t i = 0; i < floors; ++i) least = std::min(least, dot(normals[i], x));
      }
      EXPECT_TRUE(world.crossings().empty());
    }
    EXPECT_GT(least, 0.0);
    if (least < 0.05) ++pressed;
  }
  EXPECT_GT(pressed, runs / 2);
}

// An inner vertex in a half-space is reported by `crossings`, and `step` refuses the start.
TEST(InnerVertices, OneThatStartsInAHalfSpaceIsRefused) {
  TetrahedralMesh solid = tetrahedral_box({1, 1, 1}, {2, 2, 2});
  DeformableDefinition d;
  d.vertices = solid.vertices;
  d.tetrahedra = solid.tetrahedra;
  d.pose = Pose::translation({0, 0, 1});
  DeformableWorld world;
  world.add(d);
  world.add_obstacle({HalfSpace({0, 0, 1}, 0.0)});
  DeformableState state = world.save();
  // The vertex in the middle.
  for (Vec3& x : state.positions) {
    if (norm(x - Vec3{0, 0, 1}) < 1e-9) x = {0, 0, -0.1};
  }
  world.restore(state);
  ASSERT_EQ(world.crossings().size(), 1u);
  EXPECT_THROW(world.step(), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail
