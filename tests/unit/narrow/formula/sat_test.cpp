#include "tactus/narrow/formula/sat.hpp"

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

TEST(Sat, DepthIsThatOfTheExpandingPolytope) {
  Random random(21);
  int overlapping = 0;
  int served = 0, served_apart = 0;
  for (int n = 0; n < 3000; ++n) {
    const auto u = [&] { return random.uniform(0.2, 2.0); };
    const auto v = [&] { return random.uniform(-1.0, 1.0); };
    const Vec3 size_a{u(), u(), u()};
    const Vec3 size_b{u(), u(), u()};
    // Every third pair nearly parallel: edges enclose angles from 1e-3 down to rounding.
    const double tilt = n % 3 == 0 ? std::pow(10.0, -random.uniform(3.0, 17.0)) : 1.0;
    const Quat turn = n % 3 == 0 ? normalized(Quat{1.0, tilt * v(), tilt * v(), tilt * v()})
                                 : normalized(Quat{v(), v(), v(), v()});
    const Cso cso = cso_of(size_a, size_b, Pose(Vec3{v(), v(), v()}, turn));
    const BoxAxes axes = separate_boxes(cso);
    Epa epa;
    const ConvexAnswer searched = search_pair(cso, {}, epa);
    EXPECT_LE(axes.separation, searched.upper);
    if (searched.distance < 0.0) {
      ++overlapping;
      EXPECT_NEAR(axes.separation, searched.distance, 2.0 * cso.error_bound) << n;
      EXPECT_NEAR(cso.value(axes.n), -axes.separation, cso.error_bound) << n;
    }
    ClosedForm f{axes.separation, axes.n, {}, {}, axes.unique};
    if (box_witnesses(cso, axes, f)) {
      ++(searched.distance < 0.0 ? served : served_apart);
      EXPECT_NEAR(axes.separation, searched.distance, 2.0 * cso.error_bound) << n;
      EXPECT_LE(norm((f.b - f.a) - axes.n * axes.separation), 4.0 * cso.error_bound) << n;
      EXPECT_LE(distance_outside(Box(size_a), f.a), 4.0 * cso.error_bound) << n;
      const Vec3 local = transpose_times(cso.rotation, f.b - cso.translation);
      EXPECT_LE(distance_outside(Box(size_b), local), 4.0 * cso.error_bound) << n;
    }
  }
  EXPECT_GT(overlapping, 1000);
  EXPECT_GT(served, 0.99 * overlapping);
  EXPECT_GT(served_apart, 100);
}

TEST(Sat, StopsAtTheFirstGap) {
  const Cso cso = cso_of({1, 1, 1}, {1, 1, 1}, Pose::translation({2, 0.3, 5}));
  const BoxAxes first = separate_boxes(cso, StopAxes::at_any);
  EXPECT_GT(first.separation, 0.0);
  EXPECT_NEAR(separate_boxes(cso).separation, 4.0, 1e-15);
}

TEST(Sat, ParallelFeaturesMeetInTheMiddle) {
  const Pose quarter(Vec3{0.1, 0.2, 0.9}, normalized(Quat{1, 0, 0, 0.3}));
  for (const Vec3& size_b : {Vec3{1, 1, 1}, Vec3{0.2, 0.2, 1}, Vec3{5, 0.1, 1}}) {
    const Cso cso = cso_of({1, 1, 1}, size_b, quarter);
    const BoxAxes axes = separate_boxes(cso);
    EXPECT_NEAR(axes.separation, -0.1, 1e-15);
    EXPECT_EQ(axes.n, (Vec3{0, 0, 1}));
    ClosedForm f{axes.separation, axes.n, {}, {}, true};
    EXPECT_TRUE(box_witnesses(cso, axes, f));
    EXPECT_FALSE(f.unique);
    EXPECT_NEAR(f.a.z, 0.5, 1e-15);
    EXPECT_NEAR(f.b.z, 0.4, 1e-15);
  }
}

TEST(Sat, CornersApartAreLeftToTheSearch) {
  const Cso cso = cso_of({1, 1, 1}, {1, 1, 1}, Pose::translation({2, 3, 4}));
  const BoxAxes axes = separate_boxes(cso);
  ClosedForm f{axes.separation, axes.n, {}, {}, true};
  EXPECT_FALSE(box_witnesses(cso, axes, f));
}

}  // namespace
}  // namespace tactus::detail
