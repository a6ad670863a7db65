#include "tactus/narrow/proof/sphere_proof.hpp"

#include <gtest/gtest.h>

namespace tactus::detail {
namespace {

// A small cylinder inside a flat one, parallel to it and near its side: it leaves through the side
// at 0.25 and through the discs at 0.3.
class SphereProofTest : public testing::Test {
 protected:
  const Shape flat_ = Cylinder(1.0, 0.4), small_ = Cylinder(0.1, 0.2);
  const Cso cso_{core_of(flat_), Pose(), core_of(small_), Pose::translation({0.85, 0, 0})};
  int evaluations_ = 0;
  Vec3 lower_;
};

TEST_F(SphereProofTest, ProvesTheWayOutThroughTheSide) {
  // Tangents y and z: the rims gain across y, the side of the small cylinder lies on 0.2 of the
  // flat one's.
  Growth growth;
  growth.add_rim(1.1, {1, 0}, {0, 1, 0});
  growth.add_kink(0.3, 0.3, {0, 1});
  const TangentFrame frame({1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  ASSERT_NEAR(cso_.value(frame.n), 0.25, 1e-15);
  EXPECT_EQ(prove_on_sphere(cso_, frame, growth, 0.25, 190, evaluations_, lower_),
            SphereProof::proved);
  // The growth is enough on the half about n, a ball of 0.3 inside on the other.
  EXPECT_EQ(evaluations_, 0);
}

// Less claimed of the growth than there is, on one side of the contact or on both.
TEST_F(SphereProofTest, AsksForSupportPointsWhereTheGrowthIsNotEnough) {
  const TangentFrame frame({1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  for (const double other : {0.3, 0.02}) {
    Growth growth;
    growth.add_rim(1.1, {1, 0}, {0, 1, 0});
    growth.add_kink(other, 0.02, {0, 1});
    evaluations_ = 0;
    EXPECT_EQ(prove_on_sphere(cso_, frame, growth, 0.25, 190, evaluations_, lower_),
              SphereProof::proved);
    EXPECT_GT(evaluations_, 3);
    EXPECT_LT(evaluations_, 30);
  }
}

TEST_F(SphereProofTest, MeetsTheBetterWayFromTheDisc) {
  Growth growth;
  growth.disc = 1.0;
  growth.over = {0.95, 0};
  const TangentFrame frame({0, 0, 1}, {1, 0, 0}, {0, 1, 0});
  ASSERT_NEAR(cso_.value(frame.n), 0.3, 1e-15);
  EXPECT_EQ(prove_on_sphere(cso_, frame, growth, 0.3, 190, evaluations_, lower_),
            SphereProof::lower);
  EXPECT_LT(cso_.value(lower_), 0.3);
}

TEST_F(SphereProofTest, StaysOpenWithoutGrowthOrWithoutSteps) {
  const TangentFrame frame({1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  Growth growth;
  EXPECT_EQ(prove_on_sphere(cso_, frame, growth, 0.25, 190, evaluations_, lower_),
            SphereProof::open);
  growth.add_rim(1.1, {1, 0}, {0, 1, 0});
  growth.add_kink(0.02, 0.02, {0, 1});
  evaluations_ = 0;
  EXPECT_EQ(prove_on_sphere(cso_, frame, growth, 0.25, 3, evaluations_, lower_), SphereProof::open);
}

// Neither of two equally short ways out is proved: the answer must say that there are two.
TEST(SphereProof, LeavesTies) {
  const Shape c = Cylinder(1.0, 0.4);
  const Cso cso(core_of(c), Pose(), core_of(c), Pose());
  Growth growth;
  growth.disc = 1.0;
  int evaluations = 0;
  Vec3 lower;
  const TangentFrame frame({0, 0, 1}, {1, 0, 0}, {0, 1, 0});
  EXPECT_EQ(prove_on_sphere(cso, frame, growth, cso.value(frame.n), 190, evaluations, lower),
            SphereProof::open);
}

}  // namespace
}  // namespace tactus::detail
