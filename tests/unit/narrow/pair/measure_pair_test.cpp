// Formula first, then search: what a motion asks at one time after another.
#include "tactus/narrow/pair/measure_pair.hpp"

#include <gtest/gtest.h>

#include "tactus/core/random.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

Cso boxes_at(const Pose& pose_b) {
  static const Shape box = Box({1.0, 0.8, 0.6});
  return {core_of(box), Pose(), core_of(box), pose_b};
}

TEST(MeasurePair, AsksTheFormulaThatIsNamedAndNoOther) {
  const Cso cso = boxes_at(Pose::translation({0.5, 0.1, 0.2}));
  Epa epa;
  EXPECT_TRUE(measure_pair(cso, PairFormula::axes, {}, epa).closed_form);
  EXPECT_FALSE(measure_pair(cso, PairFormula::none, {}, epa).closed_form);
  const Shape ball = Sphere(0.4);
  const Cso balls(core_of(ball), Pose(), core_of(ball), Pose::translation({1.0, 0.5, 0.25}));
  EXPECT_TRUE(measure_pair(balls, PairFormula::closed, {}, epa).closed_form);
  EXPECT_FALSE(measure_pair(balls, PairFormula::none, {}, epa).closed_form);
}

// Corner against corner the axes have no witnesses, and a search finds them.
TEST(MeasurePair, BoxesAtCornersAreSearched) {
  Random random(5);
  Epa epa;
  int searched = 0;
  for (int i = 0; i < 400; ++i) {
    const Cso cso = boxes_at(random_pose(random, 1.6));
    const ConvexAnswer r = measure_pair(cso, PairFormula::axes, {}, epa);
    const ConvexAnswer right = search_pair(cso, {}, epa);
    EXPECT_EQ(r.status, Status::converged) << i;
    EXPECT_NEAR(r.distance, right.distance, 4.0 * cso.error_bound) << i;
    searched += r.closed_form ? 0 : 1;
  }
  EXPECT_GT(searched, 50);
}

// A sign is decided by the first axis that separates, whatever the nearest features are.
TEST(MeasurePair, ASignNeedsNoWitnesses) {
  ConvexOptions options;
  options.sign_only = true;
  Epa epa;
  const Cso cso = boxes_at(Pose(Vec3{1.5, 1.2, 1.0}, normalized(Quat{1.0, 0.3, 0.2, 0.5})));
  const ConvexAnswer r = measure_pair(cso, PairFormula::axes, options, epa);
  EXPECT_TRUE(r.closed_form);
  EXPECT_GT(r.lower, 0.0);
  EXPECT_EQ(r.iterations, 1);
  const ConvexAnswer right = search_pair(cso, {}, epa);
  EXPECT_LE(r.lower, right.upper);
  EXPECT_GE(r.upper, right.lower);
}

}  // namespace
}  // namespace tactus::detail
