// Boxes whose edges enclose angles near 1e-9, touching: the gap along the common normal of two such
// edges was divided by their sine together with its rounding, so that overlap was denied, or a
// depth wrong, by 1e-8.

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

TEST(NearlyParallelBoxes, EveryWayToAnswerAgrees) {
  Random random(63);
  int apart = 0, overlapping = 0;
  for (int n = 0; n < 3000; ++n) {
    const auto u = [&](double low, double high) { return random.uniform(low, high); };
    const double x = u(0.3, 1.0), y = u(0.3, 1.0), z = u(0.3, 1.0);
    const Shape a = Box({x, y, z});
    const Shape b = Box({y, z, x});
    // B is turned about the normal of the faces that touch, which is then that of the edges too.
    const Quat turn = normalized(Quat{1.0, 0.0, 0.0, std::pow(10.0, u(-11.0, -7.0))});
    const double size = std::pow(10.0, u(-16.0, -7.0));
    const double separation = n % 2 == 0 ? size : -size;
    const double aside = u(-0.2, 0.2);
    // Rotations with roundings of their own.
    const Quat along_a = normalized(Quat{aside, x, y, -z});
    const Pose pose_a({0.5, 0.25, -1.0}, along_a);
    const Pose pose_b = pose_a * Pose({aside, -aside, 0.5 * (x + z) + separation}, turn);

    QueryOptions by_search;
    by_search.method = Method::gjk;
    const DistanceResult search = distance(a, pose_a, b, pose_b, by_search);
    const DistanceResult usual = distance(a, pose_a, b, pose_b);
    const OverlapResult sign = overlap(a, pose_a, b, pose_b);
    for (const DistanceResult* r : {&usual, &sign.proof}) {
      EXPECT_LE(r->lower, search.upper) << n;
      EXPECT_GE(r->upper, search.lower) << n;
    }
    apart += sign.overlap == Overlap::no ? 1 : 0;
    overlapping += sign.overlap == Overlap::yes ? 1 : 0;
  }
  EXPECT_GT(apart, 300);
  EXPECT_GT(overlapping, 300);
}

}  // namespace
}  // namespace tactus::detail
