#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tactus/ccd.hpp"
#include "tactus/core/random.hpp"

namespace tactus::detail {
namespace {

using Kind = SurfaceImpact::Kind;
using Triangles = std::vector<std::array<std::uint32_t, 3>>;

struct Moving {
  std::vector<Vec3> t0, t1;
  Triangles triangles;
  MovingSurface view() const { return {t0, t1, triangles}; }
};

/// A crumpled sheet whose vertices all go their own way.
Moving sheet(Random& random, int n, const Vec3& shift, double stir) {
  Moving m;
  const auto noise = [&](double size) {
    return Vec3{random.uniform(-size, size), random.uniform(-size, size),
                random.uniform(-size, size)};
  };
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const Vec3 place = Vec3{double(i) / n, double(j) / n, 0.0} + noise(0.3 / n);
      m.t0.push_back(place);
      m.t1.push_back(place + shift + noise(stir));
    }
  }
  const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(i * (n + 1) + j); };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      m.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      m.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return m;
}

using Name = std::tuple<Kind, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

std::set<Name> names(const SurfaceImpacts& found) {
  std::set<Name> all;
  for (const SurfaceImpact& i : found.impacts) all.insert({i.kind, i.a, i.b, i.other_a, i.other_b});
  EXPECT_EQ(all.size(), found.impacts.size()) << "a pair twice";
  return all;
}

std::set<std::array<std::uint32_t, 2>> edges_of(const Triangles& triangles) {
  std::set<std::array<std::uint32_t, 2>> edges;
  for (const auto& t : triangles) {
    for (std::size_t k = 0; k < 3; ++k)
      edges.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
  }
  return edges;
}

// Every pair, asked one by one.
std::set<Name> brute_force(const Moving& a, const Moving& b, bool self, const CcdOptions& options) {
  std::set<Name> all;
  const auto faces = [&](const Moving& v, const Moving& f, Kind kind) {
    for (std::uint32_t i = 0; i < v.t0.size(); ++i) {
      for (std::uint32_t k = 0; k < f.triangles.size(); ++k) {
        const auto& t = f.triangles[k];
        if (self && (t[0] == i || t[1] == i || t[2] == i)) continue;
        const CcdResult r = vertex_face({v.t0[i],
                                         {f.t0[t[0]], f.t0[t[1]], f.t0[t[2]]},
                                         v.t1[i],
                                         {f.t1[t[0]], f.t1[t[1]], f.t1[t[2]]}},
                                        options);
        if (r.hit)
          all.insert(
              {kind, kind == Kind::vertex_face ? i : k, kind == Kind::vertex_face ? k : i, 0, 0});
      }
    }
  };
  faces(a, b, Kind::vertex_face);
  if (!self) faces(b, a, Kind::face_vertex);
  for (const auto& x : edges_of(a.triangles)) {
    for (const auto& y : edges_of(b.triangles)) {
      if (self && (!(x < y) || x[0] == y[0] || x[0] == y[1] || x[1] == y[0] || x[1] == y[1]))
        continue;
      const CcdResult r = edge_edge({{a.t0[x[0]], a.t0[x[1]]},
                                     {b.t0[y[0]], b.t0[y[1]]},
                                     {a.t1[x[0]], a.t1[x[1]]},
                                     {b.t1[y[0]], b.t1[y[1]]}},
                                    options);
      if (r.hit) all.insert({Kind::edge_edge, x[0], y[0], x[1], y[1]});
    }
  }
  return all;
}

TEST(Surfaces, FindWhatEveryPairFinds) {
  Random random(21);
  for (int round = 0; round < 6; ++round) {
    const Moving a = sheet(random, 6, {0, 0, 0.2}, 0.05);
    const Moving b = sheet(random, 5, {0.1, 0, -0.2}, 0.05);
    SurfaceCcdOptions options;
    options.primitives.min_separation = round % 2 == 0 ? 0.0 : 0.01;
    const SurfaceImpacts found = surface_impacts(a.view(), b.view(), options);
    EXPECT_EQ(names(found), brute_force(a, b, false, options.primitives));
    EXPECT_FALSE(found.impacts.empty());
    SurfaceCcdOptions hashed = options;
    hashed.vertex_face = SurfaceBroad::hash;
    const SurfaceImpacts same = surface_impacts(a.view(), b.view(), hashed);
    EXPECT_EQ(names(same), names(found));
    EXPECT_LE(same.vertex_face_candidates, found.vertex_face_candidates);
    EXPECT_EQ(same.vertex_face_candidates, same.hash.paths);
    EXPECT_GE(same.hash.found, same.hash.boxes);
    const Moving crumpled = sheet(random, 7, {}, 0.4);
    const SurfaceImpacts self = self_impacts(crumpled.view(), options);
    EXPECT_EQ(names(self), brute_force(crumpled, crumpled, true, options.primitives));
    EXPECT_FALSE(self.impacts.empty());
    EXPECT_EQ(names(self_impacts(crumpled.view(), hashed)), names(self));
    EXPECT_TRUE(std::is_sorted(self.impacts.begin(), self.impacts.end(),
                               [](const SurfaceImpact& x, const SurfaceImpact& y) {
                                 return x.contact.time < y.contact.time;
                               }));
  }
}

// A vertex that flies through far more cells than there are.
TEST(Surfaces, AWayOfAnyLengthIsSought) {
  Random random(25);
  const Moving table = sheet(random, 8, {}, 0.0);
  SurfaceCcdOptions hashed;
  hashed.vertex_face = SurfaceBroad::hash;
  for (const double far : {1e2, 1e6, 1e12}) {
    const Moving shot{{{0.41, 0.52, far}, {0.42, 0.52, far}, {0.41, 0.53, far}},
                      {{0.41, 0.52, -far}, {0.42, 0.52, -far}, {0.41, 0.53, -far}},
                      {{0, 1, 2}}};
    const SurfaceImpacts by_tree = surface_impacts(shot.view(), table.view());
    EXPECT_EQ(names(surface_impacts(shot.view(), table.view(), hashed)), names(by_tree));
    EXPECT_GE(by_tree.impacts.size(), 3u);
  }
}

TEST(Surfaces, AnyNumberOfThreadsGivesTheSameBits) {
  Random random(22);
  const Moving m = sheet(random, 30, {}, 0.1);
  SurfaceCcdOptions one, two;
  one.max_threads = 1;
  two.max_threads = 2;
  const SurfaceImpacts x = self_impacts(m.view(), one), y = self_impacts(m.view(), two);
  ASSERT_EQ(x.impacts.size(), y.impacts.size());
  EXPECT_GT(x.impacts.size(), 100u);
  EXPECT_EQ(x.edge_edge_candidates, y.edge_edge_candidates);
  for (std::size_t i = 0; i < x.impacts.size(); ++i) {
    EXPECT_EQ(x.impacts[i].contact.time, y.impacts[i].contact.time);
    EXPECT_EQ(x.impacts[i].a, y.impacts[i].a);
    EXPECT_EQ(x.impacts[i].b, y.impacts[i].b);
  }
}

TEST(Surfaces, WrongInputIsNamed) {
  Random random(23);
  const Moving good = sheet(random, 2, {}, 0.0);
  const auto complaint = [&](const Moving& bad) {
    try {
      surface_impacts(good.view(), bad.view());
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Moving bad = good;
  bad.t1.pop_back();
  EXPECT_EQ(complaint(bad), "b.vertices_t1: 8 vertices, at the start there are 9");
  bad = good;
  bad.t0[3].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint(bad), "b.vertices_t0[3]: must be finite");
  bad = good;
  bad.triangles[1][2] = 9;
  EXPECT_EQ(complaint(bad), "b.triangles[1]: there is no vertex 9");
  // Nothing at all is a surface too.
  EXPECT_TRUE(self_impacts(Moving{}.view()).impacts.empty());
}

TEST(Surfaces, ACancelledSearchEnds) {
  Random random(24);
  const Moving m = sheet(random, 10, {}, 0.3);
  const std::atomic<bool> cancel = true;
  SurfaceCcdOptions options;
  options.cancel = &cancel;
  EXPECT_TRUE(self_impacts(m.view(), options).impacts.empty());
}

}  // namespace
}  // namespace tactus::detail
