// Directions that are not those of the depth: no proof takes what they say for a lower bound.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/random.hpp"
#include "tactus/narrow/proof/cap.hpp"
#include "tactus/narrow/proof/sphere_proof.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

Vec3 random_direction(Random& random) {
  for (;;) {
    const Vec3 v{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (squared_norm(v) > 1e-2 && squared_norm(v) < 1.0) return normalized(v);
  }
}

Shape random_shape(Random& random) {
  const Vec3 d{random.uniform(0.3, 1.0), random.uniform(0.3, 1.0), random.uniform(0.3, 1.0)};
  switch (random.below(4)) {
    case 0:
      return Cylinder(d.x, 2.0 * d.y);
    case 1:
      return Cone(d.x, 2.0 * d.y);
    case 2:
      return Box(d * 2.0);
    default:
      return Ellipsoid(d);
  }
}

Cso random_pair(Random& random) {
  const Shape a = random_shape(random), b = random_shape(random);
  const Quat turn = normalized(Quat{random.uniform(-1, 1), random.uniform(-1, 1),
                                    random.uniform(-1, 1), random.uniform(-1, 1)});
  return Cso(core_of(a), Pose(), core_of(b),
             Pose(random_direction(random) * random.uniform(0.0, 0.6), turn));
}

// The growth about n is claimed to prove no more than a small cap: outside of it, where f is less
// somewhere, the proof has only the support points.
TEST(FalseDepth, NoProofOnTheSphereWhereFIsLess) {
  Random random(51);
  int cases = 0;
  for (int trial = 0; trial < test::effort(40000); ++trial) {
    const Cso cso = random_pair(random);
    const TangentFrame frame(random_direction(random));
    // Between the least of f and its value along n, as an early end of a search leaves it.
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 200; ++i) {
      const Vec3 m = random_direction(random);
      if (dot(m, frame.n) < 0.95) least = std::min(least, cso.value(m));
    }
    const double value = least + std::pow(10.0, random.uniform(-3.0, -0.5)) * cso.size();
    if (!(least > 0.0) || cso.value(frame.n) < value) continue;
    Growth growth;
    // Enough up to tan(theta / 2) = 0.1.
    growth.disc = 0.1 * value;
    int evaluations = 0;
    Vec3 lower;
    ASSERT_NE(prove_on_sphere(cso, frame, growth, value, 400, evaluations, lower),
              SphereProof::proved)
        << trial;
    ++cases;
  }
  EXPECT_GT(cases, test::effort(40000) / 20);
}

// A direction beside the least one: what the slope that is left may still lose is taken off.
TEST(FalseDepth, ACapBesideTheMinimumHoldsItsLeast) {
  Random random(52);
  int caps = 0;
  for (int trial = 0; trial < test::effort(2000); ++trial) {
    // f(m) = |M m| + 0.1 is least along z, where it is the shortest half axis and the radius.
    const double shortest = random.uniform(0.2, 0.4);
    const Cso cso(
        core_of(Ellipsoid({random.uniform(0.5, 1.0), random.uniform(0.5, 1.0), shortest})), Pose(),
        core_of(Sphere(0.1)), Pose());
    const double angle = std::pow(10.0, random.uniform(-7.0, -1.0)),
                 turn = random.uniform(0.0, 6.0);
    Critical beside;
    beside.n = {std::sin(angle) * std::cos(turn), std::sin(angle) * std::sin(turn),
                std::cos(angle)};
    beside.extreme = cso.support(beside.n);
    beside.value = dot(beside.n, beside.extreme.w);
    beside.simplex.size = 1;
    beside.simplex.point[0] = beside.extreme;
    const Cap cap = prove_cap(cso, beside);
    if (cap.cosine > std::cos(angle)) continue;
    ++caps;
    EXPECT_LE(cap.lower, cso.value({0, 0, 1}) + cso.error_bound) << angle;
  }
  EXPECT_GT(caps, test::effort(2000) / 2);
}

}  // namespace
}  // namespace tactus::detail
