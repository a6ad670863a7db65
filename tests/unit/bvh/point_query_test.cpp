#include "tactus/bvh/point_query.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail::bvh {
namespace {

// A cube whose faces are cut into cells: rows of points lie below edges and corners.
TriangleMesh grid_cube(int cells) {
  TriangleMesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double level : {-1.0, 1.0}) {
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (int i = 0; i <= cells; ++i) {
        for (int j = 0; j <= cells; ++j) {
          Vec3 v;
          v[axis] = level;
          v[(axis + 1) % 3] = -1.0 + 2.0 * i / cells;
          v[(axis + 2) % 3] = -1.0 + 2.0 * j / cells;
          mesh.vertices.push_back(v);
        }
      }
      const auto row = static_cast<std::uint32_t>(cells + 1);
      for (std::uint32_t i = 0; i + 1 < row; ++i) {
        for (std::uint32_t j = 0; j + 1 < row; ++j) {
          const std::uint32_t a = first + i * row + j, b = a + row, c = b + 1, d = a + 1;
          if (level > 0.0) {
            mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
          } else {
            mesh.triangles.insert(mesh.triangles.end(), {{a, c, b}, {a, d, c}});
          }
        }
      }
    }
  }
  return mesh;
}

TEST(Winding, IsExactBelowEdgesAndCorners) {
  const TriangleMesh mesh = grid_cube(4);
  const Hierarchy<OrientedBox> tree(mesh);
  int on = 0, in = 0, out = 0;
  for (int i = -5; i <= 5; ++i) {
    for (int j = -5; j <= 5; ++j) {
      for (int k = -5; k <= 5; ++k) {
        const Vec3 p{0.25 * i, 0.25 * j, 0.25 * k};
        const Winding w = winding_at({mesh, tree}, p);
        const double most = max_abs(p);
        EXPECT_EQ(w.on_surface, most == 1.0) << i << ' ' << j << ' ' << k;
        if (!w.on_surface) {
          EXPECT_EQ(w.number, most < 1.0 ? 1 : 0) << i << ' ' << j << ' ' << k;
        }
        ++(most == 1.0 ? on : most < 1.0 ? in : out);
      }
    }
  }
  EXPECT_GT(on, 100);
  EXPECT_GT(in, 100);
  EXPECT_GT(out, 100);
}

TEST(Winding, OfNestedAndTurnedSurfaces) {
  TriangleMesh mesh = test::sphere_mesh(3);
  const TriangleMesh inner = mesh;
  const auto shift = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3& v : inner.vertices) mesh.vertices.push_back(v * 0.5);
  for (const auto& [a, b, c] : inner.triangles)
    mesh.triangles.push_back({a + shift, c + shift, b + shift});
  const Hierarchy<OrientedBox> tree(mesh);
  EXPECT_EQ(winding_at({mesh, tree}, {0.0, 0.1, 0.0}).number, 0);  // in the cavity
  EXPECT_EQ(winding_at({mesh, tree}, {0.0, 0.1, 0.7}).number, 1);
  EXPECT_EQ(winding_at({mesh, tree}, {0.0, 0.1, -3.0}).number, 0);
}

TEST(NearestPoint, IsThatOfAllTriangles) {
  Random random(23, 24);
  const TriangleMesh mesh = test::bumpy_mesh(3, 0.3, random);
  const Hierarchy<OrientedBox> tree(mesh);
  for (int trial = 0; trial < test::effort(200); ++trial) {
    const Vec3 p{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
    double right = std::numeric_limits<double>::infinity();
    for (const auto& t : mesh.triangles) {
      const Triangle triangle{{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]}};
      right = std::fmin(right, point_to_triangle(p, triangle).distance);
    }
    const SurfacePoint found = nearest_point({mesh, tree}, p);
    EXPECT_NEAR(found.distance, right, 1e-14);
    EXPECT_NEAR(norm(found.point - p), right, 1e-14);
    EXPECT_EQ(nearest_point({mesh, tree}, p, 0.5 * right).triangle, MeshPairCache::kNone);
    // The sign: radially inside of its nearest point or not.
    const Winding w = winding_at({mesh, tree}, p);
    if (norm(p) < 0.6 || norm(p) > 1.35) {
      EXPECT_EQ(w.number, norm(p) < 1 ? 1 : 0);
    }
  }
}

}  // namespace
}  // namespace tactus::detail::bvh
