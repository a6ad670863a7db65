#include "tactus/bvh/mesh_overlap.hpp"

#include <gtest/gtest.h>

#include "tactus/mesh/surface/triangle_meet.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail::bvh {
namespace {

TEST(MeshOverlap, IsThatOfAllPairs) {
  Random random(21, 22);
  const TriangleMesh ball = test::bumpy_mesh(2, 0.3, random), ring = test::torus_mesh(14, 6, 0.3);
  const Hierarchy<OrientedBox> ball_tree(ball), ring_tree(ring);
  int meeting = 0, apart = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const Vec3 middle{random.uniform(-3.5, 3.5), random.uniform(-1, 1), random.uniform(-1, 1)};
    const Pose pose(middle,
                    normalized(Quat{random.uniform(-1, 1), random.uniform(-1, 1), 0.5, 0.1}));
    std::vector<TrianglePair> right;
    for (std::uint32_t i = 0; i < ball.triangles.size(); ++i) {
      for (std::uint32_t j = 0; j < ring.triangles.size(); ++j) {
        Triangle a{}, b{};
        for (std::size_t k = 0; k < 3; ++k) {
          a.corner[k] = ball.vertices[ball.triangles[i][k]];
          b.corner[k] = pose.to_world(ring.vertices[ring.triangles[j][k]]);
        }
        if (triangles_meet(a, b)) right.push_back({i, j});
      }
    }
    const MeshView a{ball, ball_tree}, b{ring, ring_tree};
    EXPECT_EQ(meeting_triangles(a, Pose(), b, pose).pairs, right) << trial;
    TrianglePair first;
    EXPECT_EQ(surfaces_meet(a, Pose(), b, pose, &first), !right.empty()) << trial;
    EXPECT_EQ(mesh_distance(a, Pose(), b, pose).meets, !right.empty()) << trial;
    ++(right.empty() ? apart : meeting);
  }
  EXPECT_GT(meeting, 3);
  EXPECT_GT(apart, 3);
}

}  // namespace
}  // namespace tactus::detail::bvh
