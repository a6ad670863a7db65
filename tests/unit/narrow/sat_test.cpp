#include "tactus/narrow/sat.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tactus/core/random.hpp"
#include "tactus/narrow/convex_pair.hpp"

namespace tactus {
namespace {

Cso cso_of(const Vec3& size_a, const Vec3& size_b, const Pose& pose_b) {
  return {make_core(Box(size_a)), Pose(), make_core(Box(size_b)), pose_b};
}

TEST(Sat, DepthIsThatOfTheExpandingPolytope) {
  Random random(21);
  int overlapping = 0;
  int simple = 0;
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
    ConvexOptions options;
    options.iterative = true;
    const ConvexAnswer searched = solve_convex_pair(cso, options, epa);
    if (searched.distance > 0.0) {
      EXPECT_LE(axes.separation, searched.upper);
      continue;
    }
    ++overlapping;
    EXPECT_NEAR(axes.separation, searched.distance, 2.0 * cso.rounding) << n;
    EXPECT_NEAR(cso.value(axes.n), -axes.separation, cso.rounding) << n;
    Vec3 a, b;
    if (box_witnesses(cso, axes, a, b)) {
      ++simple;
      EXPECT_LE(norm((a - b) + axes.n * axes.separation), 4.0 * cso.rounding) << n;
    }
  }
  EXPECT_GT(overlapping, 1000);
  EXPECT_GT(simple, 800);
}

TEST(Sat, StopsAtTheFirstGap) {
  const Cso cso = cso_of({1, 1, 1}, {1, 1, 1}, Pose::translation({2, 0.3, 5}));
  const BoxAxes first = separate_boxes(cso, true);
  EXPECT_GT(first.separation, 0.0);
  EXPECT_NEAR(separate_boxes(cso).separation, 4.0, 1e-15);
}

TEST(Sat, FaceOnFaceLeavesTheWitnessesToTheSearch) {
  const Cso cso = cso_of({1, 1, 1}, {1, 1, 1}, Pose::translation({0.1, 0.2, 0.9}));
  const BoxAxes axes = separate_boxes(cso);
  EXPECT_NEAR(axes.separation, -0.1, 1e-15);
  EXPECT_EQ(axes.n, (Vec3{0, 0, 1}));
  Vec3 a, b;
  EXPECT_FALSE(box_witnesses(cso, axes, a, b));
}

}  // namespace
}  // namespace tactus
