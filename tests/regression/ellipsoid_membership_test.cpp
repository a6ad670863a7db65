// How far a point is outside of an ellipsoid was known to first order only: of points not near the
// surface the checker proved distances that were too small, and refuted true ones.
#include <gtest/gtest.h>

#include <cmath>

#include "tactus/check.hpp"
#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tactus/shape/membership.hpp"

namespace tactus::detail {
namespace {

TEST(EllipsoidMembership, PointsAlongANormalAreAsFarAsTheyWent) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    Vec3 radii, u;
    for (int k = 0; k < 3; ++k) {
      radii[k] = std::pow(10.0, random.uniform(-2.0, 1.0));
      u[k] = random.uniform(-1.0, 1.0);
    }
    u = normalized(u);
    const Vec3 foot = component_product(u, radii);
    const Vec3 n = normalized(Vec3{u.x / radii.x, u.y / radii.y, u.z / radii.z});
    const double height = std::pow(10.0, random.uniform(-6.0, 3.0));
    // Rounding of the foot is a part of the longest radius and of the way.
    EXPECT_NEAR(distance_outside(Ellipsoid(radii), foot + n * height), height,
                1e-13 * (max_abs(radii) + height))
        << i;
  }
}

TEST(EllipsoidMembership, ADistanceThatIsTooSmallIsNotProved) {
  const Shape ellipsoid = Ellipsoid({1.0, 1.0, 0.4}), point = Sphere(0.0);
  const Pose there = Pose::translation({1.0, 1.0, 1.0});
  DistanceResult lie = distance(ellipsoid, Pose(), point, there);
  ASSERT_TRUE(check(ellipsoid, Pose(), point, there, lie).ok);
  lie.lower = 0.0;
  lie.distance = lie.upper = 0.9 * lie.upper;
  EXPECT_NE(check(ellipsoid, Pose(), point, there, lie)[Claim::upper], Proof::proved);
}

}  // namespace
}  // namespace tactus::detail
