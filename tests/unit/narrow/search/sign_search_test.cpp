#include "tactus/narrow/search/sign_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tactus/query/plan/pair_table.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

bool ask(const Shape& a, const Shape& b, const Pose& pose_b, SignAnswer& out,
         int max_iterations = 190) {
  const SignOptions options{{}, max_iterations, pair_row(a, b).search == PairSearch::steps};
  return search_sign(core_of(a), Pose(), core_of(b), pose_b, options, out);
}

TEST(SignSearch, OneDirectionSeparatesBoxesApart) {
  SignAnswer r;
  ASSERT_TRUE(ask(Box({1, 1, 1}), Box({1, 1, 1}), Pose::translation({3, 0.1, 0}), r));
  EXPECT_EQ(r.iterations, 1);
  EXPECT_GT(r.lower, 1.9);
  EXPECT_LE(r.lower, 2.0);
  EXPECT_GE(r.upper, 2.0);
}

TEST(SignSearch, FourPointsHoldTheOriginOfBoxesThatMeet) {
  SignAnswer r;
  ASSERT_TRUE(ask(Box({1, 1, 1}), Box({1, 1, 1}), Pose::translation({0.8, 0.2, 0.1}), r));
  EXPECT_LT(r.upper, 0.0);
  EXPECT_GE(r.upper, -0.2);
  EXPECT_LE(r.lower, -0.2);
}

// A ball that rolls inside each of them proves the overlap from one point of A - B.
TEST(SignSearch, BallsInsideSmoothBodiesMeet) {
  SignAnswer r;
  ASSERT_TRUE(ask(Sphere(1), Sphere(2), Pose::translation({0, 0, 2.5}), r));
  EXPECT_EQ(r.iterations, 1);
  EXPECT_NEAR(r.upper, -0.5, 1e-13);
  EXPECT_NEAR(r.lower, -0.5, 1e-13);
  const Ellipsoid flat({1, 1, 0.9});
  ASSERT_TRUE(ask(flat, flat, Pose::translation({1.9, 0, 0}), r));
  EXPECT_EQ(r.iterations, 1);
  EXPECT_NEAR(r.lower, -0.1, 1e-13);
}

TEST(SignSearch, LeavesWhatRoundingCouldUndo) {
  SignAnswer r;
  const Box box({1, 1, 1});
  EXPECT_FALSE(ask(box, box, Pose::translation({1, 0.2, 0.1}), r));
  EXPECT_FALSE(ask(box, box, Pose::translation({1 + 1e-15, 0.2, 0.1}), r));
  EXPECT_FALSE(ask(box, box, Pose::translation({1 - 1e-15, 0.2, 0.1}), r));
  EXPECT_FALSE(ask(box, box, Pose(), r));  // no direction from centre to centre
  EXPECT_FALSE(ask(box, box, Pose::translation({0.8, 0.2, 0.1}), r, 3));
}

// The bracket of the sign search holds the signed distance, which the whole search brackets.
TEST(SignSearch, HoldsTheDistance) {
  Random random(5);
  const auto vector = [&](double reach) {
    const double x = random.uniform(-reach, reach);
    const double y = random.uniform(-reach, reach);
    const double z = random.uniform(-reach, reach);
    return Vec3{x, y, z};
  };
  const auto shape = [&]() -> Shape {
    const Vec3 v = component_abs(vector(1.0)) + Vec3{0.01, 0.01, 0.01};
    switch (random.below(9)) {
      case 0:
        return Sphere(v.x);
      case 1:
        return Box(v);
      case 2:
        return Capsule(v.x, v.y);
      case 3:
        return Cylinder(v.x, v.y);
      case 4:
        return Cone(v.x, v.y);
      case 5:
        return Ellipsoid(v);
      case 6:
        return {Cylinder(v.x, v.y), 0.2 * v.z};
      case 7:
        return {Ellipsoid(v), 0.2 * v.z};
      default: {
        std::vector<Vec3> points(4 + random.below(60));
        for (Vec3& p : points) p = vector(1.0);
        return Convex(points);
      }
    }
  };
  int decided = 0, meeting = 0;
  const int count = test::effort(20000);
  for (int i = 0; i < count; ++i) {
    const Shape a = shape(), b = shape();
    const Vec3 turn = vector(1.0);
    const Pose pose_a(vector(1.0), normalized(Quat{random.uniform(0.1, 1.0), turn.x, turn.y, 0.3}));
    const Pose pose_b(vector(1.0), normalized(Quat{random.uniform(0.1, 1.0), turn.z, 0.2, turn.y}));
    SignAnswer sign;
    const SignOptions options{{}, 190, pair_row(a, b).search == PairSearch::steps};
    if (!search_sign(core_of(a), pose_a, core_of(b), pose_b, options, sign)) continue;
    ++decided;
    const DistanceResult d = distance(a, pose_a, b, pose_b);
    ASSERT_GT(sign.lower * sign.upper, 0.0) << i;
    ASSERT_LE(sign.lower, sign.upper) << i;
    ASSERT_LE(sign.lower, d.upper) << i;
    ASSERT_GE(sign.upper, d.lower) << i;
    ASSERT_NEAR(norm(sign.n), 1.0, 1e-15) << i;
    meeting += sign.upper < 0.0 ? 1 : 0;
  }
  EXPECT_GT(decided, count * 9 / 10);
  EXPECT_GT(meeting, count / 10);
  EXPECT_LT(meeting, count * 9 / 10);
}

}  // namespace
}  // namespace tactus::detail
