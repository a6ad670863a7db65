#include "tactus/narrow/search/flat_finish.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

double missed(const Critical& c) { return norm(c.simplex.closest() - c.n * c.value); }

// The direction `n` with its support points, as a search would leave them.
Critical critical_at(const Cso& cso, const Vec3& n) {
  Critical c;
  c.n = normalized(n);
  c.extreme = cso.support(c.n);
  c.value = dot(c.n, c.extreme.w);
  c.simplex.point[0] = c.extreme;
  c.simplex.weight[0] = 1.0;
  c.simplex.size = 1;
  return c;
}

TEST(FlatFinish, FindsThePointOfADiscBelowABall) {
  // A small ball 0.5 above the point (0.3, 0.2) of a body of thickness 2e-6, near enough a disc.
  for (const double thickness : {1e-3, 1e-6, 1e-9, 1e-12, 1e-300}) {
    const Core disc = core_of(Ellipsoid({1.0, 1.0, thickness}));
    const Core ball = core_of(Ellipsoid({0.1, 0.1, 0.1 + 1e-9}));
    const Cso cso(disc, Pose(), ball, Pose::translation({0.3, 0.2, 0.5}));
    Critical c = critical_at(cso, {0.02, -0.03, 1.0});
    EXPECT_GT(missed(c), 0.1);
    finish_on_flat(cso, c);
    EXPECT_LE(missed(c), cso.error_bound);
    EXPECT_NEAR(c.simplex.closest_a().x, 0.3, thickness + 1e-12);
    EXPECT_NEAR(c.simplex.closest_a().y, 0.2, thickness + 1e-12);
    EXPECT_NEAR(c.value, cso.value(c.n), cso.error_bound);
    EXPECT_LE(c.iterations, 20);
  }
}

TEST(FlatFinish, ServesBothBodiesAndNeedles) {
  Random random(9, 2);
  int done = 0, cases = 0;
  for (int i = 0; i < test::effort(500); ++i) {
    // A needle or leaf along x, and a body above it.
    const double thin = std::pow(10.0, random.uniform(-10.0, -3.0));
    const Core leaf = core_of(Ellipsoid({1.0, random.below(2) == 0 ? thin : 0.7, thin}));
    const Vec3 radii{random.uniform(0.1, 0.3), random.uniform(0.1, 0.3), random.uniform(0.1, 0.3)};
    const Core body = core_of(Ellipsoid(radii));
    const Quat turn = normalized(Quat{random.uniform(-1, 1), random.uniform(-1, 1),
                                      random.uniform(-1, 1), random.uniform(-1, 1)});
    const Pose above({random.uniform(-0.5, 0.5), 0.0, random.uniform(0.4, 1.0)}, turn);
    const bool swapped = i % 2 == 0;
    const Cso cso = swapped ? Cso(body, above, leaf, Pose()) : Cso(leaf, Pose(), body, above);
    const Vec3 up = swapped ? -transpose_times(above.rotation(), Vec3{0, 0, 1}) : Vec3{0, 0, 1};
    Critical c = critical_at(cso, up + Vec3{0.01, 0.01, 0.01});
    const double before = missed(c), value = c.value;
    finish_on_flat(cso, c);
    ++cases;
    done += missed(c) <= 4.0 * cso.error_bound;
    EXPECT_LE(missed(c), before);
    EXPECT_LE(c.value, value + cso.error_bound);
  }
  EXPECT_GT(done, cases * 9 / 10);
}

TEST(FlatFinish, LeavesRoundBodiesAlone) {
  const Core a = core_of(Ellipsoid({1.0, 0.9, 0.5}));
  const Cso cso(a, Pose(), a, Pose::translation({0.3, 0.2, 2.0}));
  Critical c = critical_at(cso, {0.0, 0.0, 1.0});
  const double before = missed(c);
  finish_on_flat(cso, c);
  EXPECT_EQ(missed(c), before);
  EXPECT_EQ(c.iterations, 0);
}

}  // namespace
}  // namespace tactus::detail
