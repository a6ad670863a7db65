#include "tactus/ccd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tactus/ccd/moving_primitives.hpp"
#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

/// Whole numbers, often equal ones: coplanar, parallel, resting and collapsed primitives.
Vec3 grid(Random& random, int flat) {
  const auto one = [&] { return static_cast<double>(static_cast<int>(random.below(17)) - 8); };
  Vec3 p{one(), one(), one()};
  if (flat == 1) p.z = 0.0;
  if (flat == 2) p.y = p.z = 0.0;
  return p;
}

// Weights of quarters, on edges and corners often.
void quarters(Random& random, double (&w)[3]) {
  const auto first = static_cast<int>(random.below(5));
  const auto second = static_cast<int>(random.below(static_cast<std::uint32_t>(5 - first)));
  w[0] = 0.25 * first;
  w[1] = 0.25 * second;
  w[2] = 1.0 - w[0] - w[1];
}

// A contact at the time 2^-k is put into each query; all numbers stay exact.
TEST(CcdOracle, NoConstructedContactIsMissed) {
  Random random(11);
  int touched = 0;
  for (int i = 0; i < test::effort(60000); ++i) {
    const int flat = static_cast<int>(random.below(4));
    const auto k = static_cast<int>(random.below(4));
    const double time = std::ldexp(1.0, -k), rest = 1.0 - time;
    Vec3 s[4], e[4];
    for (Vec3& p : s) p = grid(random, flat);
    for (Vec3& p : e) p = random.below(4) == 0 ? s[&p - e] : grid(random, flat);
    double w[3];
    quarters(random, w);
    const auto at = [&](int j) { return s[j] * rest + e[j] * time; };
    // The vertex, or the first end of the second edge, is where it must be for the contact.
    const bool edges = random.below(2) == 0;
    CcdResult r;
    if (edges) {
      const double u = 0.25 * static_cast<double>(random.below(5));
      const Vec3 place = at(0) * (1.0 - u) + at(1) * u;
      // b0 (1 - v) + b1 v is there: with v a half or an end.
      const double v = 0.5 * static_cast<double>(random.below(2));
      const Vec3 wanted = (place - at(3) * v) * (1.0 / (1.0 - v));
      e[2] = (wanted - s[2] * rest) * (1.0 / time);
      r = edge_edge({{s[0], s[1]}, {s[2], s[3]}, {e[0], e[1]}, {e[2], e[3]}});
    } else {
      const Vec3 place = at(1) * w[0] + (at(2) * w[1] + at(3) * w[2]);
      e[0] = (place - s[0] * rest) * (1.0 / time);
      r = vertex_face({s[0], {s[1], s[2], s[3]}, e[0], {e[1], e[2], e[3]}});
    }
    ASSERT_TRUE(r.hit) << i;
    ASSERT_LE(r.time, time) << i;
    if (r.proved) {
      EXPECT_LE(r.time, r.time_upper) << i;
      ++touched;
    }
  }
  EXPECT_GT(touched, test::effort(60000) / 20);
}

double gap_at(const MovingPrimitives& m, double t) {
  const PairVectors p = m.at(t);
  return norm(point_of(p, m.corners, nearest_weights(p, m.corners)));
}

// Primitives whose samples are all farther apart than they move between two samples are no hit; at
// the time of a hit they touch.
TEST(CcdOracle, AgreesWithDenseSamples) {
  Random random(12);
  constexpr int kSamples = 400;
  int apart = 0, together = 0;
  for (int i = 0; i < test::effort(4000); ++i) {
    Vec3 p[8];
    for (Vec3& x : p) x = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const MovingVertexFace face{p[0], {p[1], p[2], p[3]}, p[4], {p[5], p[6], p[7]}};
    const MovingEdges edges{{p[0], p[1]}, {p[2], p[3]}, {p[4], p[5]}, {p[6], p[7]}};
    for (const bool of_edges : {false, true}) {
      const MovingPrimitives m =
          of_edges ? MovingPrimitives::of(edges) : MovingPrimitives::of(face);
      const CcdResult r = of_edges ? edge_edge(edges) : vertex_face(face);
      double speed = 0.0;
      for (int k = 0; k < m.corners; ++k)
        speed = std::max(speed, norm(m.t1.corner[k] - m.t0.corner[k]));
      double least = std::numeric_limits<double>::infinity();
      for (int k = 0; k <= kSamples; ++k)
        least = std::min(least, gap_at(m, static_cast<double>(k) / kSamples));
      if (least > speed / kSamples) {
        EXPECT_FALSE(r.hit) << i << " " << of_edges;
        ++apart;
      }
      if (!r.hit) continue;
      // Where the primitives graze, the time is known to the rounding over the sine of the angle.
      EXPECT_LE(gap_at(m, r.time), 1e-11) << i << " " << of_edges;
      EXPECT_TRUE(r.proved) << i << " " << of_edges;
      ++together;
    }
  }
  EXPECT_GT(apart, test::effort(4000) / 2);
  EXPECT_GT(together, test::effort(4000) / 10);
}

}  // namespace
}  // namespace tactus::detail
