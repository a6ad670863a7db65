// Round hulls with their centres near each other have thousands of facets of A - B nearly as near
// as the nearest, and all of them must be looked at: the polytope ran out of room (200 vertices)
// with brackets up to 4e-2 wide.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/check.hpp"
#include "tactus/core/random.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

Shape round_hull(Random& random, int vertices) {
  std::vector<Vec3> points;
  for (int i = 0; i < vertices; ++i) {
    const double z = random.uniform(-1.0, 1.0), angle = random.uniform(0.0, 6.3);
    const double across = std::sqrt(1.0 - z * z);
    points.push_back({across * std::cos(angle), across * std::sin(angle), z});
  }
  return Convex(points);
}

TEST(Regression, RoundHullsOfAThousandVerticesConverge) {
  Random random(1);
  for (int i = 0; i < 4; ++i) {
    const Shape a = round_hull(random, 1024), b = round_hull(random, 1024);
    const Pose pose_b = Pose::translation({0.005 * i, 0.0, 0.0});
    Certificate certificate;
    QueryOptions options;
    options.certificate = &certificate;
    const DistanceResult r = distance(a, Pose(), b, pose_b, options);
    EXPECT_EQ(r.status, Status::converged);
    EXPECT_LE(r.upper - r.lower, 1e-13);
    EXPECT_GT(r.iterations, 200);
    const CheckReport report = check(a, Pose(), b, pose_b, r, &certificate);
    EXPECT_TRUE(report.ok) << report.failure;
  }
}

}  // namespace
}  // namespace tactus::detail
