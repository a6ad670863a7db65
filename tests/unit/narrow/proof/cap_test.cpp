// The second-order bound about a critical direction, against sampled directions.
#include "tactus/narrow/proof/cap.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/narrow/search/epa.hpp"
#include "tactus/narrow/search/gjk.hpp"

namespace tactus::detail {
namespace {

constexpr int kPairs = 400;
constexpr int kSamples = 200;

Vec3 random_direction(Random& random) {
  for (;;) {
    const Vec3 v{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (squared_norm(v) > 1e-2 && squared_norm(v) < 1.0) return normalized(v);
  }
}

// At an angle from n that is log-uniform between 1e-7 and the given one.
Vec3 near(Random& random, const Vec3& n, double widest) {
  const Vec3 x = any_perpendicular(n);
  const Vec3 t = normalized(cross(n, random_direction(random)), x);
  const double angle = widest * std::pow(10.0, -7.0 * random.uniform());
  return normalized(n * std::cos(angle) + t * std::sin(angle));
}

Shape random_shape(Random& random) {
  const Vec3 d{random.uniform(0.3, 1.0), random.uniform(0.3, 1.0), random.uniform(0.3, 1.0)};
  switch (random.below(5)) {
    case 0:
      return Cylinder(0.5 * d.x, d.y);
    case 1:
      return Cone(0.5 * d.x, d.y);
    case 2:
      return Ellipsoid(d * 0.5);
    case 3:
      return Shape(Box(d), 0.1);
    default:
      return Capsule(0.5 * d.x, d.y);
  }
}

struct Found {
  Cso cso;
  EpaResult depth;
};

// Overlapping pairs of random shapes with the depth as the expanding polytope leaves it; some with
// parallel axes.
std::vector<Found> overlapping_pairs() {
  std::vector<Found> found;
  Random random(31, 4);
  while (found.size() < kPairs) {
    const Shape a = random_shape(random), b = random_shape(random);
    const bool parallel = random.below(4) == 0;
    const Quat turn = parallel ? Quat{}
                               : normalized(Quat{random.uniform(-1, 1), random.uniform(-1, 1),
                                                 random.uniform(-1, 1), random.uniform(-1, 1)});
    const Pose pose(random_direction(random) * random.uniform(0.0, 0.8), turn);
    const Cso cso(core_of(a), Pose(), core_of(b), pose);
    if (cso.is_polytope()) continue;
    Simplex simplex;
    if (gjk(cso, simplex, {0, 0, 1}, {}).outcome != GjkOutcome::overlapping) continue;
    Epa epa;
    EpaOptions options;
    options.max_iterations = 190;
    found.push_back({cso, epa.run(cso, simplex, nullptr, options)});
  }
  return found;
}

TEST(Cap, NoDirectionInsideFallsBelowTheBound) {
  Random random(7, 7);
  int wide = 0;
  for (const Found& pair : overlapping_pairs()) {
    const Cap cap = prove_cap(pair.cso, pair.depth.best);
    if (cap.cosine > 1.0) continue;
    wide += cap.cosine < 0.99 && cap.lower > pair.depth.best.value - 4.0 * pair.cso.error_bound;
    for (int i = 0; i < kSamples; ++i) {
      const Vec3 m = near(random, cap.n, std::acos(cap.cosine));
      if (dot(m, cap.n) < cap.cosine) continue;
      EXPECT_GE(pair.cso.value(m), cap.lower - pair.cso.error_bound);
    }
  }
  // Most minima are proved on a patch of eight degrees or more, so that the test says something.
  EXPECT_GT(wide, kPairs / 2);
}

TEST(Cap, ASaddleHasNone) {
  // Along the axis of two nearly concentric ellipsoids f is critical, but no minimum.
  const Core a = core_of(Ellipsoid({1.0, 0.6, 0.5})), b = core_of(Ellipsoid({1.0, 0.6, 0.5}));
  const Cso cso(a, Pose(), b, Pose::translation({0.01, 0, 0}));
  Critical critical;
  critical.n = {0, 1, 0};
  critical.simplex.size = 1;
  critical.simplex.point[0] = critical.extreme = cso.support(critical.n);
  critical.value = dot(critical.n, critical.extreme.w);
  EXPECT_GT(prove_cap(cso, critical).cosine, 1.0);
}

TEST(Cap, CoversOnlyWhatLiesInside) {
  Random random(3, 9);
  int covered = 0, open = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Cap cap;
    cap.n = {0, 0, 1};
    cap.cosine = 0.8;
    cap.lower = 1.0;
    const double level = 1.0;
    // A triangle near the top, its corners about as high as the level.
    Vec3 point[3];
    for (Vec3& p : point) p = near(random, cap.n, 1.0) * random.uniform(0.98, 1.3);
    const double side = dot(point[0], cross(point[1], point[2]));
    if (!(std::fabs(side) > 1e-6)) continue;
    if (side < 0.0) std::swap(point[0], point[1]);
    const Vec3* const corner[3] = {&point[0], &point[1], &point[2]};
    if (!covers(cap, corner, level)) {
      ++open;
      continue;
    }
    ++covered;
    for (int i = 0; i < 30; ++i) {
      const Vec3 mix =
          point[0] * random.uniform() + point[1] * random.uniform() + point[2] * random.uniform();
      const Vec3 m = normalized(mix);
      if (dot(point[0], m) < level && dot(point[1], m) < level && dot(point[2], m) < level) {
        EXPECT_GE(dot(m, cap.n), cap.cosine - 1e-12);
      }
    }
  }
  EXPECT_GT(covered, 100);
  EXPECT_GT(open, 100);
}

TEST(Cap, CurvedDepthsAreProvedToRounding) {
  int narrow = 0;
  for (const Found& pair : overlapping_pairs()) {
    EXPECT_LE(pair.depth.lower, pair.depth.best.value + pair.cso.error_bound);
    narrow += pair.depth.best.value - pair.depth.lower <= 4.0 * pair.cso.error_bound;
  }
  EXPECT_GT(narrow, kPairs * 9 / 10);
}

TEST(Cap, ADiscOnALyingCylinderHasConsistentWitnesses) {
  // Both ends of the side that touches the disc lie beside it; the axes are turned at random.
  Random random(5, 5);
  for (int i = 0; i < 100; ++i) {
    const Core standing = core_of(Cylinder(0.4, 1.0)), lying = core_of(Cylinder(0.3, 2.0));
    const Pose frame(random_direction(random),
                     normalized(Quat{random.uniform(-1, 1), random.uniform(-1, 1),
                                     random.uniform(-1, 1), random.uniform(-1, 1)}));
    const Quat across = normalized(Quat{1, 1, 0, 0});
    const Pose above({0.1, 0.3, 0.75}, across);
    const Cso cso(standing, frame, lying, frame * above);
    Simplex simplex;
    if (gjk(cso, simplex, {0, 0, 1}, {}).outcome != GjkOutcome::overlapping) continue;
    Epa epa;
    EpaOptions options;
    options.max_iterations = 190;
    const EpaResult r = epa.run(cso, simplex, nullptr, options);
    EXPECT_NEAR(r.best.value, 0.05, 1e-14);
    EXPECT_NEAR(r.lower, 0.05, 3e-14);
    EXPECT_LE(norm(r.best.simplex.closest() - r.best.n * r.best.value), 2e-14);
  }
}

}  // namespace
}  // namespace tactus::detail
