#include "tactus/mesh/surface/clean_mesh.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "tactus/mesh.hpp"
#include "tactus/mesh/surface/topology.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail {
namespace {

// Every triangle with vertices of its own.
TriangleMesh soup_of(const TriangleMesh& mesh) {
  TriangleMesh soup;
  for (const auto& triangle : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.vertices.size());
    for (const std::uint32_t index : triangle) soup.vertices.push_back(mesh.vertices[index]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  return soup;
}

TEST(CleanMesh, JoinsASoup) {
  const TriangleMesh mesh = test::sphere_mesh(2);
  TriangleMesh soup = soup_of(mesh);
  EXPECT_FALSE(make_topology(soup).closed());
  const CleanReport report = clean_mesh(soup);
  EXPECT_EQ(report.merged_vertices, 3 * mesh.triangles.size() - mesh.vertices.size());
  EXPECT_EQ(soup.vertices.size(), mesh.vertices.size());
  EXPECT_EQ(soup.triangles.size(), mesh.triangles.size());
  EXPECT_TRUE(make_topology(soup).closed());
  EXPECT_FALSE(clean_mesh(soup).changed());
}

TEST(CleanMesh, ReportsWhatItTakesOut) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {9, 9, 9}, {-0.0, 0, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 1, 3}, {1, 1, 2}, {2, 0, 1}, {5, 1, 2}};
  const CleanReport report = clean_mesh(mesh);
  EXPECT_EQ(report.merged_vertices, 1u);        // -0
  EXPECT_EQ(report.degenerate_triangles, 2u);   // collinear; a repeated index
  EXPECT_EQ(report.duplicate_triangles, 2u);    // turned round; through the merged vertex
  EXPECT_EQ(report.unreferenced_vertices, 2u);  // 3 (of a degenerate one only) and 4
  ASSERT_EQ(mesh.triangles.size(), 1u);
  EXPECT_EQ(mesh.vertices.size(), 3u);
  EXPECT_NO_THROW(validate(mesh));
}

TEST(CleanMesh, KeepsBothSidesOfASheet) {
  // A closed surface with a sheet without thickness on one of its edges: cleaning keeps every
  // winding number, so it must not take one side of the sheet, nor leave a doubled side.
  TriangleMesh mesh = test::sphere_mesh(1);
  const auto [a, b, c] = mesh.triangles[0];
  const auto tip = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]) * 1.5);
  mesh.triangles.push_back({a, b, tip});
  mesh.triangles.push_back({b, a, tip});
  const std::size_t count = mesh.triangles.size();
  EXPECT_TRUE(make_topology(mesh).has_winding());
  EXPECT_FALSE(make_topology(mesh).closed());
  EXPECT_FALSE(clean_mesh(mesh).changed());
  mesh.triangles.push_back({tip, a, b});
  mesh.triangles.push_back({tip, b, a});
  mesh.triangles.push_back({b, c, a});
  mesh.triangles.push_back({b, a, c});
  EXPECT_EQ(clean_mesh(mesh).duplicate_triangles, 4u);
  EXPECT_EQ(mesh.triangles.size(), count);
  EXPECT_TRUE(make_topology(mesh).has_winding());
  mesh.triangles.pop_back();
  EXPECT_FALSE(make_topology(mesh).has_winding());
}

TEST(OrientMesh, TurnsWhatIsInsideOut) {
  Random random(1, 9);
  const TriangleMesh right = test::bumpy_mesh(2, 0.2, random);
  TriangleMesh mixed = right;
  for (auto& triangle : mixed.triangles) {
    if (random.below(2) == 0) std::swap(triangle[0], triangle[1]);
  }
  // A second component, inside out.
  const auto shift = static_cast<std::uint32_t>(mixed.vertices.size());
  const TriangleMesh ring = test::torus_mesh(8, 5, 0.3);
  for (const Vec3& v : ring.vertices) mixed.vertices.push_back(v + Vec3{5, 0, 0});
  for (const auto& [a, b, c] : ring.triangles)
    mixed.triangles.push_back({a + shift, c + shift, b + shift});
  const CleanReport report = orient_mesh(mixed);
  EXPECT_TRUE(make_topology(mixed).closed());
  EXPECT_GT(report.turned_triangles, 0u);
  EXPECT_GE(report.turned_components, 1u);
  EXPECT_NEAR(mass_properties(mixed).volume,
              mass_properties(right).volume + mass_properties(ring).volume, 1e-12);
  EXPECT_FALSE(orient_mesh(mixed).changed());
}

TEST(OrientMesh, LeavesAMoebiusStripTwisted) {
  TriangleMesh strip;
  for (int i = 0; i < 5; ++i) {
    strip.vertices.push_back({static_cast<double>(i), 0.0, 0.1 * i});
    strip.vertices.push_back({static_cast<double>(i), 1.0, -0.2 * i});
  }
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    strip.triangles.push_back({a, b, c});
    strip.triangles.push_back({b, d, c});
  };
  for (std::uint32_t i = 0; i < 4; ++i) add(2 * i, 2 * i + 2, 2 * i + 1, 2 * i + 3);
  add(8, 1, 9, 0);  // the ends joined crosswise
  orient_mesh(strip);
  EXPECT_GT(make_topology(strip).twisted_edges, 0u);
}

}  // namespace
}  // namespace tactus::detail
