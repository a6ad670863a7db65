// A ball on the ground measures few triangles of the mesh, however many it has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

// Two folded sheets, one above the other, of 7,200 triangles each, that lie close everywhere and
// meet first at one place: what is opened is what may touch before that. Depth first it was three
// and a half times as much, and on a million triangles five hundred times.
TEST(MeshGrowth, CastsOpenTheEarliestPairsFirst) {
  const std::uint32_t side = 60;
  TriangleMesh sheet;
  for (std::uint32_t i = 0; i <= side; ++i) {
    for (std::uint32_t j = 0; j <= side; ++j) {
      const double x = 2.0 * i / side - 1.0, y = 2.0 * j / side - 1.0;
      sheet.vertices.push_back({x, y,
                                0.02 * std::sin(9.0 * x) * std::cos(8.0 * y) -
                                    std::sqrt(std::max(4.0 - x * x - y * y, 0.0))});
    }
  }
  for (std::uint32_t i = 0; i < side; ++i) {
    for (std::uint32_t j = 0; j < side; ++j) {
      const std::uint32_t a = i * (side + 1) + j, c = a + side + 1;
      sheet.triangles.push_back({a, c, c + 1});
      sheet.triangles.push_back({a, c + 1, a + 1});
    }
  }
  const Shape shape = Mesh(std::move(sheet));
  const CastResult met =
      cast(shape, Pose(), {}, shape, Pose::translation({0.3, 0.09, 0.3}), {0.0, 0.0, -1.0});
  EXPECT_EQ(met.hit, Overlap::yes);
  EXPECT_LE(met.iterations, 1500);
}

}  // namespace
}  // namespace tactus
