#include <gtest/gtest.h>

#include <cmath>

#include "tactus/check.hpp"
#include "tactus/query.hpp"
#include "tests/oracle/generator.hpp"

// The checker is believed where it accepts: here it must refuse answers that are wrong by a
// millionth of the size.
namespace tactus::detail::oracle {
namespace {

constexpr std::uint64_t kSeed = 5;
constexpr double kFault = 1e-6;

struct Answered {
  Case made;
  Shape a, b;
  Pose pose_a, pose_b;
  Certificate certificate;
  DistanceResult result;
  double size = 1.0;

  bool accepted(const DistanceResult& claim) const {
    return check(a, pose_a, b, pose_b, claim, &certificate).ok;
  }
};

Answered answer(std::uint64_t index) {
  const Generator generator(kSeed);
  const Case made = generator.make(index);
  Answered q{made,
             made.pair.a.shape(),
             made.pair.b.shape(),
             made.pair.place_a.pose(),
             made.pair.place_b.pose(),
             {},
             {}};
  QueryOptions options;
  options.certificate = &q.certificate;
  q.result = distance(q.a, q.pose_a, q.b, q.pose_b, options);
  // Faults are measured by the distance of the witnesses from the body's origins: that is the size
  // that enters the checker.
  q.size =
      norm(q.result.point_a - q.pose_a.position()) + norm(q.result.point_b - q.pose_b.position());
  return q;
}

class Faults : public testing::TestWithParam<int> {
 protected:
  Faults() : q_(answer(static_cast<std::uint64_t>(GetParam()))) {}
  Answered q_;
};

TEST_P(Faults, TheTrueAnswerIsAccepted) {
  const CheckReport report = check(q_.a, q_.pose_a, q_.b, q_.pose_b, q_.result, &q_.certificate);
  EXPECT_TRUE(report.ok) << report.failure << ' ' << q_.made.group << ' ' << q_.made.category;
}

TEST_P(Faults, AShiftedDistanceIsRefused) {
  for (const double shift : {kFault, -kFault}) {
    DistanceResult claim = q_.result;
    claim.distance += shift * q_.size;
    claim.lower += shift * q_.size;
    claim.upper += shift * q_.size;
    EXPECT_FALSE(q_.accepted(claim)) << shift << ' ' << q_.made.group << ' ' << q_.made.category;
  }
}

TEST_P(Faults, AnEmptyBracketIsRefused) {
  DistanceResult claim = q_.result;
  std::swap(claim.lower, claim.upper);
  claim.lower += kFault * q_.size;
  EXPECT_FALSE(q_.accepted(claim));
}

TEST_P(Faults, ATurnedNormalIsRefused) {
  DistanceResult claim = q_.result;
  const Vec3 side = any_perpendicular(claim.normal);
  claim.normal = normalized(claim.normal + side * 0.1);
  EXPECT_FALSE(q_.accepted(claim)) << q_.made.group << ' ' << q_.made.category;
}

TEST_P(Faults, AReversedNormalIsRefused) {
  DistanceResult claim = q_.result;
  claim.normal = -claim.normal;
  EXPECT_FALSE(q_.accepted(claim)) << q_.made.group << ' ' << q_.made.category;
}

TEST_P(Faults, ANormalThatIsNoUnitVectorIsRefused) {
  DistanceResult claim = q_.result;
  claim.normal *= 1.001;
  EXPECT_FALSE(q_.accepted(claim));
}

TEST_P(Faults, WitnessesOffTheirSurfacesAreRefused) {
  // Both points moved outwards together: consistent with each other, but A's is outside of A.
  DistanceResult claim = q_.result;
  claim.point_a += claim.normal * (1e-3 * q_.size);
  claim.point_b += claim.normal * (1e-3 * q_.size);
  EXPECT_FALSE(q_.accepted(claim)) << q_.made.group << ' ' << q_.made.category;
  claim = q_.result;
  claim.point_b += claim.normal * (1e-3 * q_.size);
  EXPECT_FALSE(q_.accepted(claim)) << q_.made.group << ' ' << q_.made.category;
}

TEST_P(Faults, NumbersThatAreNoneAreRefused) {
  DistanceResult claim = q_.result;
  claim.distance = std::nan("");
  EXPECT_FALSE(q_.accepted(claim));
  claim = q_.result;
  claim.point_a.x = std::nan("");
  EXPECT_FALSE(q_.accepted(claim));
}

// One query of every group and category.
INSTANTIATE_TEST_SUITE_P(Queries, Faults, testing::Range(0, Generator::combinations(), 7));

}  // namespace
}  // namespace tactus::detail::oracle
