// Contacts of finely triangulated faces: those of the whole face, whatever its triangles are.
#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail {
namespace {

constexpr double kGaps[] = {1e-4, 0.0, -1e-6, -1e-3};

// The manifold that faces upwards.
const Manifold* upwards(std::span<const Manifold> manifolds) {
  for (const Manifold& m : manifolds) {
    if (m.normal.z > 0.999) return &m;
  }
  return nullptr;
}

// The bottom of a box of edge length 1, turned by `angle` about z: its four corners.
void expect_corners(const Shape& floor, double floor_top, const Shape& box, double angle) {
  for (const double gap : kGaps) {
    const Pose pose = Pose::from_axis_angle({0.1, 0.05, floor_top + 0.5 + gap}, {0, 0, 1}, angle);
    Manifold manifolds[16];
    QueryOptions options;
    options.margin = 0.01;
    const ContactsResult r = contacts(floor, Pose(), box, pose, manifolds, options);
    EXPECT_NEAR(r.distance.distance, gap, 4e-15);
    const Manifold* const m = upwards(std::span(manifolds, static_cast<std::size_t>(r.manifolds)));
    ASSERT_NE(m, nullptr) << gap;
    ASSERT_EQ(m->count, 4) << gap;
    for (const double x : {-0.5, 0.5}) {
      for (const double y : {-0.5, 0.5}) {
        const Vec3 corner = pose.to_world({x, y, -0.5});
        double nearest = 1.0;
        for (const ContactPoint& p : m->span())
          nearest = std::min(nearest, norm(p.point_b - corner));
        EXPECT_LE(nearest, 7e-15) << gap << ' ' << x << ' ' << y;
      }
    }
  }
}

TriangleMesh scaled_floor(std::uint32_t n) {
  TriangleMesh floor = test::dented_box_mesh(n);
  // Upside down: the dent is below, all of the top is flat.
  for (Vec3& v : floor.vertices) v = {4.0 * v.x, -4.0 * v.y, -0.1 * v.z};
  return floor;
}

// 5,000 triangles of a flat bottom on a convex body and on a mesh of few and of many triangles.
TEST(MeshContacts, FineFlatFacesTouchAtTheirCorners) {
  const Shape box = Mesh(test::dented_box_mesh(50));
  expect_corners(Box({4, 4, 0.1}), 0.05, box, 0.0);
  expect_corners(Box({4, 4, 0.1}), 0.05, box, 0.5);
  expect_corners(Mesh(scaled_floor(4)), 0.05, box, 0.0);
  expect_corners(Mesh(scaled_floor(4)), 0.05, box, 0.5);
  expect_corners(Mesh(scaled_floor(16)), 0.05, Mesh(test::dented_box_mesh(12)), 0.5);
}

// A face of several triangles that leans by more than the normals of one plane do, and by less than
// what its corners are apart for.
TEST(MeshContacts, AFaceThatLeansABitTouchesAtAllItsCorners) {
  Random random(7);
  const Shape box = Mesh(test::dented_box_mesh(1));
  const Shape floors[] = {Box({4, 4, 1}), HalfSpace({0, 0, 1}, 0.5), Mesh(scaled_floor(4))};
  const double tops[] = {0.5, 0.5, 0.05};
  for (int i = 0; i < test::effort(400); ++i) {
    const std::size_t k = random.below(3);
    const double lean = std::pow(10.0, random.uniform(-8.0, -4.0));
    const double gap = random.uniform(-1e-5, 1e-5), about = random.uniform(0.0, 6.0);
    const Pose pose =
        Pose::from_axis_angle({0.1, 0.05, tops[k] + 0.5 + gap}, {0, 0, 1}, about) *
        Pose::from_axis_angle({}, {std::cos(7.0 * about), std::sin(7.0 * about), 0.0}, lean);
    Manifold manifolds[4];
    QueryOptions options;
    options.margin = 0.01;
    const ContactsResult r = contacts(floors[k], Pose(), box, pose, manifolds, options);
    ASSERT_EQ(r.manifolds, 1) << i;
    EXPECT_EQ(manifolds[0].count, 4) << i << ": leaning by " << lean << " on " << k;
  }
}

}  // namespace
}  // namespace tactus::detail
