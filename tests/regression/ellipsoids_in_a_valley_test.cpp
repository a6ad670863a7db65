// Two deep ellipsoids whose depth grows by 0.15 % of itself per squared radian along one line of
// directions: round caps about the minimum were narrow there, and hundreds of triangles beside them
// were left when the search came to its limit of iterations.
#include <gtest/gtest.h>

#include <algorithm>

#include "tactus/check.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

TEST(Regression, DeepEllipsoidsInAValleyConverge) {
  const Shape a = Ellipsoid({0.81034008266654189, 0.49684101151981436, 0.93683533580698852});
  const Shape b = Ellipsoid({0.94224628271335886, 0.69683776402513908, 0.634821902210147});
  const Pose pose_a(
      {}, {0.7002828461525038, -0.20653368632922919, -0.6816699242459604, 0.047685282575603845});
  const Pose pose_b(
      {0.27571278069660599, -0.074151224560109918, 0.25852567243926328},
      {0.23955936569091896, 0.49057498661129278, 0.83520173929403496, 0.066223466394573674});
  for (const double tolerance : {1e-1, 1e-3, 1e-6, 1e-8, 1e-10, 1e-13}) {
    QueryOptions options;
    Certificate certificate;
    options.certificate = &certificate;
    options.tolerance = tolerance;
    for (const bool swapped : {false, true}) {
      const Shape &first = swapped ? b : a, &second = swapped ? a : b;
      const Pose &pose_first = swapped ? pose_b : pose_a, &pose_second = swapped ? pose_a : pose_b;
      const DistanceResult r = distance(first, pose_first, second, pose_second, options);
      EXPECT_EQ(r.status, Status::converged);
      EXPECT_LE(r.upper - r.lower, std::max(2.0 * tolerance, 1e-12));
      EXPECT_LE(r.iterations, 150);
      const CheckReport report = check(first, pose_first, second, pose_second, r, &certificate);
      EXPECT_TRUE(report.ok) << report.failure;
    }
  }
}

}  // namespace
}  // namespace tactus::detail
