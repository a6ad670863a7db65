// Answers of meshes that were undecided, that changed with the order of the arguments, or that said
// of their normal and points what is not so.
#include <gtest/gtest.h>

#include <cmath>

#include "fuzz/random_values.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/query.hpp"
#include "tactus/shape/membership.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

TriangleMesh tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

Pose somewhere(Random& random, double reach) {
  return {fuzz::vector_in(random, -reach, reach), fuzz::rotation(random)};
}

std::vector<Shape> some_meshes(Random& random) {
  std::vector<Shape> meshes;
  meshes.emplace_back(Mesh(test::sphere_mesh(1)));
  meshes.emplace_back(Mesh(test::bumpy_mesh(1, 0.3, random)));
  meshes.emplace_back(Mesh(test::torus_mesh(10, 6, 0.3)));
  TriangleMesh open = test::bumpy_mesh(1, 0.2, random);
  open.triangles.resize(20);
  meshes.emplace_back(Mesh(open));
  meshes.emplace_back(Mesh(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 2, 1}}}));
  return meshes;
}

bool is_closed(const Shape& mesh) { return std::get<Mesh>(mesh.geometry()).closed(); }

// Is B, moved by -lower along the normal, apart but for rounding? Nothing is asked of a bracket
// without an end.
void expect_separated(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
                      const DistanceResult& r, double size) {
  if (!std::isfinite(r.lower)) return;
  const double length = -r.lower + 1e-10 * size;
  const Pose moved = detail::unchecked_pose(pb.position() + r.normal * length, pb.rotation());
  EXPECT_NE(overlap(a, pa, b, moved).overlap, Overlap::yes)
      << to_string(b.type()) << " " << r.lower << " " << r.upper;
}

// The search stopped at the first volumes, without a triangle, and the answer was none.
TEST(MeshCases, MeshesApartDoNotOverlap) {
  const Shape closed = Mesh(tetrahedron());
  const Shape open = Mesh(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 2, 1}}});
  const Pose far = Pose::translation({5, 0, 0});
  for (const Shape* a : {&closed, &open}) {
    for (const Shape* b : {&closed, &open}) {
      const OverlapResult r = overlap(*a, Pose(), *b, far);
      EXPECT_EQ(r.overlap, Overlap::no);
      EXPECT_EQ(r.proof.status, Status::converged);
      EXPECT_LE(r.proof.lower, 4.0);
      EXPECT_GE(r.proof.upper, 4.0);
      EXPECT_GE(r.proof.upper, norm(r.proof.point_b - r.proof.point_a));
    }
  }
  Random random(1, 1);
  const std::vector<Shape> meshes = some_meshes(random);
  int apart = 0;
  for (int n = test::effort(400); n > 0; --n) {
    const Shape& a = meshes[random.below(5)];
    const Shape& b = meshes[random.below(5)];
    const Pose pa = somewhere(random, 2.0), pb = somewhere(random, 2.0);
    QueryOptions bare;
    bare.signed_distance = false;
    const DistanceResult d = distance(a, pa, b, pb, bare);
    const OverlapResult r = overlap(a, pa, b, pb);
    if (d.lower > 0.0) {
      ++apart;
      EXPECT_EQ(r.overlap, Overlap::no);
      EXPECT_LE(r.proof.lower, d.upper);
      EXPECT_GE(r.proof.upper, d.lower);
    }
  }
  EXPECT_GT(apart, test::effort(400) / 4);
}

// Depths of two meshes were searched from the first one, so that they differed for swapped meshes.
TEST(MeshCases, SwappedMeshesAnswerTheSame) {
  Random random(1, 2);
  const std::vector<Shape> meshes = some_meshes(random);
  int deep = 0;
  const auto expect_mirrored = [](const DistanceResult& r, const DistanceResult& s) {
    EXPECT_EQ(r.status, s.status);
    EXPECT_EQ(r.distance, s.distance);
    EXPECT_EQ(r.lower, s.lower);
    EXPECT_EQ(r.upper, s.upper);
    EXPECT_EQ(r.normal, -s.normal);
    EXPECT_EQ(r.point_a, s.point_b);
    EXPECT_EQ(r.point_b, s.point_a);
    EXPECT_EQ(r.triangle_a, s.triangle_b);
    EXPECT_EQ(r.triangle_b, s.triangle_a);
  };
  for (int n = test::effort(200); n > 0; --n) {
    const Shape& a = meshes[random.below(5)];
    const Shape& b = meshes[random.below(5)];
    const Pose pa = somewhere(random, 0.8), pb = somewhere(random, 0.8);
    QueryOptions options;
    options.signed_distance = is_closed(a) && is_closed(b);
    if (n % 3 == 0) options.max_iterations = 1 + static_cast<int>(random.below(5));
    if (n % 5 == 0) options.max_distance = random.uniform(0.0, 0.5);
    const DistanceResult r = distance(a, pa, b, pb, options);
    deep += r.upper < 0.0 ? 1 : 0;
    expect_mirrored(r, distance(b, pb, a, pa, options));
    const OverlapResult o = overlap(a, pa, b, pb, options);
    const OverlapResult swapped = overlap(b, pb, a, pa, options);
    EXPECT_EQ(o.overlap, swapped.overlap);
    expect_mirrored(o.proof, swapped.proof);
  }
  EXPECT_GT(deep, test::effort(200) / 10);
}

// The search stopped without a triangle, and nothing was known from above.
TEST(MeshCases, EarlyStopsKeepTheBracket) {
  Random random(1, 3);
  const std::vector<Shape> meshes = some_meshes(random);
  int stopped = 0;
  for (int n = test::effort(300); n > 0; --n) {
    const Shape& a = meshes[random.below(5)];
    const Shape& b = meshes[random.below(5)];
    const Pose pa = somewhere(random, 2.0), pb = somewhere(random, 2.0);
    QueryOptions options;
    options.signed_distance = false;
    const DistanceResult whole = distance(a, pa, b, pb, options);
    if (!(whole.lower > 0.0)) continue;
    options.max_distance = whole.lower * random.uniform(0.0, 0.9);
    const DistanceResult early = distance(a, pa, b, pb, options);
    ++stopped;
    EXPECT_EQ(early.status, Status::converged);
    EXPECT_GT(early.lower, options.max_distance);
    EXPECT_LE(early.lower, whole.upper);
    EXPECT_GE(early.upper, whole.lower);
    EXPECT_LE(norm(early.point_b - early.point_a), early.upper);
  }
  EXPECT_GT(stopped, test::effort(300) / 4);
}

// The normal of a triangle's search that had stopped early was given for the whole way out.
TEST(MeshCases, FewIterationsKeepTheNormalTrue) {
  Random random(1, 4);
  int deep = 0;
  for (int n = test::effort(30); n > 0; --n) {
    const std::vector<Shape> meshes = some_meshes(random);
    for (const Shape& b : every_convex_shape(random)) {
      const Shape& a = meshes[random.below(4)];
      const Pose pa({}, fuzz::rotation(random)), pb = somewhere(random, 0.6);
      QueryOptions options;
      options.max_iterations = static_cast<int>(random.below(6)) - 1;
      if (n % 2 == 0) options.tolerance = fuzz::power_of_ten(random, -9.0, 0.0);
      if (n % 3 == 0) options.max_distance = fuzz::power_of_ten(random, -6.0, 0.0);
      // Contacts tell what separates a bare surface.
      Manifold patch;
      const DistanceResult r = is_closed(a)
                                   ? distance(a, pa, b, pb, options)
                                   : contacts(a, pa, b, pb, std::span(&patch, 1), options).distance;
      EXPECT_LE(r.lower, r.distance);
      EXPECT_LE(r.distance, r.upper);
      deep += r.lower < 0.0 ? 1 : 0;
      expect_separated(a, pa, b, pb, r, 4.0);
    }
    const Shape& a = meshes[random.below(3)];
    const Shape& b = meshes[random.below(3)];
    const Pose pa({}, fuzz::rotation(random)), pb = somewhere(random, 0.6);
    QueryOptions options;
    options.max_iterations = static_cast<int>(random.below(6)) - 1;
    expect_separated(a, pa, b, pb, distance(a, pa, b, pb, options), 4.0);
  }
  EXPECT_GT(deep, test::effort(30) * 4);
}

// The witnesses of the triangle that looked nearest, beside an upper bound that was another's.
TEST(MeshCases, WitnessesOfSmallBodiesProveTheirBracket) {
  Random random(1, 5);
  const Shape globe = Mesh(test::bumpy_mesh(4, 1e-3, random));
  for (int n = test::effort(150); n > 0; --n) {
    const double small = fuzz::power_of_ten(random, -4.0, -2.0);
    const double length = small * random.uniform(0.5, 6.0);
    const Shape body = n % 3 == 0   ? Shape(Cone(small, length))
                       : n % 3 == 1 ? Shape(Cylinder(small, length))
                                    : Shape(Ellipsoid({small, length, 2.0 * small}));
    const Pose pa({}, fuzz::rotation(random));
    const Pose pb(fuzz::direction(random) * random.uniform(1.5, 3.0), fuzz::rotation(random));
    const DistanceResult r = distance(globe, pa, body, pb);
    ASSERT_GT(r.lower, 0.0);
    EXPECT_EQ(r.status, Status::converged);
    EXPECT_LE(norm(r.point_b - r.point_a), r.upper + 8.0 * kUnit * 3.0);
  }
}

// Answers for an open mesh had a sign as depths have, which an open surface does not define.
TEST(MeshCases, DistanceOfAnOpenMeshIsUnsigned) {
  Random random(1, 6);
  TriangleMesh bowl_mesh = test::bumpy_mesh(2, 0.1, random);
  bowl_mesh.triangles.pop_back();
  const Shape bowl = Mesh(bowl_mesh);
  std::vector<Shape> bodies = every_convex_shape(random);
  bodies.emplace_back(HalfSpace({0.1, 0.2, 0.9}, -0.2));
  bodies.push_back(bowl);
  bodies.emplace_back(Mesh(test::sphere_mesh(1)));
  bodies.emplace_back(Compound({{bowl, Pose::translation({0.1, 0.0, 0.2})}}));
  int meet = 0, apart = 0;
  for (int n = test::effort(20); n > 0; --n) {
    for (const Shape& b : bodies) {
      const Pose pa({}, fuzz::rotation(random)), pb = somewhere(random, 1.2);
      EXPECT_EQ(distance(bowl, pa, b, pb).status, Status::unsupported);
      EXPECT_EQ(distance(b, pb, bowl, pa).status, Status::unsupported);
      QueryOptions bare;
      bare.signed_distance = false;
      const DistanceResult r = distance(bowl, pa, b, pb, bare);
      EXPECT_EQ(r.status, Status::converged) << to_string(b.type());
      // Placing a part rounds.
      EXPECT_GE(r.lower, b.type() == ShapeType::compound ? -1e-14 : 0.0);
      EXPECT_LE(r.lower, r.distance);
      EXPECT_LE(r.distance, r.upper);
      EXPECT_LE(norm(r.point_b - r.point_a), r.upper + 1e-15);
      // The points are of both shapes.
      EXPECT_LE(distance_outside(bowl, pa.to_local(r.point_a)), 1e-13);
      EXPECT_LE(distance_outside(b, pb.to_local(r.point_b)), 1e-13) << to_string(b.type());
      const Overlap overlapping = overlap(bowl, pa, b, pb).overlap;
      EXPECT_EQ(overlapping, r.lower > 0.0 ? Overlap::no : Overlap::yes) << to_string(b.type());
      (r.lower > 0.0 ? apart : meet) += 1;
    }
  }
  EXPECT_GT(meet, test::effort(20) * 3);
  EXPECT_GT(apart, test::effort(20) * 3);
}

}  // namespace
}  // namespace tactus::detail
