// A hull of size 1 barely inside one of size 1000. Far faces of the polytope took the rounding of
// volumes as large as the large body for the height up to which nothing is beyond them: at small
// faces that was a hundredth of the small body. Points beyond two faces replaced one of them, the
// dents let the origin out, and the same points came in again until the cap; the depth was 1e-4
// too large.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/check.hpp"
#include "tactus/core/random.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

constexpr double kSize = 1000.0;

Vec3 any_direction(Random& random) {
  const double z = random.uniform(-1.0, 1.0), angle = random.uniform(0.0, 6.3);
  const double across = std::sqrt(1.0 - z * z);
  return {across * std::cos(angle), across * std::sin(angle), z};
}

Shape round_hull(Random& random, double size) {
  std::vector<Vec3> points;
  for (int i = 0; i < 512; ++i) points.push_back(any_direction(random) * size);
  return Convex(points);
}

TEST(Regression, SmallHullsInLargeOnesConverge) {
  for (const std::uint64_t seed : {402u, 409u}) {
    Random random(seed);
    const Shape a = round_hull(random, 1.0), b = round_hull(random, kSize);
    const Vec3 far = any_direction(random) * (1.5 * kSize);
    const DistanceResult gap = distance(a, Pose(), b, Pose::translation(far));
    const Pose pose_b = Pose::translation(far - gap.normal * (gap.distance + 0.1));
    Certificate certificate;
    QueryOptions options;
    options.certificate = &certificate;
    const DistanceResult r = distance(a, Pose(), b, pose_b, options);
    EXPECT_EQ(r.status, Status::converged);
    EXPECT_LE(r.iterations, 200);
    EXPECT_LE(r.upper - r.lower, 1e-10);
    const CheckReport report = check(a, Pose(), b, pose_b, r, &certificate);
    EXPECT_TRUE(report.ok) << report.failure;
  }
}

}  // namespace
}  // namespace tactus::detail
