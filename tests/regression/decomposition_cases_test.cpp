#include <gtest/gtest.h>

#include <utility>

#include "tactus/fit.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/solids.hpp"

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
  TACTUS_LONG_TEST();
  DecomposeOptions options;
  options.method = DecompositionMethod::cavity;
  options.concavity = 0.03;
  options.max_parts = 500;
  const ConvexDecomposition d = decompose(linked_rings(), options);
  EXPECT_EQ(d.status, DecompositionStatus::reached);
  EXPECT_LE(d.concavity_upper(), 0.03);
  EXPECT_LT(d.parts.size(), 100u);
}

// Search over evenly spread planes missed those of the walls: 15 parts, and more for larger bounds.
TEST(DecompositionCases, ABracketIsThreeBoxes) {
  const TriangleMesh mesh =
      test::extruded_mesh({{0, 0}, {4, 0}, {4, 3}, {3, 3}, {3, 1}, {1, 1}, {1, 3}, {0, 3}}, 1.5);
  for (const double concavity : {0.01, 0.05, 0.3}) {
    DecomposeOptions options;
    options.concavity = concavity;
    const ConvexDecomposition d = decompose(mesh, options);
    EXPECT_EQ(d.status, DecompositionStatus::reached);
    EXPECT_EQ(d.parts.size(), 3u);
    EXPECT_NEAR(d.parts_volume, 12.0, 1e-9);
  }
}

// A room without its front, and a box in it: the room was cut as if it were solid, into 244 parts.
TEST(DecompositionCases, ARoomIsItsWalls) {
  const auto at = test::unit_grid(4);
  TriangleMesh mesh = test::grid_mesh({{1, 1, 0}}, at);
  for (const auto& [low, high] : {std::pair{Vec3{0, 0, 0}, Vec3{4, 4, 0}},
                                  {Vec3{0, 0, 4}, Vec3{4, 4, 4}},
                                  {Vec3{0, 0, 0}, Vec3{0, 4, 4}},
                                  {Vec3{4, 0, 0}, Vec3{4, 4, 4}},
                                  {Vec3{0, 4, 0}, Vec3{4, 4, 4}}}) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    const Vec3 size = high - low;
    const Vec3 along = size.x > 0.0 ? Vec3{size.x, 0, 0} : Vec3{0, size.y, 0};
    mesh.vertices.insert(mesh.vertices.end(), {low, low + along, high, low + (size - along)});
    mesh.triangles.push_back({first, first + 1, first + 2});
    mesh.triangles.push_back({first, first + 2, first + 3});
  }
  const ConvexDecomposition d = decompose(mesh);
  EXPECT_EQ(d.status, DecompositionStatus::reached);
  EXPECT_EQ(d.parts.size(), 6u);
  EXPECT_NEAR(d.parts_volume, 1.0, 1e-9);
}

}  // namespace
}  // namespace tactus::detail
