#include "tactus/mesh/surface/topology.hpp"

#include <gtest/gtest.h>

#include "tests/support/meshes.hpp"

namespace tactus::detail {
namespace {

TEST(MeshTopology, CountsASphere) {
  const TriangleMesh mesh = test::sphere_mesh(3);
  const MeshTopology topology = make_topology(mesh);
  EXPECT_TRUE(topology.closed());
  EXPECT_EQ(topology.components, 1u);
  // Euler: V - E + F = 2.
  EXPECT_EQ(mesh.vertices.size() + mesh.triangles.size(), topology.edges.size() + 2);
  for (const MeshTopology::Edge& edge : topology.edges) EXPECT_EQ(edge.count, 2u);
}

TEST(MeshTopology, CountsATorus) {
  const TriangleMesh mesh = test::torus_mesh(12, 7, 0.3);
  const MeshTopology topology = make_topology(mesh);
  EXPECT_TRUE(topology.closed());
  EXPECT_EQ(mesh.vertices.size() + mesh.triangles.size(), topology.edges.size());
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    EXPECT_EQ(topology.triangles_at(v).size(), 6u);
    for (const std::uint32_t t : topology.triangles_at(v)) {
      const auto& corners = mesh.triangles[t];
      EXPECT_TRUE(corners[0] == v || corners[1] == v || corners[2] == v);
    }
  }
}

TEST(MeshTopology, TellsHolesBranchesAndTwists) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}};
  mesh.triangles = {{0, 1, 2}};
  EXPECT_EQ(make_topology(mesh).boundary_edges, 3u);
  EXPECT_FALSE(make_topology(mesh).closed());
  mesh.triangles = {{0, 1, 2}, {0, 1, 3}};
  MeshTopology two = make_topology(mesh);
  EXPECT_EQ(two.twisted_edges, 1u);
  EXPECT_EQ(two.components, 1u);
  mesh.triangles = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
  EXPECT_EQ(make_topology(mesh).branching_edges, 1u);
  mesh.triangles = {{0, 1, 2}, {0, 3, 4}};
  EXPECT_EQ(make_topology(mesh).components, 2u);  // a common vertex joins nothing
}

}  // namespace
}  // namespace tactus::detail
