#include "tactus/narrow/formula/nearest_boxes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/narrow/pair/convex_pair.hpp"
#include "tactus/shape/membership.hpp"

namespace tactus::detail {
namespace {

Cso cso_of(const Vec3& size_a, const Vec3& size_b, const Pose& pose_b) {
  return {core_of(Box(size_a)), Pose(), core_of(Box(size_b)), pose_b};
}

void expect_near(const Vec3& x, const Vec3& y) {
  EXPECT_LE(norm(x - y), 1e-15) << x.x << ' ' << x.y;
}

TEST(NearestBoxes, CornersEdgesAndFacesByHand) {
  ClosedForm f;
  // Corner to corner, from (1, 1, 1) to (2, 3, 3).
  ASSERT_TRUE(nearest_points(cso_of({2, 2, 2}, {2, 2, 2}, Pose::translation({3, 4, 4})), f));
  EXPECT_NEAR(f.value, 3.0, 1e-15);
  expect_near(f.n, {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0});
  expect_near(f.a, {1, 1, 1});
  expect_near(f.b, {2, 3, 3});
  EXPECT_TRUE(f.unique);
  // Crossed edges: both boxes stand on an edge, at right angles.
  const double h = std::sqrt(0.5);
  const Mat3 on_edge = Mat3::from_columns({1, 0, 0}, {0, h, h}, {0, -h, h});
  const Pose pose_a = detail::unchecked_pose({}, on_edge);
  const Mat3 quarter = Mat3::from_columns({0, 1, 0}, {-1, 0, 0}, {0, 0, 1});
  const Pose pose_b =
      detail::unchecked_pose({0.25, -0.25, 2.0 * std::sqrt(2.0) + 0.5}, quarter * on_edge);
  const Cso crossed(core_of(Box({2, 2, 2})), pose_a, core_of(Box({2, 2, 2})), pose_b);
  ASSERT_TRUE(nearest_points(crossed, f));
  EXPECT_NEAR(f.value, 0.5, 1e-14);
  expect_near(pose_a.direction_to_world(f.n), {0, 0, 1});
  EXPECT_LE(norm(pose_a.to_world(f.a) - Vec3{0.25, 0.0, std::sqrt(2.0)}), 1e-14);
  EXPECT_TRUE(f.unique);
  // Face over face: the middle of what they share.
  ASSERT_TRUE(nearest_points(cso_of({2, 2, 2}, {2, 2, 2}, Pose::translation({1, 1, 2.5})), f));
  EXPECT_NEAR(f.value, 0.5, 1e-15);
  EXPECT_LE(norm(f.a - Vec3{0.5, 0.5, 1.0}), 1e-13);
  EXPECT_FALSE(f.unique);
}

TEST(NearestBoxes, AgreeWithTheSearchOrLeaveItToIt) {
  Random random(71);
  int served = 0, apart = 0;
  for (int n = 0; n < 3000; ++n) {
    const auto u = [&] { return random.uniform(0.05, 2.0); };
    const auto v = [&] { return random.uniform(-1.0, 1.0); };
    Vec3 size_a{u(), u(), u()};
    const Vec3 size_b{u(), u(), u()};
    if (n % 5 == 0) size_a[n % 3] = 0.0;
    const Vec3 place{2.0 * v(), 2.0 * v(), 2.0 * v()};
    const Quat turn = normalized(Quat{v(), v(), v(), v()});
    const Cso cso = cso_of(size_a, size_b, Pose(place, turn));
    Epa epa;
    const ConvexAnswer searched = search_pair(cso, {}, epa);
    apart += searched.distance > 0.0 ? 1 : 0;
    ClosedForm f;
    if (!nearest_points(cso, f)) continue;
    ++served;
    EXPECT_NEAR(f.value, searched.distance, 2.0 * cso.error_bound) << n;
    EXPECT_LE(std::fabs(cso.value(f.n) + f.value), cso.error_bound) << n;
    EXPECT_LE(norm((f.b - f.a) - f.n * f.value), cso.error_bound) << n;
    EXPECT_LE(distance_outside(Box(size_a), f.a), cso.error_bound) << n;
    EXPECT_LE(distance_outside(Box(size_b), transpose_times(cso.rotation, f.b - cso.translation)),
              cso.error_bound)
        << n;
  }
  EXPECT_GT(served, 0.9 * apart);
}

const Mat3 kLean = Mat3::from_columns({0.8, 0.6, 0.0}, {-0.6, 0.8, 0.0}, {0.0, 0.0, 1.0});

// Gaps far below the size: the direction comes from the features, not from the points.
TEST(NearestBoxes, NormalsAreExactAtTinyGaps) {
  for (const double gap : {1e-3, 1e-9, 1e-11}) {
    // B stands on an edge along z, 1.4 below its centre.
    const Cso cso = cso_of({9, 2, 1}, {2, 2, 9}, detail::unchecked_pose({0, 2.4 + gap, 0}, kLean));
    ClosedForm f;
    ASSERT_TRUE(nearest_points(cso, f)) << gap;
    expect_near(f.n, {0, 1, 0});
    EXPECT_NEAR(f.value, gap, cso.error_bound);
    EXPECT_FALSE(f.unique);
  }
}

TEST(NearestBoxes, LeavesBoxesThatMeetToTheAxes) {
  ClosedForm f;
  for (const double x : {0.0, 1.5, 2.4 - 1e-9, 2.4}) {
    EXPECT_FALSE(
        nearest_points(cso_of({2, 2, 2}, {2, 2, 2}, detail::unchecked_pose({x, 0, 0}, kLean)), f))
        << x;
  }
}

}  // namespace
}  // namespace tactus::detail
