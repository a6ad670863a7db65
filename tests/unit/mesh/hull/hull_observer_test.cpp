#include "tactus/mesh/hull/hull_observer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/mesh/hull/quickhull.hpp"

// The steps that an observer of a hull is told of are true of the points, and lead to the hull that
// everybody gets.
namespace tactus::detail {
namespace {

using Index = std::uint32_t;
using Edge = std::pair<Index, Index>;

void expect_same(const ConvexHull& x, const ConvexHull& y) {
  EXPECT_EQ(x.dimension, y.dimension);
  EXPECT_EQ(x.source, y.source);
  EXPECT_EQ(x.face_vertices, y.face_vertices);
  ASSERT_EQ(x.faces.size(), y.faces.size());
  for (std::size_t f = 0; f < x.faces.size(); ++f) {
    EXPECT_EQ(x.faces[f].normal, y.faces[f].normal);
    EXPECT_EQ(x.faces[f].offset, y.faces[f].offset);
  }
}

std::set<Edge> edges_of(const HullSurface& surface, std::span<const Index> triangles) {
  std::set<Edge> edges;
  for (const Index t : triangles) {
    const auto& corner = surface[t].corner;
    for (std::size_t i = 0; i < 3; ++i) edges.insert({corner[i], corner[(i + 1) % 3]});
  }
  return edges;
}

std::vector<Index> all_of(const HullSurface& surface) {
  std::vector<Index> out;
  for (Index t = 0; t < surface.slots(); ++t)
    if (surface.alive(t)) out.push_back(t);
  return out;
}

struct SpaceTruth : HullObserver {
  explicit SpaceTruth(std::span<const Vec3> all) : points(all) {}

  void begin(const Quickhull& hull) override {
    ++begins;
    EXPECT_EQ(hull.surface().count(), 4u);
    expect_lists(hull);
  }

  // A face is seen exactly when the point is strictly outside of its plane; a rim's edge lies
  // between a face that is seen and one that is not.
  void found(const Quickhull& hull, Index start, Index point) override {
    const HullSurface& surface = hull.surface();
    const std::set<Index> seen(surface.visible().begin(), surface.visible().end());
    EXPECT_TRUE(seen.count(start) == 1);
    for (const Index t : all_of(surface)) {
      const auto& [a, b, c] = surface[t].corner;
      EXPECT_EQ(orient3d(points[a], points[b], points[c], points[point]) > 0, seen.count(t) == 1);
    }
    const std::set<Edge> inside = edges_of(surface, surface.visible());
    rim = surface.rim().size();
    std::size_t open = 0;
    for (const auto& [tail, head] : inside) open += inside.count({head, tail}) == 0 ? 1 : 0;
    EXPECT_EQ(rim, open);
    for (const HullSurface::RimEdge& edge : surface.rim()) {
      EXPECT_TRUE(inside.count({edge.tail, edge.head}) == 1);
      EXPECT_FALSE(inside.count({edge.head, edge.tail}) == 1);
      EXPECT_TRUE(seen.count(edge.beyond) == 0);
      EXPECT_TRUE(edges_of(surface, {&edge.beyond, 1}).count({edge.head, edge.tail}) == 1);
    }
    next = point;
  }

  void grown(const Quickhull& hull, Index point) override {
    ++steps;
    const HullSurface& surface = hull.surface();
    EXPECT_EQ(point, next);
    EXPECT_EQ(surface.cone().size(), rim);
    for (const Index t : surface.cone()) EXPECT_EQ(surface[t].corner[2], point);
    corners.clear();
    const std::vector<Index> triangles = all_of(surface);
    const std::set<Edge> edges = edges_of(surface, triangles);
    EXPECT_EQ(edges.size(), 3 * triangles.size());
    for (const auto& [tail, head] : edges) {
      EXPECT_TRUE(edges.count({head, tail}) == 1);
      corners.insert(tail);
    }
    expect_lists(hull);
  }

  // Who waits at a face sees it, and waits once.
  void expect_lists(const Quickhull& hull) {
    std::set<Index> now;
    for (const Index t : all_of(hull.surface())) {
      const auto& [a, b, c] = hull.surface()[t].corner;
      for (Index p = hull.first_waiting(t); p != kNoIndex; p = hull.next_waiting(p)) {
        EXPECT_TRUE(orient3d(points[a], points[b], points[c], points[p]) > 0);
        EXPECT_TRUE(now.insert(p).second);
      }
    }
    if (begins == 1 && steps == 0) waiting = now;
    EXPECT_TRUE(std::includes(waiting.begin(), waiting.end(), now.begin(), now.end()));
    waiting = std::move(now);
  }

  std::span<const Vec3> points;
  std::set<Index> corners, waiting;
  std::size_t rim = 0;
  Index next = 0;
  int begins = 0, steps = 0;
};

struct PlaneTruth : HullObserver {
  void order(std::span<const Index> all) override { sorted.assign(all.begin(), all.end()); }
  void chain(const ChainStep& step) override {
    ASSERT_GE(chain_now.size() + 1, step.removed + 1);
    chain_now.resize(chain_now.size() - step.removed);
    chain_now.push_back(step.point);
    EXPECT_TRUE(
        std::equal(chain_now.begin(), chain_now.end(), step.chain.begin(), step.chain.end()));
    (step.upper ? upper : lower).push_back(step.point);
  }
  std::vector<Index> sorted, chain_now, lower, upper;
};

std::vector<Vec3> cloud(int count, bool grid, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    const auto place = [&] {
      const double x = random.uniform(-1.0, 1.0);
      return grid ? std::floor(2.0 * x) : x;
    };
    const double x = place(), y = place(), z = place();
    points.push_back({x, y, z});
  }
  return points;
}

TEST(HullObserver, StepsInSpaceAreTrueAndEndWithTheHull) {
  int told = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::vector<Vec3> points = cloud(4 + static_cast<int>(seed), seed % 4 == 3, seed);
    SpaceTruth truth(points);
    const ConvexHull hull = observed_hull(points, truth);
    expect_same(hull, convex_hull(points));
    if (hull.dimension < 3) continue;
    told += truth.steps;
    EXPECT_EQ(truth.begins, 1);
    EXPECT_TRUE(truth.waiting.empty());
    if (truth.steps == 0) continue;
    // Flat faces may hold further corners; equal points stand for each other.
    for (const Vec3& v : hull.vertices) {
      EXPECT_TRUE(std::any_of(truth.corners.begin(), truth.corners.end(),
                              [&](Index i) { return points[i] == v; }));
    }
    if (seed % 4 != 3) {
      EXPECT_EQ(hull.source.size(), truth.corners.size());
    }
  }
  EXPECT_GT(told, 100);
}

TEST(HullObserver, StepsInThePlaneAreThoseOfAChain) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    std::vector<Vec3> points = cloud(3 + static_cast<int>(seed), seed % 4 == 3, seed);
    for (Vec3& p : points) p.z = 0.0;
    PlaneTruth truth;
    const ConvexHull hull = observed_hull(points, truth);
    expect_same(hull, convex_hull(points));
    if (hull.dimension < 2) continue;
    EXPECT_EQ(truth.lower, truth.sorted);
    // Back from the last but one to the first, which closes the chain.
    const std::vector<Index> back(truth.sorted.rbegin() + 1, truth.sorted.rend());
    EXPECT_EQ(truth.upper, back);
    ASSERT_EQ(truth.chain_now.size(), hull.source.size() + 1);
    EXPECT_EQ(truth.chain_now.front(), truth.chain_now.back());
    std::vector<Index> corners(truth.chain_now.begin(), truth.chain_now.end() - 1);
    std::sort(corners.begin(), corners.end());
    EXPECT_EQ(corners, hull.source);
  }
}

TEST(HullObserver, PointsInALineHaveNoSteps) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}};
  SpaceTruth truth(points);
  expect_same(observed_hull(points, truth), convex_hull(points));
  EXPECT_EQ(truth.begins + truth.steps, 0);
}

}  // namespace
}  // namespace tactus::detail
