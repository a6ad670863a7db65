// The nearest of triangles whose distances differ by far less than single precision tells.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/core/random.hpp"

namespace tactus::detail::bvh {
namespace {

struct Body {
  TriangleMesh mesh;
  Hierarchy<OrientedBox> tree{mesh};
  MeshView view() const { return {mesh, tree}; }
};

Body floor_mesh() { return {TriangleMesh{{{-8, -8, 0}, {24, -8, 0}, {-8, 24, 0}}, {{0, 1, 2}}}}; }

/// 64 triangles level with the floor, side by side, at the heights 1 + k step in a mixed order.
Body stairs(double step, std::uint32_t first) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint32_t k = (i * 37 + first) % 64;
    const double z = 1.0 + k * step, x = (i % 8) * 0.5, y = (i / 8) * 0.5;
    const auto at = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {{x, y, z}, {x + 0.25, y, z}, {x, y + 0.25, z}});
    mesh.triangles.push_back({at, at + 1, at + 2});
  }
  return {mesh};
}

// The truth is 1, exactly: the coordinates are dyadic and nothing is turned.
TEST(NearTies, TheNearestIsFoundAmongDistancesThatDifferByTenDigits) {
  const Body floor = floor_mesh();
  for (const double step : {std::ldexp(1.0, -36), std::ldexp(1.0, -33), std::ldexp(1.0, -30)}) {
    for (std::uint32_t first = 0; first < 64; ++first) {
      const Body steps = stairs(step, first);
      for (const Strategy strategy :
           {Strategy::automatic, Strategy::naive, Strategy::depth_first, Strategy::representatives,
            Strategy::greedy, Strategy::best_first}) {
        for (const bool turned : {false, true}) {
          const Body& a = turned ? steps : floor;
          const Body& b = turned ? floor : steps;
          MeshDistanceOptions options;
          options.strategy = strategy;
          const MeshDistance d = mesh_distance(a.view(), Pose(), b.view(), Pose(), options);
          // `mesh_distance` promises 1e-14 of the size of the pair, which is some 40.
          ASSERT_NEAR(d.distance, 1.0, 1e-12) << first << " " << to_string(strategy);
          ASSERT_LE(d.lower, 1.0);
          ASSERT_GE(d.upper, 1.0);
          ASSERT_LE(d.upper - d.lower, 2e-12);
        }
      }
    }
  }
}

// Along a motion, from the front of the query before: each pose has another nearest triangle.
TEST(NearTies, AFrontFollowsThem) {
  const Body floor = floor_mesh();
  const double step = std::ldexp(1.0, -33);
  MeshFront front;
  const Body steps = stairs(step, 0);
  for (int i = -40; i <= 40; ++i) {
    // A turn about x that raises one side by no more than a few steps.
    const double tilt = i * step;
    const Pose pose = detail::unchecked_pose({}, {{{1, 0, 0}, {0, 1, -tilt}, {0, tilt, 1}}});
    double truth = std::numeric_limits<double>::infinity();
    for (const Vec3& v : steps.mesh.vertices) truth = std::min(truth, v.z + tilt * v.y);
    const MeshDistance d = mesh_distance(floor.view(), Pose(), steps.view(), pose, front);
    ASSERT_NEAR(d.distance, truth, 1e-12) << i;
    ASSERT_LE(d.lower, truth + 1e-15);
    ASSERT_GE(d.upper, truth - 1e-15);
  }
}

// Meshes of a few triangles, in which every pair of nodes comes to be the nearest.
TEST(NearTies, FrontsOfSmallMeshesLoseNoPair) {
  Random random(31);
  for (int trial = 0; trial < 60; ++trial) {
    const auto scattered = [&random] {
      TriangleMesh mesh;
      for (std::uint32_t t = 0; t < 3; ++t) {
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
        const Vec3 place{x, y, random.uniform(-1, 1)};
        for (int k = 0; k < 3; ++k) {
          const double u = random.uniform(-0.3, 0.3), v = random.uniform(-0.3, 0.3);
          mesh.vertices.push_back(place + Vec3{u, v, random.uniform(-0.3, 0.3)});
        }
        mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
      }
      return Body{mesh};
    };
    const Body a = scattered(), b = scattered();
    MeshFront front;
    MeshDistanceOptions all;
    all.strategy = Strategy::naive;
    for (int step = 0; step < 40; ++step) {
      const double angle = 0.1 * step;
      const Pose pose(Vec3{2.0 * std::cos(angle), 2.0 * std::sin(angle), 0.3},
                      normalized(Quat{1.0, 0.2 * std::sin(angle), 0.1, 0.3 * angle}));
      const double right = mesh_distance(a.view(), Pose(), b.view(), pose, all).distance;
      ASSERT_NEAR(mesh_distance(a.view(), Pose(), b.view(), pose, front).distance, right, 1e-13)
          << trial << " " << step;
    }
  }
}

// Both bounds hold however the distance was rounded: a vertex over a face, turned and moved.
TEST(NearTies, TheBracketHoldsTheRoundedTruth) {
  const Body floor = floor_mesh();
  int below = 0, above = 0;
  for (int i = 0; i < 400; ++i) {
    const double height = 0.5 + i / 1024.0;
    TriangleMesh mesh{{{1, 1, height}, {1.5, 1, height + 1}, {1, 1.5, height + 1}}, {{0, 1, 2}}};
    const Body tip{mesh};
    // Turning both about the vertex's own axis changes no distance, but every coordinate.
    const double angle = 0.01 * i;
    const Pose pose(Vec3{0.1 * i, -0.03 * i, 7.0 / (i + 1)},
                    normalized(Quat{std::cos(angle), std::sin(angle), 0.3 * std::sin(angle), 0.1}));
    const MeshDistance d = mesh_distance(floor.view(), pose, tip.view(), pose);
    ASSERT_LE(d.lower, height);
    ASSERT_GE(d.upper, height);
    below += d.distance < height;
    above += d.distance > height;
  }
  // One of the bounds would be false without its room for rounding.
  EXPECT_GT(below + above, 20);
}

}  // namespace
}  // namespace tactus::detail::bvh
