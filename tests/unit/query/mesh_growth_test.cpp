// A ball on the ground measures few triangles of the mesh, however many it has.
#include <gtest/gtest.h>

#include "tactus/query.hpp"

namespace tactus {
namespace {

// A unit square of 2 side^2 triangles.
Mesh flat_ground(std::uint32_t side) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i <= side; ++i) {
    for (std::uint32_t j = 0; j <= side; ++j)
      mesh.vertices.push_back(
          {static_cast<double>(i) / side - 0.5, static_cast<double>(j) / side - 0.5, 0.0});
  }
  for (std::uint32_t i = 0; i < side; ++i) {
    for (std::uint32_t j = 0; j < side; ++j) {
      const std::uint32_t a = i * (side + 1) + j, c = a + side + 1;
      mesh.triangles.push_back({a, c, c + 1});
      mesh.triangles.push_back({a, c + 1, a + 1});
    }
  }
  return Mesh(std::move(mesh));
}

// Measured triangles are counted: 13 of 500,000. With bounds in single precision alone it is 65,
// all whose distance is within the rounding of those bounds.
TEST(MeshGrowth, BallOnFineGroundMeasuresFewTriangles) {
  const Shape fine = flat_ground(500);
  Manifold manifolds[4];
  const Pose resting = Pose::translation({0.01, 0.02, 1.0});
  const ContactsResult touching = contacts(fine, Pose(), Sphere(1.0), resting, manifolds);
  EXPECT_EQ(touching.manifolds, 1);
  EXPECT_LE(touching.distance.iterations, 30);
}

}  // namespace
}  // namespace tactus
