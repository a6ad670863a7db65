#include "tactus/fit/decomposition/union_boundary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail::fit {
namespace {

constexpr double kTolerance = 1e-8;

ConvexHull cube() {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  }
  return convex_hull(corners);
}

// Vertices of the part of a body below a plane; `sign` -1: above.
std::vector<Vec3> half(const ConvexHull& body, const Vec3& normal, double offset, double sign) {
  std::vector<Vec3> points;
  const auto height = [&](std::uint32_t v) { return dot(normal, body.vertices[v]) - offset; };
  for (std::uint32_t v = 0; v < body.vertices.size(); ++v) {
    if (sign * height(v) <= 0.0) points.push_back(body.vertices[v]);
  }
  for (const ConvexHull::Edge& e : body.edges) {
    const double low = height(e.tail), high = height(e.head);
    if ((low < 0.0) == (high < 0.0)) continue;
    const Vec3 &p = body.vertices[e.tail], &q = body.vertices[e.head];
    points.push_back(p + (q - p) * (low / (low - high)));
  }
  return points;
}

TEST(UnionBoundary, OfACubeInPiecesIsTheCubesSurface) {
  Random random(11, 3);
  for (int trial = 0; trial < test::effort(60); ++trial) {
    std::vector<ConvexHull> pieces{cube()};
    for (int cut = 0; cut < 12; ++cut) {
      const Vec3 normal = normalized(
          Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, {1, 0, 0});
      // Slices too, which are cut on in their turn.
      const std::size_t at = random.below(static_cast<std::uint32_t>(pieces.size()));
      double low = 9.0, high = -9.0;
      for (const Vec3& v : pieces[at].vertices) {
        low = std::min(low, dot(normal, v));
        high = std::max(high, dot(normal, v));
      }
      const double offset = low + (high - low) * random.uniform(0.01, 0.99);
      ConvexHull below = convex_hull(half(pieces[at], normal, offset, 1.0));
      ConvexHull above = convex_hull(half(pieces[at], normal, offset, -1.0));
      pieces[at] = std::move(below);
      pieces.push_back(std::move(above));
    }
    const TriangleMesh boundary = union_boundary(pieces, kTolerance, 1);
    double area = 0.0;
    for (const auto& t : boundary.triangles) {
      const Vec3 &a = boundary.vertices[t[0]], &b = boundary.vertices[t[1]],
                 &c = boundary.vertices[t[2]];
      const Vec3 middle = (a + b + c) / 3.0;
      ASSERT_NEAR(max_abs(middle), 1.0, 1e-6) << "trial " << trial;
      area += 0.5 * norm(cross(b - a, c - a));
    }
    EXPECT_NEAR(area, 24.0, 1e-5) << "trial " << trial;
  }
}

}  // namespace
}  // namespace tactus::detail::fit
