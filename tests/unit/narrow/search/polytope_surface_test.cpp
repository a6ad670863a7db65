// The surface of the expanding polytope, and the caps that spare it faces, each alone.
#include "tactus/narrow/search/polytope_surface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/narrow/search/depth_caps.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

Vec3 unit_vector(Random& random) {
  for (;;) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    const Vec3 v{x, y, z};
    if (squared_norm(v) > 1e-2 && squared_norm(v) < 1.0) return normalized(v);
  }
}

/// A box in an ellipsoid, which overlap.
Cso overlapping(Random& random) {
  const double x = random.uniform(0.5, 1.0), y = random.uniform(0.5, 1.0);
  const Quat turn = normalized(Quat{random.uniform(0.1, 1), random.uniform(-1, 1), 0.3, x});
  return {core_of(Box({x, y, 0.7})), Pose(), core_of(Ellipsoid({y, x, 0.6})),
          Pose(unit_vector(random) * random.uniform(0.0, 0.3), turn)};
}

Cso two_boxes(Random& random) {
  const double x = random.uniform(0.5, 1.0), y = random.uniform(0.5, 1.0);
  const Quat turn = normalized(Quat{random.uniform(0.1, 1), random.uniform(-1, 1), 0.3, x});
  return {core_of(Box({x, y, 0.7})), Pose(), core_of(Box({y, x, 0.6})),
          Pose(unit_vector(random) * random.uniform(0.0, 0.3), turn)};
}

Simplex one_point(const Cso& cso) {
  Simplex start;
  start.size = 1;
  start.point[0] = cso.support({1.0, 0.0, 0.0});
  return start;
}

/// Every edge is met once by a neighbour in the opposite sense.
void expect_closed(const PolytopeSurface& surface) {
  std::vector<std::array<std::uint32_t, 3>> faces;
  surface.list_faces(faces);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const auto& f : faces) {
    for (std::size_t e = 0; e < 3; ++e) ++edges[{f[e], f[(e + 1) % 3]}];
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(edges.contains({edge.second, edge.first}));
  }
  EXPECT_EQ(2 * (surface.vertex_count() - 2), static_cast<int>(faces.size()));
}

TEST(PolytopeSurface, GrowsClosedAndTheNearestFaceBoundsTheDepthFromBelow) {
  Random random(5, 1);
  for (int round = 0; round < test::effort(40); ++round) {
    const Cso cso = overlapping(random);
    PolytopeSurface surface;
    surface.prepare(cso, std::numeric_limits<double>::infinity());
    EpaResult result;
    ASSERT_TRUE(surface.start(cso, one_point(cso), result));
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 500; ++i) least = std::min(least, cso.value(unit_vector(random)));
    double before = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < 60 && surface.make_room(); ++i) {
      const std::uint16_t nearest = surface.nearest();
      if (surface.is_settled(nearest)) break;
      const PolytopeSurface::Face& face = surface.face(nearest);
      // No sampled direction is better than the bound; and it only rises, but for rounding.
      EXPECT_LE(face.distance, least + cso.error_bound);
      if (before > 0.0) {
        EXPECT_GE(face.distance, before - cso.error_bound);
      }
      before = face.distance;
      if (face.final) break;
      SupportPoint& p = surface.next_vertex();
      cso.support(face.normal(), p);
      if (!surface.expand(nearest, p)) break;
      expect_closed(surface);
    }
    EXPECT_GT(surface.vertex_count(), 4);
    EXPECT_GT(before, 0.0);
  }
}

TEST(PolytopeSurface, KeptOneIsPlacedAgainAndOneWithAWrongEdgeIsNot) {
  Random random(5, 2);
  int placed = 0;
  for (int round = 0; round < test::effort(40); ++round) {
    const Cso cso = two_boxes(random);
    PolytopeSurface surface;
    surface.prepare(cso, std::numeric_limits<double>::infinity());
    EpaResult result;
    ASSERT_TRUE(surface.start(cso, one_point(cso), result));
    for (int i = 0; i < 12; ++i) {
      const std::uint16_t nearest = surface.nearest();
      SupportPoint& p = surface.next_vertex();
      cso.support(surface.face(nearest).normal(), p);
      ASSERT_TRUE(surface.expand(nearest, p));
    }
    // Corners of boxes are found again exactly, however few bits of a direction are kept.
    if (!(surface.face(surface.nearest()).distance > 0.0)) continue;
    ++placed;
    KeptSurface kept;
    kept.forget();
    surface.keep(kept);
    ASSERT_EQ(kept.vertex_count, surface.vertex_count());
    PolytopeSurface again;
    again.prepare(cso, std::numeric_limits<double>::infinity());
    ASSERT_TRUE(again.place_vertices(cso, kept));
    EXPECT_TRUE(again.place_faces(kept));
    KeptSurface wrong = kept;
    const auto face = random.below(kept.face_count), edge = random.below(3);
    wrong.faces[face].neighbor[edge] ^= 4u;
    PolytopeSurface third;
    third.prepare(cso, std::numeric_limits<double>::infinity());
    ASSERT_TRUE(third.place_vertices(cso, wrong));
    EXPECT_FALSE(third.place_faces(wrong));
  }
  EXPECT_GT(placed, 0);
}

TEST(DepthCaps, KeepsEightAndKnowsTheirDirections) {
  Random random(5, 3);
  const Cso cso = overlapping(random);
  DepthCaps caps;
  caps.prepare(nullptr);
  EXPECT_TRUE(caps.is_empty());
  for (int i = 0; i < 10; ++i) {
    Critical c;
    c.n = unit_vector(random);
    c.extreme = cso.support(c.n);
    c.value = dot(c.n, c.extreme.w);
    c.simplex.size = 1;
    c.simplex.point[0] = c.extreme;
    EXPECT_EQ(caps.is_full(), i >= DepthCaps::kMaxCaps);
    caps.keep(cso, c, 1e-6);
    EXPECT_EQ(caps.is_near(c.n, 0.99999), i < DepthCaps::kMaxCaps);
    // No cap is lower than that, and every one differs from the direction opposite to it.
    EXPECT_FALSE(caps.has_rival(-c.n, 0.999, -1e9));
    EXPECT_TRUE(caps.has_rival(-c.n, 0.999, 1e9));
  }
  caps.prepare(nullptr);
  EXPECT_TRUE(caps.is_empty());
}

}  // namespace
}  // namespace tactus::detail
