#include "tests/oracle/mesh_reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/mesh_maker.hpp"
#include "fuzz/random_values.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail::oracle {
namespace {

using lab::Real;

// Roundings of the lengths by which the library's own bracket may be off: its poses' matrices are
// rotations to rounding only.
constexpr Real kOfLibrary = 64.0L * 0x1p-53L;

// No pair is larger, its offset included.
constexpr Real kSize = 16.0L;

TriangleMesh one_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  return {{a, b, c}, {{0, 1, 2}}};
}

TEST(MeshReference, KnownDistances) {
  const TriangleMesh flat = one_triangle({0, 0, 0}, {4, 0, 0}, {0, 4, 0});
  const TriangleMesh tip = one_triangle({1, 1, 0}, {1, 1, 2}, {2, 1, 2});
  const auto at = [&](const Vec3& v) {
    return mesh_reference(flat, Pose(), tip, Pose::translation(v));
  };
  EXPECT_NEAR(static_cast<double>(at({0, 0, 3}).distance), 3.0, 1e-15);  // corner and face
  EXPECT_NEAR(static_cast<double>(at({-3, 1, 3}).distance), std::sqrt(4.0 + 9.0), 1e-15);
  EXPECT_TRUE(at({0, 0, -1}).meet);
  EXPECT_EQ(at({0, 0, -1}).distance, 0);
  // Two edges across each other.
  const TriangleMesh over = one_triangle({1, -1, 2}, {1, 1, 2}, {1, 0, 3});
  const TriangleMesh under = one_triangle({0, 0, 0}, {2, 0, 0}, {1, 0, -1});
  EXPECT_NEAR(static_cast<double>(mesh_reference(over, Pose(), under, Pose()).distance), 2.0,
              1e-15);
}

struct Body {
  Shape shape;
  TriangleMesh surface;
  bool closed = true;
};

/// A box, whose surface is that of its corners.
Body make_box(Random& random) {
  const Vec3 size = fuzz::vector_in(random, 0.2, 1.0);
  Body body{Box(size), {}};
  for (int i = 0; i < 8; ++i) {
    const Vec3 sign{(i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5,
                    (i & 4) != 0 ? 0.5 : -0.5};
    body.surface.vertices.push_back(component_product(sign, size));
  }
  body.surface.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                            {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return body;
}

Body make_body(Random& random, fuzz::Style style, double size) {
  const Shape shape = scaled(fuzz::make_mesh(random, style), size);
  const Mesh& mesh = std::get<Mesh>(shape.geometry());
  return {shape, mesh.mesh(), mesh.closed()};
}

// Random pairs, near, touching by exact coordinates and far from the origin: every bracket holds
// the reference to its error.
TEST(MeshReference, AnswersHoldTheTruth) {
  int apart = 0, meeting = 0, inside = 0;
  const int pairs = std::max(120, test::effort(240));
  for (int i = 0; i < pairs; ++i) {
    Random random(17, static_cast<std::uint64_t>(i));
    const fuzz::Style style = i % 3 == 0 ? fuzz::Style::exact : fuzz::Style::usual;
    const Body a = make_body(random, style, 1.0);
    const bool small = i % 4 == 1;
    const Body b = i % 4 == 2 ? make_box(random) : make_body(random, style, small ? 0.02 : 1.0);
    const double far = i % 5 == 0 ? 1e6 : 0.0;
    const auto pose = [&] {
      const Vec3 v = fuzz::vector_in(random, -1.2, 1.2) * (small ? 0.2 : 1.0);
      if (style != fuzz::Style::exact)
        return Pose(v + Vec3{far, -far, far}, fuzz::rotation(random));
      return Pose::translation({0.25 * std::floor(4.0 * v.x), 0.25 * std::floor(4.0 * v.y), far});
    };
    const Pose pose_a = pose(), pose_b = pose();
    const MeshReference truth = mesh_reference(a.surface, pose_a, b.surface, pose_b);
    QueryOptions options;
    options.signed_distance = a.closed && b.closed;
    const DistanceResult r = distance(a.shape, pose_a, b.shape, pose_b, options);
    const OverlapResult o = overlap(a.shape, pose_a, b.shape, pose_b);
    const bool holds = (a.closed && truth.b_in_a != 0) || (b.closed && truth.a_in_b != 0);
    const Real slack = truth.error + kOfLibrary * kSize;
    SCOPED_TRACE(i);
    if (truth.meet || (holds && truth.distance > slack)) {
      meeting += truth.meet ? 1 : 0;
      inside += truth.meet ? 0 : 1;
      EXPECT_NE(o.overlap, Overlap::no);
      EXPECT_LE(Real(r.lower), slack);
    } else if (truth.distance > slack) {
      ++apart;
      EXPECT_LE(Real(r.lower), truth.distance + slack);
      EXPECT_GE(Real(r.upper), truth.distance - slack);
      EXPECT_EQ(o.overlap, Overlap::no);
    }
  }
  EXPECT_GT(apart, pairs / 5);
  EXPECT_GT(meeting, pairs / 20);
  EXPECT_GT(inside, 0);
}

}  // namespace
}  // namespace tactus::detail::oracle
