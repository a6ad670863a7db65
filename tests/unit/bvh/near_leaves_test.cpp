#include "tactus/bvh/near_leaves.hpp"

#include <gtest/gtest.h>

#include <cstddef>

#include "tactus/shape.hpp"
#include "tactus/shape/mesh_data.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail {
namespace {

/// A level square of large triangles about the origin, where some of them meet.
TriangleMesh floor_mesh(double edge, int half) {
  TriangleMesh mesh;
  const std::uint32_t side = 2 * static_cast<std::uint32_t>(half) + 1;
  for (int i = -half; i <= half; ++i) {
    for (int j = -half; j <= half; ++j) mesh.vertices.push_back({i * edge, j * edge, 0.0});
  }
  for (std::uint32_t i = 0; i + 1 < side; ++i) {
    for (std::uint32_t j = 0; j + 1 < side; ++j) {
      const std::uint32_t a = i * side + j, b = a + side;
      mesh.triangles.push_back({a, b, b + 1});
      mesh.triangles.push_back({a, b + 1, a + 1});
    }
  }
  return mesh;
}

std::size_t count_near(const Mesh& a, const Mesh& b, const Pose& pose, double within) {
  const bvh::MeshView view_a = view_of(a), view_b = view_of(b);
  const Vec3 between =
      (pose.position() - view_a.tree.middle()) + pose.rotation() * view_b.tree.middle();
  const bvh::Placement placement(pose.rotation(), between, view_a.tree.reach(),
                                 view_b.tree.reach());
  std::size_t count = 0;
  bvh::visit_near_leaves(view_a.tree, view_b.tree, placement, within,
                         [&](const bvh::TrianglePair&) {
                           ++count;
                           return true;
                         });
  return count;
}

// Beside the large triangle of a floor the boxes of small ones are far, whichever mesh comes first:
// with the floor as B, directions that were not square to it once told nothing, and contacts of a
// bunny with a floor were lost among triangles half of its size above.
TEST(NearLeaves, FewBesideLargeTriangles) {
  const Mesh floor(floor_mesh(4.0, 4));
  const Mesh ball(test::sphere_mesh(4));
  const Pose above({0.05, 0.02, 1.001}, Quat{0.5, 0.5, -0.5, 0.5});
  const std::size_t floor_first = count_near(floor, ball, above, 0.01);
  const std::size_t ball_first = count_near(ball, floor, inverse(above), 0.01);
  EXPECT_GE(floor_first, 6u);
  EXPECT_GE(ball_first, 6u);
  EXPECT_LE(floor_first, 200u);
  EXPECT_LE(ball_first, 200u);
}

}  // namespace
}  // namespace tactus::detail
