// The methods that serve polytopes only, through the facade, re-proved by the checker.
#include <gtest/gtest.h>

#include <array>

#include "tactus/check.hpp"
#include "tactus/query.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

class PolytopeMethod : public testing::TestWithParam<Method> {};

TEST_P(PolytopeMethod, BracketHoldsAndIsProvedInBothOrders) {
  Random random(41);
  const std::array<Shape, 6> shapes{
      random_hull(random, 8),
      random_hull(random, 20),
      Box({0.8, 0.5, 0.6}),
      Shape(std::get<Convex>(random_hull(random, 6).geometry()), 0.05),
      Shape(Box({0.4, 0.7, 0.5}), 0.1),
      Capsule(0.1, 0.6)};
  QueryOptions options;
  options.method = GetParam();
  int answered = 0;
  for (int n = 0; n < 600; ++n) {
    const Shape& a = shapes[random.below(shapes.size())];
    const Shape& b = shapes[random.below(shapes.size())];
    const Pose pa = random_pose(random, 0.5);
    const Pose pb = random_pose(random, n % 2 == 0 ? 0.3 : 0.9);
    Certificate certificate;
    options.certificate = &certificate;
    const DistanceResult r = distance(a, pa, b, pb, options);
    if (r.status == Status::unsupported) continue;
    ++answered;
    const CheckReport report = check(a, pa, b, pb, r, &certificate);
    // A method that stops at its bracket has no witnesses that belong to it.
    EXPECT_FALSE(report.refuted()) << n << ' ' << report.failure;
    EXPECT_EQ(report[Claim::lower], Proof::proved) << n << ' ' << report.failure;
    EXPECT_EQ(report[Claim::upper], Proof::proved) << n << ' ' << report.failure;
    if (r.status == Status::converged) {
      EXPECT_TRUE(report.ok) << n << ' ' << report.failure;
    }
    const DistanceResult truth = distance(a, pa, b, pb);
    EXPECT_LE(r.lower, truth.upper) << n;
    EXPECT_GE(r.upper, truth.lower) << n;
    const DistanceResult swapped = distance(b, pb, a, pa, options);
    EXPECT_LE(swapped.lower, truth.upper) << n;
    EXPECT_GE(swapped.upper, truth.lower) << n;
    const OverlapResult sign = overlap(a, pa, b, pb, options);
    if (sign.overlap != Overlap::undecided) {
      EXPECT_EQ(sign.overlap == Overlap::yes, truth.distance <= 0.0) << n;
    }
  }
  EXPECT_GT(answered, 400);
}

INSTANTIATE_TEST_SUITE_P(Query, PolytopeMethod,
                         testing::Values(Method::sat, Method::separating_plane, Method::v_clip),
                         [](const auto& method) { return std::string(to_string(method.param)); });

}  // namespace
}  // namespace tactus::detail
