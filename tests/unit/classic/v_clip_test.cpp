#include "tactus/classic/v_clip.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

ConvexAnswer searched(const Cso& cso) {
  Epa epa;
  return search_pair(cso, {}, epa);
}

Shape flat_hull(Random& random) {
  std::vector<Vec3> points;
  for (int i = 0; i < 6; ++i)
    points.push_back({random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), 0.25});
  return Convex(points);
}

TEST(VClip, ClosestFeaturesGiveTheDistance) {
  Random random(71);
  int apart = 0;
  int exact = 0;
  int penetrating = 0;
  for (int n = 0; n < 2000; ++n) {
    const std::array<Shape, 7> shapes{random_hull(random, 4 + n % 20),
                                      Box({0.9, 0.7, 0.5}),
                                      random_hull(random, 30),
                                      Capsule(0.1, 0.7),
                                      Sphere(0.1),
                                      flat_hull(random),
                                      random_hull(random, 2)};
    const Shape& a = shapes[random.below(7)];
    const Shape& b = shapes[random.below(7)];
    const Cso cso(core_of(a), Pose(), core_of(b), random_pose(random, 1.0));
    VClipFeature fa, fb;
    const VClipResult r = v_clip(cso, fa, fb, 200);
    const ConvexAnswer truth = searched(cso);
    const double radius = cso.a.radius + cso.b.radius;
    EXPECT_NE(r.outcome, VClipOutcome::cycling) << n;
    if (truth.distance + radius > 1e-9) {
      ++apart;
      EXPECT_NE(r.outcome, VClipOutcome::penetrating) << n;
      EXPECT_GE(norm(r.point_b - r.point_a), truth.distance + radius - 1e-14) << n;
      if (std::fabs(norm(r.point_b - r.point_a) - (truth.distance + radius)) <= 1e-13) ++exact;
    } else if (truth.distance + radius < -1e-9) {
      ++penetrating;
      EXPECT_EQ(r.outcome, VClipOutcome::penetrating) << n;
    }
  }
  EXPECT_GT(apart, 500);
  EXPECT_EQ(exact, apart);
  EXPECT_GT(penetrating, 200);
}

TEST(VClip, StartsFromTheFeaturesFoundBefore) {
  Random random(72);
  const Shape a = random_hull(random, 60);
  const Shape b = random_hull(random, 60);
  VClipFeature fa, fb;
  int first = 0;
  int later = 0;
  for (int n = 0; n < 50; ++n) {
    const Pose pose(Vec3{1.5, 0.01 * n, 0.2}, normalized(Quat{1.0, 0.004 * n, 0.3, 0.1}));
    const Cso cso(core_of(a), Pose(), core_of(b), pose);
    const VClipResult warm = v_clip(cso, fa, fb, 200);
    EXPECT_EQ(warm.outcome, VClipOutcome::closest);
    VClipFeature ca, cb;
    const VClipResult cold = v_clip(cso, ca, cb, 200);
    EXPECT_NEAR(norm(warm.point_b - warm.point_a), norm(cold.point_b - cold.point_a), 1e-14);
    first += cold.steps;
    later += n == 0 ? 0 : warm.steps;
  }
  EXPECT_LT(2 * later, first);
}

TEST(VClip, EveryStartOnACubeEndsAtTheSameFeatures) {
  const Core box = core_of(Shape(Box({1, 1, 1})));
  const Cso cso(box, Pose(), box, Pose(Vec3{1.3, 1.2, 0.1}, normalized(Quat{1, 0.2, 0.1, 0.3})));
  const double distance = searched(cso).distance;
  using Kind = VClipFeature::Kind;
  const std::array<std::uint32_t, 3> counts{8, 12, 6};
  for (std::uint32_t ka = 0; ka < 3; ++ka) {
    for (std::uint32_t kb = 0; kb < 3; ++kb) {
      for (std::uint32_t i = 0; i < counts[ka]; ++i) {
        for (std::uint32_t j = 0; j < counts[kb]; ++j) {
          VClipFeature a{static_cast<Kind>(ka), i}, b{static_cast<Kind>(kb), j};
          const VClipResult r = v_clip(cso, a, b, 100);
          ASSERT_EQ(r.outcome, VClipOutcome::closest);
          ASSERT_NEAR(norm(r.point_b - r.point_a), distance, 1e-14);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tactus::detail
