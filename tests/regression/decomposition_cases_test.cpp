#include <gtest/gtest.h>

#include "tactus/fit.hpp"
#include "tests/support/meshes.hpp"

// Decompositions that once ran away: cuts about places where there was nothing to mend.

namespace tactus::detail {
namespace {

// A ring, and a second one through it.
TriangleMesh linked_rings() {
  TriangleMesh mesh = test::torus_mesh(16, 8, 0.3);
  const TriangleMesh first = mesh;
  const auto count = static_cast<std::uint32_t>(first.vertices.size());
  for (const Vec3& v : first.vertices) mesh.vertices.push_back({v.x + 1.0, v.z, v.y});
  for (const auto& [a, b, c] : first.triangles)
    mesh.triangles.push_back({a + count, c + count, b + count});
  return mesh;
}

// Flat parts were held responsible for whatever lay below their planes, and points of the surface
// in the plane of a cut counted as walls of a void: 500 parts.
TEST(DecompositionCases, CutsThroughCavitiesOfLinkedRingsEnd) {
  DecomposeOptions options;
  options.method = DecompositionMethod::cavity;
  options.concavity = 0.03;
  options.max_parts = 500;
  const ConvexDecomposition d = decompose(linked_rings(), options);
  EXPECT_EQ(d.status, DecompositionStatus::reached);
  EXPECT_LE(d.concavity_upper(), 0.03);
  EXPECT_LT(d.parts.size(), 100u);
}

}  // namespace
}  // namespace tactus::detail
