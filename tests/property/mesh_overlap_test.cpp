// Overlap of meshes against the distance of the same pairs: it ends at whatever shows the answer.
#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

// The verdict is that of the distance, and both brackets hold one truth; moved along the normal by
// what the bracket ends at, the bodies are apart.
TEST(MeshOverlap, AgreesWithTheDistance) {
  Random random(47);
  int meet = 0, inside = 0, of_meshes = 0;
  for (int i = 0; i < test::effort(300); ++i) {
    const Shape a = i % 2 == 0 ? Shape(Mesh(test::bumpy_mesh(2, 0.3, random)))
                               : Shape(Mesh(test::torus_mesh(12, 8, random.uniform(0.2, 0.5))));
    const double size = random.uniform(0.05, 1.0);
    TriangleMesh small = test::bumpy_mesh(1, 0.4, random);
    for (Vec3& v : small.vertices) v = v * size;
    const bool two = i % 3 != 0;
    const Shape b = two ? Shape(Mesh(small)) : Shape(Box({size, 0.7 * size, 0.4 * size}));
    const Pose pose(
        Vec3{random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), random.uniform(-0.8, 0.8)},
        random_rotation(random));
    const OverlapResult r = overlap(a, Pose(), b, pose), mirrored = overlap(b, pose, a, Pose());
    const DistanceResult d = distance(a, Pose(), b, pose);
    EXPECT_EQ(r.overlap, d.upper < 0.0 ? Overlap::yes : Overlap::no) << i;
    EXPECT_EQ(mirrored.overlap, r.overlap) << i;
    EXPECT_LE(r.proof.lower, d.upper) << i;
    EXPECT_GE(r.proof.upper, d.lower) << i;
    EXPECT_LE(r.proof.lower, r.proof.distance) << i;
    EXPECT_LE(r.proof.distance, r.proof.upper) << i;
    const Vec3 off = r.proof.point_b - r.proof.point_a - r.proof.normal * r.proof.distance;
    EXPECT_LE(norm(off), 1e-12) << i;
    if (r.overlap != Overlap::yes) continue;
    ++meet;
    of_meshes += two;
    QueryOptions bare;
    bare.signed_distance = false;
    inside += distance(a, Pose(), b, pose, bare).lower > 0.0;
  }
  EXPECT_GT(meet, test::effort(300) / 5);
  EXPECT_GT(of_meshes, test::effort(300) / 8);
  EXPECT_GT(inside, test::effort(300) / 40);
}

}  // namespace
}  // namespace tactus::detail
