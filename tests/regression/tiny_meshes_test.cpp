#include <gtest/gtest.h>

#include <cmath>

#include "fuzz/random_values.hpp"
#include "tactus/bvh/mesh_distance.hpp"
#include "tests/support/meshes.hpp"

// Squares of lengths near 1e-22 have few digits left in single precision: bounds made of them were
// too large by some percent, and nearest triangles were left out.
namespace tactus::detail::bvh {
namespace {

template <class Volume>
class TinyMeshes : public testing::Test {};
using Volumes = testing::Types<OrientedBox, AlignedBox, Ball, Dop14, SweptRectangle>;
TYPED_TEST_SUITE(TinyMeshes, Volumes);

TYPED_TEST(TinyMeshes, AreAsFarApartAsLargeOnes) {
  Random random(3, 4);
  const TriangleMesh mesh = test::bumpy_mesh(1, 0.3, random);
  const Hierarchy<TypeParam> tree(mesh);
  for (const int exponent : {-40, -45, -66, -72, -73, -74}) {
    TriangleMesh tiny = mesh;
    for (Vec3& v : tiny.vertices) v = v * std::ldexp(1.0, exponent);
    const Hierarchy<TypeParam> tiny_tree(tiny);
    for (int trial = 0; trial < 20; ++trial) {
      const Pose a({}, fuzz::rotation(random));
      const Pose b(fuzz::direction(random) * random.uniform(1.5, 4.0), fuzz::rotation(random));
      const Pose tiny_b =
          detail::unchecked_pose(b.position() * std::ldexp(1.0, exponent), b.rotation());
      const MeshDistance d = mesh_distance_by(mesh, tree, a, mesh, tree, b);
      const MeshDistance t = mesh_distance_by(tiny, tiny_tree, a, tiny, tiny_tree, tiny_b);
      EXPECT_NEAR(std::ldexp(t.distance, -exponent), d.distance, 1e-12) << exponent;
      EXPECT_LE(t.lower, t.distance);
      EXPECT_NEAR(std::ldexp(t.lower, -exponent), d.lower, 1e-12) << exponent;
    }
  }
}

}  // namespace
}  // namespace tactus::detail::bvh
