#include "tactus/ccd/hash_observer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/support/meshes.hpp"

// The steps that an observer of the moving hash is told of are true of the surfaces, add up to the
// counts, and their hits are those of the answer.
namespace tactus::detail {
namespace {

using ccd::SurfaceImpact;
using ccd::SurfaceImpacts;
using Hit = std::tuple<SurfaceImpact::Kind, std::uint32_t, std::uint32_t, double>;

struct Truth : HashObserver {
  void table(Kind k, const MovingHash& hash, std::span<const std::uint32_t> faces) override {
    kind = k;
    ranges.clear();
    for (std::uint32_t i = 0; i < faces.size(); ++i) ranges[faces[i]] = hash.range(i);
    EXPECT_GE(hash.places(), 2 * faces.size());
  }
  void way(std::uint32_t vertex, std::span<const MovingHash::Cell> all) override {
    now = vertex;
    cells.assign(all.begin(), all.end());
    seen.clear();
  }
  void found(std::uint32_t vertex, std::uint32_t face, const MovingHash::Cell& cell,
             HashEnd end) override {
    EXPECT_EQ(vertex, now);
    EXPECT_TRUE(std::find(cells.begin(), cells.end(), cell) != cells.end());
    ++stages.found;
    const MovingHash::Range& r = ranges.at(face);
    bool covered = true;
    for (std::size_t i = 0; i < 3; ++i)
      covered = covered && r.low[i] <= cell[i] && cell[i] <= r.high[i];
    EXPECT_EQ(covered, end != HashEnd::collision);
    if (end == HashEnd::collision) ++stages.collisions;
    if (covered) {
      EXPECT_EQ(seen.insert(face).second, end != HashEnd::repeated);
    }
    if (end == HashEnd::missed || end == HashEnd::kept) ++stages.boxes;
    if (end == HashEnd::kept) {
      ++stages.paths;
      kept = {vertex, face};
    }
  }
  void answered(std::uint32_t vertex, std::uint32_t face, const CcdResult& r) override {
    EXPECT_EQ(kept, std::pair(vertex, face));
    if (!r.hit) return;
    const bool swap = kind == Kind::face_vertex;
    hits.insert({kind, swap ? face : vertex, swap ? vertex : face, r.time});
  }

  Kind kind = Kind::vertex_face;
  std::map<std::uint32_t, MovingHash::Range> ranges;
  std::vector<MovingHash::Cell> cells;
  std::set<std::uint32_t> seen;
  std::set<Hit> hits;
  ccd::HashStages stages;
  std::pair<std::uint32_t, std::uint32_t> kept;
  std::uint32_t now = 0;
};

std::set<Hit> hits_of(const SurfaceImpacts& found) {
  std::set<Hit> hits;
  for (const SurfaceImpact& impact : found.impacts) {
    if (impact.kind != SurfaceImpact::Kind::edge_edge)
      hits.insert({impact.kind, impact.a, impact.b, impact.contact.time});
  }
  return hits;
}

TEST(HashObserver, StepsAreTrueAndGiveTheHits) {
  Random random(8, 9);
  std::size_t all = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const TriangleMesh a = test::bumpy_mesh(1, 0.3, random), b = test::torus_mesh(8, 4, 0.3);
    const Vec3 way{0.0, 0.0, random.uniform(-2.5, -0.5)};
    std::vector<Vec3> a0 = a.vertices, a1 = a.vertices;
    for (std::size_t i = 0; i < a0.size(); ++i) {
      a0[i] = a0[i] * 0.5 + Vec3{0.9, 0.0, 1.2};
      a1[i] = a0[i] + way * random.uniform(0.8, 1.2);
    }
    const ccd::MovingSurface first{a0, a1, a.triangles};
    const ccd::MovingSurface second{b.vertices, b.vertices, b.triangles};
    Truth truth;
    const SurfaceImpacts told = observed_impacts(first, second, {}, truth);
    const SurfaceImpacts plain = surface_impacts(first, second);
    EXPECT_EQ(hits_of(told), hits_of(plain));
    EXPECT_EQ(truth.hits, hits_of(plain));
    EXPECT_EQ(told.impacts.size(), plain.impacts.size());
    ccd::SurfaceCcdOptions hashed;
    hashed.vertex_face = ccd::SurfaceBroad::hash;
    const ccd::HashStages counts = surface_impacts(first, second, hashed).hash;
    EXPECT_EQ(truth.stages.found, counts.found);
    EXPECT_EQ(truth.stages.collisions, counts.collisions);
    EXPECT_EQ(truth.stages.boxes, counts.boxes);
    EXPECT_EQ(truth.stages.paths, counts.paths);
    all += truth.hits.size();
  }
  EXPECT_GT(all, 20u);
}

}  // namespace
}  // namespace tactus::detail
