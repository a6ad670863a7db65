#include "tactus/bvh/mesh_distance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail::bvh {
namespace {

constexpr Strategy kStrategies[] = {Strategy::automatic,   Strategy::naive,
                                    Strategy::depth_first, Strategy::representatives,
                                    Strategy::greedy,      Strategy::best_first};

struct Body {
  TriangleMesh mesh;
  Hierarchy<OrientedBox> tree{mesh};
  MeshView view() const { return {mesh, tree}; }
};

std::vector<Body> bodies() {
  Random random(11, 12);
  std::vector<Body> all;
  all.push_back({test::bumpy_mesh(2, 0.3, random)});
  all.push_back({test::torus_mesh(16, 6, 0.3)});
  TriangleMesh small = test::bumpy_mesh(2, 0.1, random);
  for (Vec3& v : small.vertices) v = v * 0.01 + Vec3{0.3, 0.0, 0.0};
  all.push_back({small});
  all.push_back({TriangleMesh{{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}});
  return all;
}

void expect_consistent(const MeshDistance& d, const std::string& what) {
  EXPECT_LE(d.lower, d.distance) << what;
  EXPECT_LE(d.distance, d.upper) << what;
  EXPECT_NEAR(norm(d.point_b - d.point_a), d.distance, 1e-13) << what;
  if (!d.meets) {
    EXPECT_LE(norm((d.point_b - d.point_a) - d.normal * d.distance), 1e-13) << what;
  }
}

// All strategies, cold and warm, both orders: the distance over all pairs of triangles.
TEST(MeshDistance, IsThatOfTheNearestTriangles) {
  const std::vector<Body> all = bodies();
  Random random(13, 14);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      MeshPairCache warm;
      for (int trial = 0; trial < test::effort(10); ++trial) {
        const Pose pose_a = random_pose(random, 1.0), pose_b = random_pose(random, 2.5);
        MeshDistanceOptions options;
        options.strategy = Strategy::naive;
        const MeshDistance right =
            mesh_distance(all[i].view(), pose_a, all[j].view(), pose_b, options);
        const std::string what =
            std::to_string(i) + " " + std::to_string(j) + " trial " + std::to_string(trial);
        for (const Strategy strategy : kStrategies) {
          options.strategy = strategy;
          const MeshDistance d =
              mesh_distance(all[i].view(), pose_a, all[j].view(), pose_b, options);
          EXPECT_NEAR(d.distance, right.distance, 6e-14) << what;
          EXPECT_EQ(d.meets, right.meets) << what;
          expect_consistent(d, what);
        }
        const MeshDistance again =
            mesh_distance(all[i].view(), pose_a, all[j].view(), pose_b, {}, &warm);
        EXPECT_NEAR(again.distance, right.distance, 6e-14) << what;
        const MeshDistance turned = mesh_distance(all[j].view(), pose_b, all[i].view(), pose_a);
        EXPECT_NEAR(turned.distance, right.distance, 2e-13) << what;
      }
    }
  }
}

TEST(MeshDistance, BracketsWhateverStopsIt) {
  const std::vector<Body> all = bodies();
  Random random(15, 16);
  // Sums over all queries: a single rough one may cost a test more, since its order differs.
  std::int64_t rough_tests = 0, exact_tests = 0;
  for (int trial = 0; trial < test::effort(40); ++trial) {
    const Pose pose_a = random_pose(random, 1.0), pose_b = random_pose(random, 3.0);
    const MeshDistance exact = mesh_distance(all[0].view(), pose_a, all[1].view(), pose_b);
    for (const double error : {1.0, 0.1, 1e-2, 1e-4}) {
      MeshDistanceOptions options;
      options.relative_error = error;
      const MeshDistance d = mesh_distance(all[0].view(), pose_a, all[1].view(), pose_b, options);
      EXPECT_LE(d.lower, exact.upper);
      EXPECT_GE(d.upper, exact.lower);
      EXPECT_LE(d.upper - d.lower, error * d.upper + 1e-12);
      rough_tests += d.volume_tests + d.triangle_tests;
      exact_tests += exact.volume_tests + exact.triangle_tests;
    }
    MeshDistanceOptions options;
    options.max_distance = 0.5 * exact.distance;
    const MeshDistance d = mesh_distance(all[0].view(), pose_a, all[1].view(), pose_b, options);
    EXPECT_LE(d.lower, exact.upper);
    if (!exact.meets) {
      EXPECT_GT(d.lower, options.max_distance - 1e-12);
    }
  }
  EXPECT_LT(rough_tests, exact_tests);
}

// Other volumes only leave out less or more.
TEST(MeshDistance, IsTheSameByAllVolumes) {
  const std::vector<Body> all = bodies();
  const TriangleMesh& mesh = all[0].mesh;
  const Hierarchy<AlignedBox> boxes(mesh);
  const Hierarchy<Ball> balls(mesh);
  const Hierarchy<Dop14> dops(mesh);
  const Hierarchy<SweptRectangle> swept(mesh);
  Random random(17, 18);
  for (int trial = 0; trial < test::effort(20); ++trial) {
    const Pose pose_a = random_pose(random, 1.0), pose_b = random_pose(random, 3.0);
    const double right = mesh_distance(all[0].view(), pose_a, all[0].view(), pose_b).distance;
    EXPECT_NEAR(mesh_distance_by(mesh, boxes, pose_a, mesh, boxes, pose_b).distance, right, 3e-14);
    EXPECT_NEAR(mesh_distance_by(mesh, balls, pose_a, mesh, balls, pose_b).distance, right, 3e-14);
    EXPECT_NEAR(mesh_distance_by(mesh, dops, pose_a, mesh, dops, pose_b).distance, right, 3e-14);
    EXPECT_NEAR(mesh_distance_by(mesh, swept, pose_a, mesh, swept, pose_b).distance, right, 3e-14);
  }
}

// Where squares of single precision overflow or vanish, the volumes leave nothing out.
TEST(MeshDistance, HoldsForHugeAndTinyMeshes) {
  TriangleMesh mesh = test::torus_mesh(12, 6, 0.3);
  const Pose far(Vec3{2.5, 0.4, 0.1}, normalized(Quat{0.9, 0.1, 0.2, 0.3}));
  const double right = [&] {
    const Hierarchy<OrientedBox> tree(mesh);
    return mesh_distance({mesh, tree}, Pose(), {mesh, tree}, far).distance;
  }();
  for (const double scale : {1e-60, 1e-25, 1e-12, 1e12, 1e17, 1e18, 1e19, 1e25, 1e45, 1e60}) {
    TriangleMesh scaled = mesh;
    for (Vec3& v : scaled.vertices) v = v * scale;
    const Pose there = detail::unchecked_pose(far.position() * scale, far.rotation());
    const auto distance_by = [&](const auto& tree) {
      return mesh_distance_by(scaled, tree, Pose(), scaled, tree, there);
    };
    for (const MeshDistance& d :
         {distance_by(Hierarchy<OrientedBox>(scaled)), distance_by(Hierarchy<AlignedBox>(scaled)),
          distance_by(Hierarchy<Ball>(scaled)), distance_by(Hierarchy<Dop14>(scaled)),
          distance_by(Hierarchy<SweptRectangle>(scaled))}) {
      EXPECT_NEAR(d.distance / scale, right, 2e-14) << scale;
      EXPECT_LE(d.lower, d.distance) << scale;
      EXPECT_LE(d.upper - d.lower, 1e-12 * scale) << scale;
    }
  }
}

// Along a motion, through touching and overlap, over jumps and after other meshes: what a first
// query says, within rounding.
TEST(MeshDistance, FollowsItsFront) {
  const std::vector<Body> all = bodies();
  Random random(19, 20);
  MeshFront front;
  int meeting = 0, apart = 0;
  std::int64_t followed = 0, anew = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      Pose a = random_pose(random, 1.0), b = random_pose(random, 2.5);
      const Vec3 slide = (a.position() - b.position()) * 0.01;
      const Pose turn({}, normalized(Quat{1.0, 0.002, 0.003, 0.004}));
      for (int step = 0; step < 120; ++step) {
        if (step == 100) b = random_pose(random, 2.5);
        b = detail::unchecked_pose(b.position() + slide, turn.rotation() * b.rotation());
        const MeshDistance d = mesh_distance(all[i].view(), a, all[j].view(), b, front);
        const MeshDistance first = mesh_distance(all[i].view(), a, all[j].view(), b);
        ASSERT_EQ(d.meets, first.meets) << i << " " << j << " step " << step;
        ASSERT_NEAR(d.distance, first.distance, 2e-14) << i << " " << j << " step " << step;
        ASSERT_NEAR(d.lower, first.lower, 2e-14) << i << " " << j << " step " << step;
        expect_consistent(d, std::to_string(step));
        (d.meets ? meeting : apart) += 1;
        followed += d.volume_tests + d.triangle_tests;
        anew += first.volume_tests + first.triangle_tests;
      }
    }
  }
  EXPECT_GT(apart, 50);
  EXPECT_GT(meeting, 10);
  EXPECT_LT(2 * followed, anew);
}

// The tree, not the mesh alone, must be the one of the front.
TEST(MeshDistance, AFrontOfAnotherTreeIsMadeAnew) {
  Random random(21, 22);
  const TriangleMesh mesh = test::bumpy_mesh(2, 0.3, random);
  const Hierarchy<OrientedBox> by_mean(mesh), by_median(mesh, SplitRule::median);
  EXPECT_NE(by_mean.fingerprint(), by_median.fingerprint());
  TriangleMesh moved = mesh;
  moved.vertices[3].x = std::nextafter(moved.vertices[3].x, 9.0);
  Hierarchy<OrientedBox> refitted(mesh);
  EXPECT_EQ(refitted.fingerprint(), by_mean.fingerprint());
  refitted.refit(moved);
  EXPECT_NE(refitted.fingerprint(), by_mean.fingerprint());
}

TEST(MeshDistance, StrategiesHaveNames) {
  for (const Strategy strategy : kStrategies)
    EXPECT_EQ(from_string<Strategy>(to_string(strategy)), strategy);
  EXPECT_EQ(from_string<Strategy>("best-first"), std::nullopt);
}

// Best-first asks for the fewest triangles; near an earlier answer it does not ask for more.
TEST(MeshDistance, CountsItsTests) {
  Random random(19, 20);
  const Body body{test::bumpy_mesh(4, 0.05, random)};
  const Pose far(Vec3{2.3, 0.2, 0.1}, normalized(Quat{0.9, 0.1, 0.2, 0.3}));
  MeshDistanceOptions options;
  const auto tests = [&](Strategy strategy) {
    options.strategy = strategy;
    return mesh_distance(body.view(), Pose(), body.view(), far, options).triangle_tests;
  };
  const std::int64_t best = tests(Strategy::best_first);
  EXPECT_LE(best, tests(Strategy::greedy));
  EXPECT_LE(tests(Strategy::greedy), tests(Strategy::depth_first));
  EXPECT_LE(tests(Strategy::depth_first), tests(Strategy::naive));
  MeshPairCache cache;
  mesh_distance(body.view(), Pose(), body.view(), far, {}, &cache);
  EXPECT_LE(mesh_distance(body.view(), Pose(), body.view(), far, {}, &cache).triangle_tests,
            best + 1);
}

}  // namespace
}  // namespace tactus::detail::bvh
