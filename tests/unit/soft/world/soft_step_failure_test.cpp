// A step that cannot be done leaves deformables, rigid bodies and forces as they were, and says
// why.
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "tactus/deform.hpp"
#include "tests/support/failing_memory.hpp"

namespace tactus::detail {
namespace {

/// A soft cube over a rigid ball on the floor, and one that lies on nothing.
struct Both {
  World rigid;
  DeformableWorld soft;
  BodyId ball = kNoBody;
  std::uint32_t obstacle = 0;

  static WorldSettings rigid_settings() {
    WorldSettings settings;
    settings.max_threads = 1;
    return settings;
  }
  static DeformableSettings soft_settings() {
    DeformableSettings settings;
    settings.max_threads = 1;
    settings.sweeps = 4;
    settings.rounds = 2;
    return settings;
  }

  Both() : rigid(rigid_settings()), soft(soft_settings()) {
    BodyDefinition ground{HalfSpace({0, 0, 1}, 0)};
    ground.type = BodyType::fixed;
    rigid.add(ground);
    ball = rigid.add({Sphere(0.5), Pose::translation({0, 0, 0.5})});
    for (int i = 0; i < 2; ++i) {
      const TetrahedralMesh box = tetrahedral_box({0.6, 0.6, 0.6}, {1, 1, 1});
      DeformableDefinition d;
      d.vertices = box.vertices;
      d.tetrahedra = box.tetrahedra;
      d.pose = Pose::translation({3.0 * i, 0, 1.4});
      d.linear_velocity = {0, 0, -2};
      soft.add(d);
    }
    obstacle = soft.add_obstacle(rigid, ball, 0.2);
    soft.add_obstacle({HalfSpace({0, 0, 1}, 0)});
  }
};

struct Seen {
  DeformableState state;
  WorldState rigid;
  std::vector<Vec3> numbers;
  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen look(const Both& both) {
  Seen seen{both.soft.save(), both.rigid.save(), {}};
  for (const Body& body : both.rigid.bodies()) {
    seen.numbers.push_back(body.force());
    seen.numbers.push_back(body.torque());
  }
  for (const DeformableContact& c : both.soft.contacts()) seen.numbers.push_back(c.point);
  seen.numbers.push_back(both.soft.load(both.obstacle).force);
  return seen;
}

TEST(SoftStepFailure, MemoryThatRunsOutAnywhereLeavesBothWorldsAsTheyWere) {
  Both both, same;
  long failures = 0;
  for (int step = 0; step < 6; ++step) {
    for (Both* b : {&both, &same}) b->rigid.apply_force(b->ball, {0.1 * step, 0, 1.0});
    const Seen before = look(both);
    for (long allowed = 0;; allowed += 1 + allowed / 12) {
      test::FailingMemory memory(allowed);
      const StepError error = both.soft.step(both.rigid).failure.error;
      memory.end();
      // Done, with all that it wanted or without what it can do without, as std::stable_sort.
      if (error == StepError::none) break;
      ++failures;
      ASSERT_EQ(error, StepError::memory) << step << " " << allowed;
      ASSERT_TRUE(look(both) == before) << step << " " << allowed;
    }
    ASSERT_FALSE(same.soft.step(same.rigid).failure.any());
    ASSERT_TRUE(look(both) == look(same)) << step;
  }
  EXPECT_GT(failures, 100);
  EXPECT_NE(both.soft.load(both.obstacle).force, Vec3{});
}

void expect_failure(Both& both, StepError error, const std::vector<BodyId>& bodies,
                    const std::vector<std::uint32_t>& failed) {
  const Seen before = look(both);
  const DeformableStatistics& s = both.soft.step(both.rigid);
  EXPECT_EQ(s.failure.error, error) << to_text(s.failure);
  EXPECT_EQ(s.failure.bodies, bodies);
  EXPECT_EQ(s.failed, failed);
  EXPECT_EQ(s.step, both.soft.step_count());
  EXPECT_TRUE(look(both) == before);
  EXPECT_THROW(require_done(s), std::runtime_error);
}

TEST(SoftStepFailure, WhatIsTooFastIsNamedInEitherWorld) {
  Both both;
  for (int i = 0; i < 3; ++i) ASSERT_FALSE(both.soft.step(both.rigid).failure.any());
  both.soft.set_velocity(1, {0, 1e300, 0});
  expect_failure(both, StepError::motion, {}, {1});
  both.soft.set_velocity(1, {});
  both.rigid.set_velocity(both.ball, {1e300, 0, 0}, {});
  expect_failure(both, StepError::motion, {both.ball}, {});
  both.rigid.set_velocity(both.ball, {}, {});
  both.rigid.apply_force(both.ball, {0, 1e308, 0});
  expect_failure(both, StepError::force, {both.ball}, {});
  both.rigid.apply_force(both.ball, {0, -1e308, 0});
  EXPECT_FALSE(both.soft.step(both.rigid).failure.any());
}

// A call that is refused changes nothing either.
TEST(SoftStepFailure, WhatIsPutIntoADeformableIsRefusedAndChangesNothing) {
  Both both;
  ASSERT_FALSE(both.soft.step(both.rigid).failure.any());
  both.rigid.set_pose(both.ball, Pose::translation({3.0, 0.25, 1.6}));
  const Seen before = look(both);
  EXPECT_THROW(both.soft.step(both.rigid), InvalidInput);
  EXPECT_TRUE(look(both) == before);
  both.rigid.set_pose(both.ball, Pose::translation({9.0, 0, 1.6}));
  EXPECT_FALSE(both.soft.step(both.rigid).failure.any());
}

}  // namespace
}  // namespace tactus::detail
