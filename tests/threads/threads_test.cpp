// Several threads give the same bits as one; scenes are small enough for the thread sanitizer.
#include <gtest/gtest.h>

#include <vector>

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/core.hpp"
#include "tactus/fit.hpp"
#include "tactus/query.hpp"
#include "tactus/world.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail {
namespace {

constexpr int kThreads = 4;

/// One shape of each kind that keeps more than numbers, each at several places.
struct Crowd {
  std::vector<Shape> shapes;
  std::vector<PlacedShape> bodies;
  std::vector<BroadPair> pairs;

  Crowd() {
    Random random(3);
    shapes.emplace_back(Mesh(test::bumpy_mesh(2, 0.2, random)));
    shapes.emplace_back(Convex(test::sphere_mesh(2).vertices));
    shapes.emplace_back(
        Compound({{Box({1, 1, 1}), Pose()}, {Cone(0.5, 1.0), Pose::translation({0.8, 0, 0})}}));
    shapes.emplace_back(HalfSpace({0, 0, 1}, -0.5));
    shapes.emplace_back(Cylinder(0.5, 1.0), 0.1);
    for (int i = 0; i < 12; ++i) {
      const double x = random.uniform(-1.5, 1.5), y = random.uniform(-1.5, 1.5);
      const Vec3 place{x, y, random.uniform(-1.5, 1.5)};
      bodies.push_back({&shapes[static_cast<std::size_t>(i) % shapes.size()],
                        Pose(place, normalized(Quat{1.0, 0.1 * i, 0.3, -0.2 * i}))});
    }
    for (std::size_t a = 0; a < bodies.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        for (int again = 0; again < 3; ++again) pairs.push_back({a, b});
      }
    }
  }
};

bool same(const DistanceResult& x, const DistanceResult& y) {
  return x.lower == y.lower && x.upper == y.upper && x.point_a == y.point_a &&
         x.point_b == y.point_b && x.status == y.status;
}

TEST(Threads, BatchesShareShapes) {
  const Crowd crowd;
  for (const bool cached : {false, true}) {
    std::vector<DistanceResult> one(crowd.pairs.size()), many(crowd.pairs.size());
    std::vector<QueryCache> caches_one(cached ? one.size() : 0), caches_many = caches_one;
    BatchOptions options;
    for (int round = 0; round < 2; ++round) {
      options.max_threads = 1;
      options.caches = caches_one;
      distance(crowd.bodies, crowd.pairs, one, options);
      options.max_threads = kThreads;
      options.caches = caches_many;
      distance(crowd.bodies, crowd.pairs, many, options);
      for (std::size_t i = 0; i < one.size(); ++i) {
        // Two half-spaces have no answer.
        EXPECT_TRUE(one[i].status == Status::unsupported || same(one[i], many[i])) << i;
      }
    }
  }
  std::vector<OverlapResult> overlaps(crowd.pairs.size());
  std::vector<ContactsResult> touching(crowd.pairs.size());
  std::vector<Manifold> manifolds(8 * crowd.pairs.size());
  BatchOptions options;
  options.max_threads = kThreads;
  overlap(crowd.bodies, crowd.pairs, overlaps, options);
  contacts(crowd.bodies, crowd.pairs, manifolds, touching, options);
}

TEST(Threads, HierarchiesAreBuiltOnAll) {
  Random random(4);
  // More triangles than one thread builds.
  const TriangleMesh mesh = test::bumpy_mesh(6, 0.1, random);
  ASSERT_GT(mesh.triangles.size(), 3u * 8192u);
  const bvh::Hierarchy<bvh::OrientedBox> tree(mesh), again(mesh);
  EXPECT_EQ(tree.fingerprint(), again.fingerprint());
  bvh::Hierarchy<bvh::OrientedBox> refitted(mesh);
  refitted.refit(mesh);
  EXPECT_EQ(refitted.fingerprint(), tree.fingerprint());
  // One tree, asked from all.
  std::vector<double> distances(64);
  parallel_for(
      distances.size(), 4,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const Pose beside = Pose::translation({2.5 + 0.01 * static_cast<double>(i % 8), 0.1, 0});
          distances[i] = bvh::mesh_distance({mesh, tree}, Pose(), {mesh, tree}, beside).distance;
        }
      },
      kThreads);
  for (std::size_t i = 8; i < distances.size(); ++i) EXPECT_EQ(distances[i], distances[i % 8]);
}

TEST(Threads, DecompositionsDoNotDependOnThem) {
  const TriangleMesh ring = test::torus_mesh(10, 5, 0.3);
  std::vector<ConvexDecomposition> made;
  for (const int threads : {1, kThreads}) {
    DecomposeOptions options;
    options.concavity = 0.2;
    options.max_threads = threads;
    made.push_back(decompose(ring, options));
  }
  ASSERT_EQ(made[0].parts.size(), made[1].parts.size());
  ASSERT_GT(made[0].parts.size(), 1u);
  for (std::size_t i = 0; i < made[0].parts.size(); ++i)
    EXPECT_EQ(made[0].parts[i].vertices, made[1].parts[i].vertices);
  EXPECT_EQ(made[0].concavity_upper(), made[1].concavity_upper());
}

TEST(Threads, WorldsDoNotDependOnThem) {
  std::uint64_t hashes[2] = {};
  for (const int threads : {1, kThreads}) {
    WorldSettings settings;
    settings.max_threads = threads;
    World world(settings);
    test::add_ground(world);
    for (int i = 0; i < 48; ++i) {
      const Vec3 place{0.3 * (i % 4), 0.3 * (i / 4 % 4), 0.3 + 0.35 * (i / 16)};
      test::add_body(world, test::mixed_shape(i), place);
    }
    for (int i = 0; i < 20; ++i) world.step();
    EXPECT_GT(world.statistics().candidate_pairs, 64);
    hashes[threads == 1 ? 0 : 1] = world.state_hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace tactus::detail
