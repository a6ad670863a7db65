// Rays at every corner, edge and face of surfaces: decided, never through a closed surface, with
// witnesses on it, and proved.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/check.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

Vec3 random_unit(Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
  return normalized(Vec3{x, y, z});
}

TriangleMesh hills(std::uint32_t n, double height, Random& random) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i <= n; ++i) {
    for (std::uint32_t j = 0; j <= n; ++j)
      mesh.vertices.push_back({static_cast<double>(i) / n, static_cast<double>(j) / n,
                               height > 0.0 ? random.uniform(0.0, height) : 0.0});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t a = i * (n + 1) + j, c = a + n + 1;
      mesh.triangles.push_back({a, c, c + 1});
      mesh.triangles.push_back({a, c + 1, a + 1});
    }
  }
  return mesh;
}

// Needles round one corner.
TriangleMesh fan(std::uint32_t n) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}};
  for (std::uint32_t i = 0; i < n; ++i) {
    const double angle = 6.283185307179586 * i / n;
    mesh.vertices.push_back({std::cos(angle), std::sin(angle), 0.1 * std::sin(5.0 * i)});
    mesh.triangles.push_back({0, 1 + i, 1 + (i + 1) % n});
  }
  return mesh;
}

struct Target {
  Vec3 point, normal;
};

std::vector<Target> targets(const TriangleMesh& mesh) {
  std::vector<Target> all;
  for (const auto& t : mesh.triangles) {
    const Vec3 &p = mesh.vertices[t[0]], &q = mesh.vertices[t[1]], &r = mesh.vertices[t[2]];
    const Vec3 n = normalized(cross(q - p, r - p));
    for (const Vec3& at :
         {p, q, r, (p + q) * 0.5, (q + r) * 0.5, (r + p) * 0.5, (p + q + r) * (1.0 / 3.0)})
      all.push_back({at, n});
  }
  return all;
}

struct Seen {
  int rays = 0, hits = 0, undecided = 0, unproved = 0, off = 0;
};

// A point from a place before the target to one behind it.
void shoot(const Mesh& mesh, const Pose& pose, const Target& target, const Vec3& direction,
           double reach, bool proof, Seen& seen) {
  const Vec3 start = pose.to_world(target.point - direction * reach);
  const Vec3 motion = pose.to_world(target.point) - start;
  Certificate certificate;
  QueryOptions options;
  if (proof) options.certificate = &certificate;
  const Pose at = Pose::translation(start);
  const CastResult r = cast(mesh, pose, {}, Sphere(0.0), at, motion * 2.0, options);
  ++seen.rays;
  seen.hits += r.hit == Overlap::yes;
  seen.undecided += r.hit == Overlap::undecided;
  if (r.hit == Overlap::yes) {
    const double size = bounding_radius(mesh) + norm(pose.position()) + norm(start) + norm(motion);
    double off = kInfinity;
    for (const auto& t : mesh.mesh().triangles) {
      const auto& v = mesh.mesh().vertices;
      off = std::min(
          off, point_to_triangle(pose.to_local(r.point_a), {{v[t[0]], v[t[1]], v[t[2]]}}).distance);
    }
    seen.off += off > 64.0 * kUnit * size;
  }
  if (proof)
    seen.unproved += !check(mesh, pose, {}, Sphere(0.0), at, motion * 2.0, r, &certificate).ok;
}

Seen shoot_at_all(const TriangleMesh& surface, Random& random, bool turned) {
  const Mesh mesh(surface);
  const double reach = 2.0 * bounding_radius(mesh);
  Seen seen;
  int count = 0;
  for (const Target& target : targets(surface)) {
    const Pose pose = turned ? random_pose(random, 1.0) : Pose();
    // Across the face, steeply or not.
    const Vec3 aside = random_unit(random) * random.uniform(0.0, 0.8);
    shoot(mesh, pose, target, normalized(-target.normal + aside), reach, ++count % 5 == 0, seen);
  }
  return seen;
}

TEST(Rays, CornersEdgesAndFacesOfClosedSurfaces) {
  Random random(21);
  for (int n = 0; n < test::effort(1); ++n) {
    std::vector<TriangleMesh> surfaces = {test::cube_mesh(), test::sphere_mesh(1),
                                          test::bumpy_mesh(1, 0.3, random),
                                          test::dented_box_mesh(4)};
    // A sliver, and a body far from its own origin.
    surfaces.push_back({{{0, 0, 0}, {1e-6, 0, 0}, {0, 1e-6, 0}, {0.3, 0.2, 5}},
                        {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
    surfaces.push_back(test::cube_mesh());
    for (Vec3& v : surfaces.back().vertices) v = v + Vec3{1000.0, -300.0, 50.0};
    for (const TriangleMesh& surface : surfaces) {
      SCOPED_TRACE(std::to_string(&surface - surfaces.data()) + " of round " + std::to_string(n));
      for (const bool turned : {false, true}) {
        const Seen seen = shoot_at_all(surface, random, turned);
        EXPECT_EQ(seen.hits, seen.rays);
        EXPECT_EQ(seen.undecided, 0);
        EXPECT_EQ(seen.off, 0);
        EXPECT_EQ(seen.unproved, 0);
      }
    }
  }
}

TEST(Rays, CornersEdgesAndFacesOfOpenSurfaces) {
  Random random(22);
  for (int n = 0; n < test::effort(1); ++n) {
    for (const TriangleMesh& surface : {hills(4, 0.0, random), hills(4, 0.2, random), fan(40)}) {
      for (const bool turned : {false, true}) {
        const Seen seen = shoot_at_all(surface, random, turned);
        EXPECT_EQ(seen.undecided, 0);
        EXPECT_EQ(seen.off, 0);
        EXPECT_EQ(seen.unproved, 0);
        // Outer edges may be missed by the rounding of the target.
        EXPECT_GT(seen.hits, seen.rays * 8 / 10);
      }
    }
  }
}

// Whatever passes beside a closed surface or not: as often in as out.
TEST(Rays, FromInsideToInfinityPassTheSurface) {
  Random random(23);
  for (int n = 0; n < test::effort(200); ++n) {
    const Mesh mesh = Mesh(test::bumpy_mesh(1, 0.2, random)).bare();
    const TriangleMesh& surface = mesh.mesh();
    const Vec3 target = surface.vertices[static_cast<std::size_t>(n) % surface.vertices.size()];
    const CastResult r = ray_cast(mesh, Pose(), {}, target, kInfinity);
    EXPECT_EQ(r.hit, Overlap::yes);
    EXPECT_NEAR(r.time, 1.0, 1e-13);
  }
}

}  // namespace
}  // namespace tactus::detail
