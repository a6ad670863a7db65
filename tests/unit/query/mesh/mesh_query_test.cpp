// Meshes in the pair table: distances against every triangle as a convex body, depths against the
// convex bodies that the meshes are, casts, containment, and the checker.
#include <gtest/gtest.h>

#include <cmath>

#include "tactus/check.hpp"
#include "tactus/query.hpp"
#include "tactus/query/mesh/mesh_search.hpp"
#include "tactus/query/mesh/meshes_depth.hpp"
#include "tactus/shape/mesh_data.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

// Distances of triangles are exact to 1e-14 of the size, which is some four here.
constexpr double kExact = 1e-12;

TriangleMesh box_mesh(const Vec3& half) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back({(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                             (i & 4) != 0 ? half.z : -half.z});
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

bool is_closed(const Shape& shape) {
  const auto* mesh = std::get_if<Mesh>(&shape.geometry());
  return mesh == nullptr || mesh->closed();
}

// All claims of bodies apart; of depths, that the way out is one. Of open meshes without a sign.
void expect_proved(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  options.signed_distance = is_closed(a) && is_closed(b);
  const DistanceResult r = distance(a, pose_a, b, pose_b, options);
  const CheckReport report = check(a, pose_a, b, pose_b, r, &certificate);
  EXPECT_FALSE(report.refuted()) << report.failure;
  if (a.type() == ShapeType::custom || b.type() == ShapeType::custom) return;
  if (!options.signed_distance && !(r.lower > 0.0)) return;
  EXPECT_EQ(report[Claim::lower], Proof::proved) << report.failure << ' ' << to_string(r.status);
  if (r.lower > 0.0) {
    EXPECT_TRUE(report.ok) << report.failure;
  }
}

std::vector<Shape> triangles_of(const TriangleMesh& mesh) {
  std::vector<Shape> shapes;
  for (const auto& t : mesh.triangles) {
    const Vec3 corners[] = {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
    shapes.emplace_back(Convex(corners));
  }
  return shapes;
}

// The distance with its sign; of an open mesh, where it meets the other body, what separates them.
DistanceResult signed_answer(const Mesh& mesh, const Pose& pa, const Shape& b, const Pose& pb,
                             const QueryOptions& given = {}) {
  QueryOptions options = given;
  options.signed_distance = mesh.closed();
  DistanceResult r = distance(mesh, pa, b, pb, options);
  if (mesh.closed() || r.distance > 0.0) return r;
  Manifold patch;
  return contacts(mesh, pa, b, pb, std::span(&patch, 1), options).distance;
}

std::vector<Mesh> some_meshes(Random& random) {
  std::vector<Mesh> meshes;
  meshes.emplace_back(test::bumpy_mesh(2, 0.2, random));
  meshes.emplace_back(test::torus_mesh(12, 6, 0.3));
  TriangleMesh open = test::torus_mesh(12, 6, 0.3);
  open.triangles.resize(70);
  meshes.emplace_back(std::move(open));
  return meshes;
}

TEST(MeshQuery, DistanceIsThatOfTheNearestTriangle) {
  Random random(5);
  const std::vector<Shape> bodies = every_convex_shape(random);
  int apart = 0;
  for (const Mesh& mesh : some_meshes(random)) {
    const Shape a = mesh;
    const std::vector<Shape> triangles = triangles_of(mesh.mesh());
    for (const Shape& b : bodies) {
      for (int n = test::effort(4); n > 0; --n) {
        const Pose pa = random_pose(random, 2.0), pb = random_pose(random, 2.0);
        SCOPED_TRACE(to_string(b.type()));
        QueryOptions options;
        options.signed_distance = mesh.closed();
        const DistanceResult one = distance(a, pa, b, pb, options);
        const DistanceResult swapped = distance(b, pb, a, pa, options);
        EXPECT_EQ(one.distance, swapped.distance);
        EXPECT_EQ(one.point_a, swapped.point_b);
        EXPECT_EQ(one.triangle_a, swapped.triangle_b);
        const DistanceResult r = signed_answer(mesh, pa, b, pb);
        EXPECT_LE(r.lower, r.distance);
        EXPECT_LE(r.distance, r.upper);
        double least = std::numeric_limits<double>::infinity(), upper = least;
        for (const Shape& t : triangles) {
          const DistanceResult of_triangle = distance(t, pa, b, pb);
          least = std::min(least, of_triangle.distance);
          upper = std::min(upper, of_triangle.upper);
        }
        if (!(least > 0.0) || !(r.distance > 0.0)) {
          // No translation that frees the whole is shorter than one that frees a part of it.
          EXPECT_LE(r.lower, upper + kExact);
          continue;
        }
        ++apart;
        const double tolerance = b.type() == ShapeType::custom ? 1e-7 : kExact;
        EXPECT_NEAR(r.distance, least, tolerance);
        EXPECT_EQ(r.status, Status::converged);
        expect_proved(a, pa, b, pb);
        EXPECT_EQ(overlap(a, pa, b, pb).overlap, Overlap::no);
        QueryOptions stop = options;
        stop.max_distance = 0.3 * least;
        const DistanceResult early = distance(a, pa, b, pb, stop);
        EXPECT_LE(early.lower, least + tolerance);
        EXPECT_GE(early.upper, least - tolerance);
        EXPECT_GT(early.lower, stop.max_distance);
        QueryCache cache;
        distance(a, pa, b, pb, options, &cache);
        EXPECT_NEAR(distance(a, pa, b, pb, options, &cache).distance, least, tolerance);
      }
    }
  }
  EXPECT_GT(apart, 15 * test::effort(4));
}

TEST(MeshQuery, AMeshOfABoxIsABox) {
  Random random(6);
  const Vec3 half{0.9, 0.7, 0.5};
  const Shape box = Box(half * 2.0), mesh = Mesh(box_mesh(half));
  TriangleMesh turned = box_mesh(half);
  for (auto& t : turned.triangles) std::swap(t[1], t[2]);
  const Shape inside_out = Mesh(turned);
  std::vector<Shape> bodies = every_convex_shape(random);
  bodies.emplace_back(HalfSpace({0.3, 0.2, 0.9}, 0.1));
  bodies.emplace_back(
      Compound({{Sphere(0.3), Pose()}, {Box({0.4, 0.5, 0.6}), Pose::translation({0.5, 0, 0})}}));
  bodies.push_back(box);
  for (const Shape& b : bodies) {
    for (int n = test::effort(12); n > 0; --n) {
      const Pose pa = random_pose(random, 0.7), pb = random_pose(random, 1.2);
      SCOPED_TRACE(to_string(b.type()));
      const DistanceResult right = distance(box, pa, b, pb);
      for (const Shape* a : {&mesh, &inside_out}) {
        const DistanceResult r = distance(*a, pa, b, pb);
        EXPECT_LE(r.lower, right.upper + kExact);
        EXPECT_GE(r.upper, right.lower - kExact);
        EXPECT_NEAR(r.distance, right.distance, b.type() == ShapeType::custom ? 1e-7 : 2e-8);
        expect_proved(*a, pa, b, pb);
      }
      const DistanceResult both = distance(mesh, pa, Mesh(box_mesh(half)), pb);
      const DistanceResult right_both = distance(box, pa, box, pb);
      EXPECT_NEAR(both.distance, right_both.distance, kExact);
    }
  }
}

TEST(MeshQuery, ClosedMeshesHoldWhatLiesInside) {
  // A torus of many triangles about z; its tube has the radius 0.3.
  const Shape torus = Mesh(test::torus_mesh(64, 32, 0.3));
  TriangleMesh open_mesh = test::torus_mesh(64, 32, 0.3);
  open_mesh.triangles.pop_back();
  const Shape open = Mesh(open_mesh);
  const Shape ball = Sphere(0.05);
  const Pose in_tube = Pose::translation({1.0, 0.01, 0.02});
  EXPECT_EQ(overlap(torus, Pose(), ball, in_tube).overlap, Overlap::yes);
  EXPECT_EQ(overlap(open, Pose(), ball, in_tube).overlap, Overlap::no);
  EXPECT_EQ(overlap(torus, Pose(), ball, Pose()).overlap, Overlap::no);
  const DistanceResult r = distance(torus, Pose(), ball, in_tube);
  // At least the way to the surface and the radius; the tube is 0.3 wide up to its facets.
  EXPECT_LT(r.upper, -0.3);
  EXPECT_GT(r.lower, -0.36);
  // The surfaces are apart, one mesh is inside the other.
  const Shape small = Mesh(test::sphere_mesh(1));
  TriangleMesh big = test::sphere_mesh(2);
  for (Vec3& v : big.vertices) v *= 4.0;
  const Shape large = Mesh(big);
  for (const bool swap : {false, true}) {
    const Shape& a = swap ? small : large;
    const Shape& b = swap ? large : small;
    EXPECT_EQ(overlap(a, Pose(), b, Pose::translation({0.5, 0, 0})).overlap, Overlap::yes);
    EXPECT_LT(distance(a, Pose(), b, Pose()).upper, -3.5);
  }
}

TEST(MeshQuery, DepthOfBodiesThatAreNotConvexIsBracketed) {
  Random random(8);
  const std::vector<Shape> bodies = every_convex_shape(random);
  int deep = 0;
  for (const Mesh& mesh : some_meshes(random)) {
    const Shape a = mesh;
    for (const Shape& b : bodies) {
      for (int n = test::effort(3); n > 0; --n) {
        const Pose pa = random_pose(random, 0.8), pb = random_pose(random, 0.8);
        const DistanceResult r = signed_answer(mesh, pa, b, pb);
        if (r.lower > 0.0) continue;
        ++deep;
        expect_proved(a, pa, b, pb);
        // Less than the upper bound of -distance says does not separate them, in any direction.
        for (int k = 0; k < 20; ++k) {
          const Vec3 way =
              normalized(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
          const double length = std::max(-r.upper, 0.0) * (1.0 - 1e-6);
          const Pose moved = detail::unchecked_pose(pb.position() + way * length, pb.rotation());
          if (length > 0.0) {
            EXPECT_NE(overlap(a, pa, b, moved).overlap, Overlap::no) << to_string(b.type());
          }
        }
      }
    }
  }
  EXPECT_GT(deep, 13 * test::effort(3));
}

TEST(MeshQuery, CastsOfAMeshOfABoxAreThoseOfTheBox) {
  Random random(9);
  const Vec3 half{0.9, 0.7, 0.5};
  const Shape box = Box(half * 2.0), mesh = Mesh(box_mesh(half));
  std::vector<Shape> bodies = every_convex_shape(random);
  bodies.emplace_back(HalfSpace({0.3, 0.2, 0.9}, -3.0));
  int hits = 0;
  for (const Shape& b : bodies) {
    for (int n = test::effort(10); n > 0; --n) {
      const Pose pa = random_pose(random, 0.5), pb = random_pose(random, 4.0);
      Vec3 motion = (pa.position() - pb.position()) * 2.0;
      motion.x += random.uniform(-1.0, 1.0);
      const CastResult right = cast(box, pa, {}, b, pb, motion),
                       r = cast(mesh, pa, {}, b, pb, motion);
      EXPECT_EQ(r.hit, right.hit) << to_string(b.type());
      if (right.hit != Overlap::yes || r.hit != Overlap::yes) continue;
      ++hits;
      EXPECT_LE(r.time, right.time_upper);
      EXPECT_GE(r.time_upper, right.time);
      if (b.type() != ShapeType::custom) {
        EXPECT_NEAR(r.time, right.time, 2e-12);
      }
    }
  }
  EXPECT_GT(hits, 3 * test::effort(10));
  const CastResult two = cast(mesh, Pose(), {}, mesh, Pose::translation({4, 0.1, 0.2}), {-4, 0, 0});
  EXPECT_EQ(two.hit, Overlap::yes);
  EXPECT_NEAR(two.time, (4.0 - 1.8) / 4.0, 1e-13);
  EXPECT_NEAR(norm(two.normal - Vec3{1, 0, 0}), 0.0, 1e-12);
}

TEST(MeshQuery, MeshesOfUnmergedTrianglesAreClosedByPlace) {
  TriangleMesh soup;
  for (const TriangleMesh whole = box_mesh({1, 1, 1}); const auto& t : whole.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.vertices.size());
    for (const std::uint32_t i : t) soup.vertices.push_back(whole.vertices[i]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  const Mesh mesh(soup);
  EXPECT_TRUE(mesh.closed());
  EXPECT_TRUE(mesh.holds({0.2, 0.3, 0.4}));
  EXPECT_FALSE(mesh.holds({1.2, 0.3, 0.4}));
  EXPECT_EQ(mesh.component_vertices().size(), 1u);
}

// Boxes scattered in a ball, as parts and as one mesh.
struct Scattered {
  std::vector<Compound::Part> parts;
  TriangleMesh mesh;

  Scattered(Random& random, int count, double half) {
    for (int i = 0; i < count; ++i) {
      const Vec3 sides{half * random.uniform(0.5, 1.0), half * random.uniform(0.5, 1.0),
                       half * random.uniform(0.5, 1.0)};
      const Pose pose = random_pose(random, 0.6);
      parts.push_back({Box(sides * 2.0), pose});
      const TriangleMesh box = box_mesh(sides);
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (const Vec3& v : box.vertices) mesh.vertices.push_back(pose.to_world(v));
      for (const auto& t : box.triangles)
        mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
  }
};

TEST(MeshQuery, ManyComponentsAreInsideWhereTheirPartsAre) {
  Random random(31);
  const Scattered large(random, 8, 0.35), small(random, 6, 0.02);
  const Mesh mesh_a(large.mesh), mesh_b(small.mesh);
  const Shape a = mesh_a, b = mesh_b, parts_a = Compound(large.parts),
              parts_b = Compound(small.parts);
  int apart = 0, inside = 0;
  for (int i = 0; i < 300; ++i) {
    const Pose pose_a = random_pose(random, 0.2), pose_b = random_pose(random, 1.6);
    const DistanceResult r = distance(a, pose_a, b, pose_b), s = distance(b, pose_b, a, pose_a);
    const double truth = distance(parts_a, pose_a, parts_b, pose_b).distance;
    EXPECT_EQ(r.distance > 0.0, truth > 0.0);
    EXPECT_EQ(s.distance > 0.0, truth > 0.0);
    if (truth > 0.0) {
      EXPECT_NEAR(r.distance, truth, kExact);
      EXPECT_NEAR(s.distance, truth, kExact);
      ++apart;
    } else {
      const Pose pose = relative(pose_a, pose_b);
      const bool meets = bvh::mesh_distance(view_of(mesh_a), Pose(), view_of(mesh_b), pose).meets;
      if (!meets) ++inside;
      EXPECT_TRUE(meets || held_point(mesh_a, mesh_b, pose).has_value());
    }
  }
  EXPECT_GT(apart, 60);
  EXPECT_GT(inside, 10);
}

TEST(MeshQuery, ReachesUpToTheFarthestVertex) {
  Random random(32);
  const Mesh mesh(Scattered(random, 10, 0.2).mesh);
  for (int i = 0; i < 100; ++i) {
    const Vec3 n = normalized(random_pose(random, 1.0).position());
    const double most = farthest_vertex(mesh, n, 0.0).value;
    EXPECT_TRUE(reaches(mesh, n, most));
    EXPECT_FALSE(reaches(mesh, n, std::nextafter(most, 10.0)));
  }
}

TEST(MeshQuery, NamedAlgorithmsDoNotServeMeshes) {
  QueryOptions options;
  options.method = Method::epa;
  const DistanceResult r = distance(Mesh(box_mesh({1, 1, 1})), Pose(), Sphere(1.0),
                                    Pose::translation({3, 0, 0}), options);
  EXPECT_EQ(r.status, Status::unsupported);
  EXPECT_FALSE(std::isfinite(r.lower) || std::isfinite(r.upper));
}

}  // namespace
}  // namespace tactus::detail
