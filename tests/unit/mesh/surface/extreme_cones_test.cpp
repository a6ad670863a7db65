// Cones of extreme directions, against directions along which points of triangles are extreme.
#include "tactus/mesh/surface/extreme_cones.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/meshes.hpp"

namespace tactus::detail {
namespace {

struct Case {
  TriangleMesh mesh;
  MeshTopology topology;
  std::vector<ExtremeCone> cones;
};

Case make_case(TriangleMesh mesh, bool inward = false) {
  MeshTopology topology = make_topology(mesh);
  std::vector<ExtremeCone> cones = extreme_cones(mesh, topology, inward);
  return {std::move(mesh), std::move(topology), std::move(cones)};
}

Vec3 outward_normal(const TriangleMesh& mesh, std::uint32_t t) {
  const auto& c = mesh.triangles[t];
  const Vec3& origin = mesh.vertices[c[0]];
  return normalized(cross(mesh.vertices[c[1]] - origin, mesh.vertices[c[2]] - origin), {});
}

bool lies_in(const ExtremeCone& cone, const Vec3& n) {
  const Vec3 axis{static_cast<double>(cone.axis[0]), static_cast<double>(cone.axis[1]),
                  static_cast<double>(cone.axis[2])};
  return dot(axis, n) >= static_cast<double>(cone.cosine);
}

// Is the corner farther along n than all that its triangles hold?
bool is_extreme(const Case& c, std::uint32_t vertex, const Vec3& n) {
  for (const std::uint32_t t : c.topology.triangles_at(vertex)) {
    for (const std::uint32_t other : c.mesh.triangles[t]) {
      if (dot(n, c.mesh.vertices[other] - c.mesh.vertices[vertex]) > 0.0) return false;
    }
  }
  return true;
}

// Directions on the outside of the triangle along which one of its corners is extreme.
void expect_corners_in_cones(const Case& c, Random& random, int directions, int& seen) {
  for (std::uint32_t t = 0; t < c.mesh.triangles.size(); ++t) {
    const Vec3 outward = outward_normal(c.mesh, t);
    for (int i = 0; i < directions; ++i) {
      const Vec3 n = normalized(
          outward + Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)} *
                        random.uniform());
      if (dot(n, outward) < 0.0) continue;
      for (const std::uint32_t v : c.mesh.triangles[t]) {
        if (!is_extreme(c, v, n)) continue;
        ++seen;
        EXPECT_TRUE(lies_in(c.cones[t], n)) << t << ' ' << v;
      }
    }
  }
}

TEST(ExtremeCones, HoldTheDirectionsOfExtremeCorners) {
  Random random(3);
  int seen = 0;
  for (const double height : {0.02, 0.2, 0.6})
    expect_corners_in_cones(make_case(test::bumpy_mesh(2, height, random)), random, 200, seen);
  expect_corners_in_cones(make_case(test::torus_mesh(24, 12, 0.3)), random, 200, seen);
  expect_corners_in_cones(make_case(test::dented_box_mesh(6)), random, 200, seen);
  EXPECT_GT(seen, 10000);
}

// The middle of an edge that bends outwards is extreme between the normals of its two triangles.
TEST(ExtremeCones, HoldTheDirectionsOfEdges) {
  Random random(4);
  const Case c = make_case(test::bumpy_mesh(2, 0.3, random));
  int seen = 0;
  for (const MeshTopology::Edge& edge : c.topology.edges) {
    const auto sides = c.topology.sides_of(edge);
    const std::uint32_t s = sides[0] / 3, t = sides[1] / 3;
    const Vec3 of_s = outward_normal(c.mesh, s), of_t = outward_normal(c.mesh, t);
    const Vec3& tip = c.mesh.vertices[c.mesh.triangles[t][(sides[1] % 3 + 2) % 3]];
    if (dot(of_s, tip - c.mesh.vertices[edge.tail]) > 0.0) continue;
    for (int i = 0; i <= 4; ++i) {
      const Vec3 n = normalized(of_s * (0.25 * i) + of_t * (1.0 - 0.25 * i));
      EXPECT_TRUE(lies_in(c.cones[s], n));
      EXPECT_TRUE(lies_in(c.cones[t], n));
      ++seen;
    }
  }
  EXPECT_GT(seen, 300);
}

TEST(ExtremeCones, AreNarrowWhereTheSurfaceIsSmooth) {
  const Case sphere = make_case(test::sphere_mesh(4));
  for (const ExtremeCone& cone : sphere.cones) {
    EXPECT_GT(cone.cosine, 0.98f);
    EXPECT_FALSE(cone.flat);
  }
  const Case box = make_case(test::dented_box_mesh(8));
  // Flat are the triangles of the bottom's 64 squares that do not touch its border.
  for (std::size_t t = 0; t < box.cones.size(); ++t) {
    bool bottom = true, border = false;
    for (const std::uint32_t v : box.mesh.triangles[t]) {
      const Vec3& p = box.mesh.vertices[v];
      bottom = bottom && p.z < 0.0;
      border = border || std::max(std::fabs(p.x), std::fabs(p.y)) == 0.5;
    }
    if (bottom) {
      EXPECT_EQ(box.cones[t].flat, !border) << t;
    }
  }
}

TEST(ExtremeCones, TurnWithTheSenseOfTheTriangles) {
  TriangleMesh mesh = test::torus_mesh(12, 6, 0.3);
  const Case outward = make_case(mesh);
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  const Case inward = make_case(std::move(mesh), true);
  for (std::size_t t = 0; t < outward.cones.size(); ++t) {
    EXPECT_EQ(outward.cones[t].cosine, inward.cones[t].cosine);
    EXPECT_EQ(outward.cones[t].axis, inward.cones[t].axis);
  }
}

// No bound where nothing is known of what lies around.
TEST(ExtremeCones, AreOpenAtBordersAndDegenerateTriangles) {
  TriangleMesh mesh = test::sphere_mesh(1);
  mesh.triangles.pop_back();
  const Case open = make_case(mesh);
  std::size_t unbounded = 0;
  for (const ExtremeCone& cone : open.cones) unbounded += cone.cosine == -1.0f ? 1 : 0;
  EXPECT_EQ(unbounded, 3u);
  const std::uint32_t first = mesh.triangles[0][0];
  mesh.triangles.push_back({first, first, mesh.triangles[0][1]});
  EXPECT_EQ(make_case(mesh).cones.back().cosine, -1.0f);
}

TEST(ExtremeCones, FaceEachOtherByTheSumOfTheirAngles) {
  const auto cone = [](double angle) {
    ExtremeCone c;
    c.axis = {0.0f, 0.0f, 1.0f};
    c.cosine = static_cast<float>(std::cos(angle));
    c.sine = static_cast<float>(std::sin(angle));
    return c;
  };
  const auto down = [](double off) { return Vec3{std::sin(off), 0.0, -std::cos(off)}; };
  EXPECT_TRUE(cone(0.2).can_face(down(0.49), cone(0.3)));
  EXPECT_FALSE(cone(0.2).can_face(down(0.51), cone(0.3)));
  EXPECT_TRUE(cone(0.2).can_face(down(0.51), ExtremeCone{}));
  EXPECT_FALSE(cone(0.0).can_face({0, 0, 1}, cone(0.0)));
}

}  // namespace
}  // namespace tactus::detail
