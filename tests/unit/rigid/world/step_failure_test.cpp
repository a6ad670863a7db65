// A step that cannot be done leaves the world, with the forces given for it, as it was, and says
// why.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/impulse_world.hpp"
#include "tactus/world.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/failing_memory.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::add_ground;

Vec3 vector_within(Random& random, double most) {
  const double x = random.uniform(-most, most), y = random.uniform(-most, most);
  return {x, y, random.uniform(-most, most)};
}

/// A world as its caller sees it: state, forces, positions, touching pairs, contacts and joints.
struct Seen {
  WorldState state;
  std::vector<Vec3> forces;
  std::vector<TouchingPair> touching, begun, ended;
  std::vector<double> contacts, joints;
  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen look(const RigidWorld& world) {
  Seen seen;
  seen.state = world.save();
  for (const Body& body : world.bodies()) {
    seen.forces.push_back(body.force());
    seen.forces.push_back(body.torque());
    seen.forces.push_back(body.pose().position());
  }
  for (const Contact& c : world.contacts())
    seen.contacts.insert(seen.contacts.end(), {c.point.x, c.normal.y, c.depth, c.normal_impulse});
  return seen;
}

Seen look(const World& world) {
  Seen seen = look(static_cast<const RigidWorld&>(world));
  seen.touching.assign(world.touching().begin(), world.touching().end());
  seen.begun.assign(world.touches_begun().begin(), world.touches_begun().end());
  seen.ended.assign(world.touches_ended().begin(), world.touches_ended().end());
  for (const Joint& joint : world.joints())
    seen.joints.insert(seen.joints.end(), {joint.force.x, joint.torque.z, joint.position});
  return seen;
}

/// Steps; checks that the step fails as it should and changes nothing.
template <class AnyWorld>
void expect_failure(AnyWorld& world, StepError error, const std::vector<BodyId>& bodies) {
  const Seen before = look(world);
  const StepFailure failure = world.step().failure;
  EXPECT_EQ(failure.error, error) << to_text(failure);
  EXPECT_EQ(failure.bodies, bodies) << to_text(failure);
  EXPECT_FALSE(failure.reason.empty());
  EXPECT_TRUE(look(world) == before) << to_text(failure);
  EXPECT_EQ(world.statistics().step, world.step_count());
  EXPECT_THROW(require_done(world.statistics()), std::runtime_error);
}

/// Bodies that lie, fly, hang on joints and meet within the next steps, some near the face of a
/// periodic space; sensors too.
void fill(World& world, Random& random, int bodies) {
  if (!world.settings().periodic[0]) add_ground(world);
  for (int i = 0; i < bodies; ++i) {
    const Vec3 place{0.45 * (i % 3), 0.45 * (i / 3 % 3), 0.2 + 0.4 * (i / 9)};
    const Vec3 velocity = vector_within(random, 4.0) - Vec3{0, 0, 4};
    const BodyId id = add_body(world, test::mixed_shape(i), place, {}, velocity);
    world.set_velocity(id, velocity, vector_within(random, 20.0));
  }
  const std::span<const Body> all = world.bodies();
  const Body& last = all[all.size() - 1];
  const Body& other = all[all.size() - 2];
  world.add_joint(joint_at(JointType::ball, other, last,
                           (other.center_of_mass() + last.center_of_mass()) * 0.5));
  BodyDefinition sensor{Sphere(0.5), Pose::translation({0.4, 0.4, 0.5})};
  sensor.type = BodyType::kinematic;
  sensor.sensor = true;
  world.add(sensor);
}

WorldSettings settings_of(int kind) {
  WorldSettings settings;
  settings.max_threads = 1;
  settings.substeps = 4;
  if (kind == 1) settings.periodic = {PeriodicAxis{-2.0, 1.1}, std::nullopt, std::nullopt};
  if (kind == 2) settings.sleep_time = 0.02;
  return settings;
}

// Memory runs out at every place of a step, one after the other.
TEST(StepFailure, MemoryThatRunsOutAnywhereInAStepLeavesTheWorldAsItWas) {
  // With less effort memory runs out at every seventh of these places.
  const long stride = test::effort(10) < 10 ? 7 : 1;
  for (int kind = 0; kind < 3; ++kind) {
    SCOPED_TRACE(kind);
    Random random(3 + kind);
    World world(settings_of(kind)), same(settings_of(kind));
    fill(world, random, 10);
    Random again(3 + kind);
    fill(same, again, 10);
    long failures = 0;
    for (int step = 0; step < 12; ++step) {
      const BodyId pushed = world.bodies().back().id() - 1;
      for (World* w : {&world, &same}) w->apply_force(pushed, {1.0, 0.5 * step, 0.0});
      if (step == 6)
        for (World* w : {&world, &same}) w->set_pose(pushed, Pose::translation({1.3, 0.2, 1.5}));
      const Seen before = look(world);
      for (long allowed = 0;; allowed += stride * (1 + step % 5)) {
        test::FailingMemory memory(allowed);
        const StepError error = world.step().failure.error;
        memory.end();
        // Done, with all that it wanted or without what it can do without, as std::stable_sort.
        if (error == StepError::none) break;
        ++failures;
        ASSERT_EQ(error, StepError::memory) << step << " " << allowed;
        ASSERT_TRUE(look(world) == before) << step << " " << allowed;
      }
      ASSERT_FALSE(same.step().failure.any());
      ASSERT_TRUE(look(world) == look(same)) << step;
    }
    EXPECT_GT(failures, 300 / stride);
  }
}

TEST(StepFailure, MemoryOfAnImpulseWorld) {
  ImpulseWorld world, same;
  for (ImpulseWorld* w : {&world, &same}) {
    BodyDefinition ground{HalfSpace({0, 0, 1}, 0)};
    ground.type = BodyType::fixed;
    w->add(ground);
    for (int i = 0; i < 4; ++i)
      w->add({test::mixed_shape(i), Pose::translation({0.1 * i, 0, 0.3 + 0.45 * i}), {0, 0, -4}});
  }
  long failures = 0;
  for (int step = 0; step < 4; ++step) {
    const Seen before = look(world);
    for (long allowed = 0;; allowed += 3) {
      test::FailingMemory memory(allowed);
      const StepError error = world.step().failure.error;
      memory.end();
      // Done, with all that it wanted or without what it can do without, as std::stable_sort.
      if (error == StepError::none) break;
      ++failures;
      ASSERT_EQ(error, StepError::memory);
      ASSERT_TRUE(look(world) == before);
    }
    same.step();
    ASSERT_TRUE(look(world) == look(same));
    ASSERT_EQ(world.time(), same.time());
    ASSERT_EQ(world.impacts().size(), same.impacts().size());
  }
  EXPECT_GT(failures, 20);
}

TEST(StepFailure, ABodyThatIsTooFastIsNamed) {
  World world;
  ImpulseWorld flying;
  const BodyId a = add_body(world, Sphere(0.5), {0, 0, 2});
  const BodyId b = flying.add({Sphere(0.5), Pose::translation({0, 0, 2})});
  for (const Vec3& fast : {Vec3{1e300, 0, 0}, Vec3{0, -1e10, 0}}) {
    world.set_velocity(a, fast, {});
    flying.set_velocity(b, fast, {});
    expect_failure(world, StepError::motion, {a});
    expect_failure(flying, StepError::motion, {b});
  }
  world.set_velocity(a, {}, {0, 0, 1e7});
  expect_failure(world, StepError::motion, {a});
  // The world goes on when the cause is gone.
  world.set_velocity(a, {0, 0, 500}, {0, 0, 200});
  EXPECT_FALSE(world.step().failure.any());
  EXPECT_EQ(world.step_count(), 1u);
}

TEST(StepFailure, ForcesStayAndAreNamed) {
  World world;
  const BodyId a = add_body(world, Sphere(0.5), {0, 0, 2});
  world.apply_force(a, {0, 0, 1e308});
  expect_failure(world, StepError::force, {a});
  expect_failure(world, StepError::force, {a});
  world.apply_force(a, {0, 0, -1e308});
  world.apply_torque(a, {0, 1e300, 0});
  expect_failure(world, StepError::force, {a});
}

TEST(StepFailure, APeriodicSpaceNamesWhatDoesNotFit) {
  WorldSettings settings;
  settings.periodic[1] = PeriodicAxis{0.0, 2.0};
  World world(settings);
  const BodyId a = add_body(world, Sphere(0.2), {0, 1, 0});
  world.set_velocity(a, {0, 1e4, 0}, {});
  expect_failure(world, StepError::motion, {a});
  world.set_velocity(a, {}, {});
  world.set_pose(a, Pose::translation({0, 1e300, 0}));
  expect_failure(world, StepError::place, {a});
}

TEST(StepFailure, ACrowdIsRefusedAtTheStartAndWithinTheStep) {
  World world;
  for (int i = 0; i < 1100; ++i) add_body(world, Sphere(0.5), {0, 0, 0});
  expect_failure(world, StepError::crowded, {});
  EXPECT_EQ(
      world.statistics().failure.reason,
      "more than 524288 pairs of 1100 bodies are near each other: too many to keep in memory");
}

// No query can work with lengths whose squares overflow.
TEST(StepFailure, APairWhoseQueryHasNoAnswerIsNamed) {
  const double far = 1e160;
  BodyDefinition ground{Mesh({{{-far, -far, 0}, {far, -far, 0}, {0, far, 0}}, {{0, 1, 2}}})};
  ground.type = BodyType::fixed;
  World world;
  const BodyId below = world.add(ground), ball = add_body(world, Sphere(0.5), {0, 0, 0.4});
  expect_failure(world, StepError::no_answer, {below, ball});
  ImpulseWorld flying;
  flying.add(ground);
  flying.add({Sphere(0.5), Pose::translation({0, 0, 0.6})});
  expect_failure(flying, StepError::no_answer, {below, ball});
}

// Random extremes of mass, speed and force, with joints and contacts: whatever overflows is found
// before it is handed on. States that are kept can be restored, which asks for finite numbers.
TEST(StepFailure, NothingThatIsNoNumberIsEverKept) {
  const int runs = test::effort(60);
  Random random(8);
  int failed = 0;
  std::vector<StepError> seen;
  for (int run = 0; run < runs; ++run) {
    World world(settings_of(0));
    add_ground(world);
    const auto extreme = [&] { return std::pow(10.0, random.uniform(-90.0, 90.0)); };
    for (int i = 0; i < 3; ++i) {
      BodyDefinition d{Sphere(0.5), Pose::translation({0.9 * i, 0, 0.45})};
      const double mass = extreme();
      d.mass =
          BodyMass{mass, {}, Mat3::identity() * (mass * std::pow(10.0, random.uniform(-2, 2)))};
      d.linear_velocity = vector_within(random, 1e7);
      world.add(d);
    }
    const std::span<const Body> all = world.bodies();
    JointDefinition joint = joint_at(JointType::hinge, all[1], all[2], {0.45, 0.3, 0.4});
    joint.touch = true;
    joint.motor = JointMotor{extreme(), extreme()};
    world.add_joint(joint);
    for (int step = 0; step < 5; ++step) {
      const Seen before = look(world);
      const StepFailure failure = world.step().failure;
      EXPECT_NO_THROW(validate(world.save()));
      if (!failure.any()) continue;
      ++failed;
      seen.push_back(failure.error);
      EXPECT_TRUE(look(world) == before) << to_text(failure);
      break;
    }
  }
  EXPECT_GT(failed, runs / 20);
  for (const StepError error : seen) EXPECT_NE(error, StepError::memory);
}

TEST(StepFailure, EveryErrorHasAName) {
  for (int i = 1; i <= static_cast<int>(StepError::memory); ++i) {
    const auto error = static_cast<StepError>(i);
    EXPECT_NE(to_string(error), "none");
    EXPECT_EQ(to_text({error, {3, 4}, "why"}), std::string(to_string(error)) + ": bodies 3 4: why");
  }
}

}  // namespace
}  // namespace tactus::detail
