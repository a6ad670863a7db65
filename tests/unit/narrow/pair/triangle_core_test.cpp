// The lowest point of a body over a triangle, taken for the answer, against the whole search.
#include "tactus/narrow/pair/triangle_core.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

Triangle triangle_about(Random& random) {
  Triangle t;
  for (Vec3& corner : t.corner) corner = random_pose(random, 1.5).position();
  return t;
}

// How far the triangle reaches past the body along n.
double overlap_along(const Triangle& t, const Core& core, const Mat3& rotation, const Vec3& n) {
  const double high =
      std::max(dot(n, t.corner[0]), std::max(dot(n, t.corner[1]), dot(n, t.corner[2])));
  return high + support_value(core, transpose_times(rotation, -n)) + core.radius;
}

TEST(TriangleCore, OverItsFaceTheAnswerIsThatOfTheSearch) {
  Random random(61);
  int faces = 0, overlaps = 0;
  for (int i = 0; i < test::effort(6000); ++i) {
    const std::vector<Shape> shapes = every_convex_shape(random);
    const Shape& body = shapes[static_cast<std::size_t>(i) % shapes.size()];
    const Mat3 rotation = to_matrix(random_rotation(random));
    Triangle t = triangle_about(random);
    if (i % 2 == 0) {
      // Just touching, where the depth is small beside all else.
      Epa epa;
      const ConvexAnswer apart = triangle_to_core(t, core_of(body), rotation, {}, epa);
      const double push = apart.distance + random.uniform(0.0, i % 4 == 0 ? 1e-4 : 0.1);
      for (Vec3& corner : t.corner) corner += apart.n * push;
    }
    TriangleCoreOptions options;
    Epa epa;
    const ConvexAnswer whole = triangle_to_core(t, core_of(body), rotation, options, epa);
    options.over_face = true;
    const ConvexAnswer face = triangle_to_core(t, core_of(body), rotation, options, epa);
    ASSERT_LE(face.lower, whole.upper + 1e-12) << i;
    ASSERT_GE(face.upper, whole.lower - 1e-12) << i;
    ASSERT_NEAR(face.distance, whole.distance, 3e-8) << i;
    if (!face.closed_form || whole.closed_form) continue;
    ++faces;
    overlaps += face.distance < 0.0 ? 1 : 0;
    EXPECT_NEAR(overlap_along(t, core_of(body), rotation, face.n), -face.distance, 1e-12) << i;
    EXPECT_NEAR(norm(face.point_b - face.point_a - face.n * face.distance), 0.0, 1e-12) << i;
  }
  EXPECT_GT(faces, test::effort(300));
  EXPECT_GT(overlaps, test::effort(100));
}

}  // namespace
}  // namespace tactus::detail
