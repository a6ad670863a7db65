#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "lab/experiment.hpp"

// The comparison of times of impact with samples, with the library and with something wrong.
namespace tactus::detail::lab {
namespace {

// Enough for every mix, meshes included.
constexpr std::uint64_t kPairs = 200;

CastResult ask(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
               const Pose& pose_b, const RigidMotion& motion_b, const QueryOptions& options) {
  return impact(a, pose_a, motion_a, b, pose_b, motion_b, options);
}

// The answer, spoilt.
template <class Spoil>
Report with(Spoil spoil) {
  Settings settings;
  settings.pairs = kPairs;
  settings.ask_impact = [spoil](const Shape& a, const Pose& pose_a, const RigidMotion& motion_a,
                                const Shape& b, const Pose& pose_b, const RigidMotion& motion_b,
                                const QueryOptions& options) {
    CastResult r = ask(a, pose_a, motion_a, b, pose_b, motion_b, options);
    spoil(r);
    return r;
  };
  return run_impact(settings);
}

TEST(LabImpact, PassesAndIsTheSameOnAnyNumberOfThreads) {
  Settings settings;
  settings.pairs = kPairs;
  const Report two = run_impact(settings);
  EXPECT_TRUE(two.ok()) << to_text(two);
  settings.threads = 1;
  const Report one = run_impact(settings);
  EXPECT_EQ(one.tables.at(1).rows, two.tables.at(1).rows);
}

TEST(LabImpact, SeesLateTimes) {
  const Report late = with([](CastResult& r) {
    if (r.hit != Overlap::yes || r.time == 0.0) return;
    r.time = std::min(r.time + 0.01, 1.0);
    r.time_upper = std::max(r.time, r.time_upper);
  });
  EXPECT_FALSE(late.bars.at(0).ok());
  EXPECT_FALSE(late.incidents.empty());
}

TEST(LabImpact, SeesContactsThatAreMissed) {
  const Report blind = with([](CastResult& r) {
    r.hit = Overlap::no;
    r.time = r.time_upper = std::numeric_limits<double>::infinity();
  });
  EXPECT_FALSE(blind.bars.at(0).ok());
}

TEST(LabImpact, SeesEarlyTimes) {
  const Report early = with([](CastResult& r) { r.time *= 0.999; });
  EXPECT_FALSE(early.bars.at(1).ok());
}

}  // namespace
}  // namespace tactus::detail::lab
