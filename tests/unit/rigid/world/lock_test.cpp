// Bodies with locked axes.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/impulse_world.hpp"
#include "tactus/world.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::add_ground;
using test::effort;
using test::run;

LockedAxes random_lock(Random& random) {
  LockedAxes lock;
  for (std::size_t i = 0; i < 3; ++i) {
    lock.linear[i] = random.below(2) == 0;
    lock.angular[i] = random.below(2) == 0;
  }
  return lock;
}

World weightless() {
  WorldSettings settings;
  settings.gravity = {};
  return World(settings);
}

/// Bodies of all kinds with random locks fall on each other, on a hinge or two among them.
struct LockedPile {
  World world;
  std::vector<BodyId> bodies;

  LockedPile(std::uint64_t seed, int threads) : world(of(threads)) {
    Random random(seed);
    const Material rough{.rolling_friction = 0.02, .torsional_friction = 0.02};
    add_ground(world, rough);
    for (int i = 0; i < 12; ++i) {
      BodyDefinition body{test::mixed_shape(i)};
      const double x = random.uniform(-0.25, 0.25), y = random.uniform(-0.25, 0.25);
      body.pose = Pose({x, y, 0.4 + 0.5 * i}, test::random_rotation(random));
      body.material = rough;
      body.lock = random_lock(random);
      body.angular_velocity = {random.uniform(-2, 2), 1.0, 0.5};
      body.linear_velocity = {0.2, random.uniform(-1, 1), -3.0};
      bodies.push_back(world.add(body));
    }
    for (const std::size_t i : {2u, 7u})
      world.add_joint(joint_at(JointType::hinge, world.body(bodies[i]), world.body(bodies[i + 1]),
                               world.body(bodies[i]).center_of_mass(), {1.0, 0.3, 0.2}));
  }
  static World of(int threads) {
    WorldSettings settings;
    settings.max_threads = threads;
    settings.substeps = 4;
    return World(settings);
  }
};

double along_locked(const std::array<bool, 3>& locked, const Vec3& v) {
  double most = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    if (locked[i]) most = std::max(most, std::fabs(v[static_cast<int>(i)]));
  return most;
}

TEST(Lock, PlacesAlongLockedAxesKeepTheirBits) {
  for (int seed = 0; seed < effort(6); ++seed) {
    LockedPile pile(static_cast<std::uint64_t>(seed) + 1, 1);
    std::vector<Vec3> start;
    for (const BodyId id : pile.bodies) start.push_back(pile.world.body(id).center_of_mass());
    double energy = pile.world.statistics().kinetic_energy;
    for (int step = 0; step < 60; ++step) {
      if (step == 20)
        for (const BodyId id : pile.bodies)
          pile.world.apply_impulse(id, {3.0, 2.0, 1.0}, pile.world.body(id).pose().position());
      const StepStatistics& s = pile.world.step();
      ASSERT_FALSE(s.failure.any()) << to_text(s.failure);
      // Nothing but the impulses and what they were thrown with adds energy: locks do no work.
      const double now = s.kinetic_energy + s.potential_energy;
      if (step > 0 && step != 20) {
        ASSERT_LT(now, energy + 2e-3 * std::fabs(energy) + 0.05) << step;
      }
      energy = now;
      for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
        const Body& body = pile.world.body(pile.bodies[i]);
        const LockedAxes& lock = body.lock();
        ASSERT_EQ(along_locked(lock.linear, body.center_of_mass() - start[i]), 0.0);
        ASSERT_EQ(along_locked(lock.linear, body.linear_velocity()), 0.0);
        ASSERT_EQ(along_locked(lock.angular, body.angular_velocity()), 0.0);
      }
    }
  }
}

TEST(Lock, WorldsContinueBitByBitAndOnAnyThreads) {
  LockedPile one(3, 1), four(3, 4);
  for (int step = 0; step < 30; ++step) {
    one.world.step();
    four.world.step();
  }
  EXPECT_EQ(one.world.state_hash(), four.world.state_hash());
  LockedPile other(3, 1);
  other.world.restore(one.world.save());
  for (int step = 0; step < 15; ++step) {
    one.world.step();
    other.world.step();
    ASSERT_EQ(one.world.state_hash(), other.world.state_hash()) << step;
  }
}

// An elastic impact along n against a body that moves along x alone: an impulse of
// 2 (u . n) / (1 / m + n_x^2 / M).
TEST(Lock, ImpactsMeetTheMassThatIsFree) {
  World world = weightless();
  const Material elastic{.friction = 0.0, .restitution = 1.0};
  BodyDefinition held{Sphere(0.5)};
  held.material = elastic;
  held.lock.linear = {false, true, true};
  const BodyId b = world.add(held);
  const Vec3 n{0.6, 0.8, 0.0};
  const BodyId a = add_body(world, Sphere(0.5), n * -1.2, elastic, n * 4.0);
  const double m = world.body(a).mass().mass;
  run(world, 0.2);
  const double impulse = 2.0 * 4.0 / (1.0 / m + 0.36 / m);
  EXPECT_LT(norm(world.body(a).linear_velocity() - n * (4.0 - impulse / m)), 1e-9);
  EXPECT_LT(norm(world.body(b).linear_velocity() - Vec3{impulse * 0.6 / m, 0.0, 0.0}), 1e-9);
}

TEST(Lock, ABlockThatOnlyRisesRestsOnASlope) {
  World world;
  const Vec3 up{std::sin(0.6), 0.0, std::cos(0.6)};
  add_ground(world, {.friction = 0.0}, up);
  BodyDefinition block{Box({1.0, 1.0, 1.0}), Pose::from_axis_angle(up * 0.5, {0, 1, 0}, 0.6)};
  block.material.friction = 0.0;
  block.lock = {{true, true, false}, {true, true, true}};
  const BodyId id = world.add(block);
  run(world, 1.0);
  EXPECT_LT(norm(world.body(id).linear_velocity()), 1e-6);
  EXPECT_LT(std::fabs(world.body(id).center_of_mass().z - 0.5 * up.z), 2e-3);
  // The load that a slope carries along its normal lifts the weight.
  double lift = 0.0;
  for (const Contact& contact : world.contacts())
    lift += std::fabs(contact.normal.z) * contact.normal_impulse / world.contact_time();
  EXPECT_NEAR(lift, 1000.0 * 9.81, 0.5);
}

// About two axes of the world: the energy stays; about one: the moment of inertia about that.
TEST(Lock, FreeRotationKeepsItsEnergy) {
  Random random(5);
  for (int i = 0; i < effort(20); ++i) {
    World world = weightless();
    BodyDefinition body{Box({0.2, 0.5, 1.1}), Pose({0, 0, 0}, test::random_rotation(random))};
    const int axis = static_cast<int>(random.below(3));
    body.lock.angular[static_cast<std::size_t>(axis)] = true;
    for (int k = 0; k < 3; ++k) body.angular_velocity[k] = random.uniform(-3.0, 3.0);
    const BodyId id = world.add(body);
    const double start = world.body(id).kinetic_energy();
    const Vec3 spin = world.body(id).spin();
    for (int step = 0; step < 120; ++step) {
      world.step();
      ASSERT_NEAR(world.body(id).kinetic_energy(), start, 2e-4 * start);
    }
    Vec3 change = world.body(id).spin() - spin;
    EXPECT_GT(std::fabs(change[axis]), 1e-6 * norm(spin));
    change[axis] = 0.0;
    EXPECT_LT(norm(change), 1e-10 * norm(spin));
  }
}

TEST(Lock, ATorqueTurnsAboutTheFreeAxisAlone) {
  World world = weightless();
  BodyDefinition body{Box({0.2, 0.5, 1.1}), Pose::from_axis_angle({0, 0, 0}, {1, 2, 3}, 0.7)};
  body.lock.angular = {true, false, true};
  body.torque = {3.0, 2.0, -1.0};
  const BodyId id = world.add(body);
  const Mat3& axes = world.body(id).pose().rotation();
  const Vec3 y{0.0, 1.0, 0.0};
  const double inertia = dot(y, axes * (world.body(id).mass().inertia * transpose_times(axes, y)));
  run(world, 0.5);
  EXPECT_NEAR(world.body(id).angular_velocity().y, 0.5 * 2.0 / inertia, 1e-9);
}

TEST(Lock, AnotherMaterialLeavesIt) {
  World world;
  BodyDefinition body{Sphere(0.5)};
  body.lock = {{true, false, false}, {false, true, false}};
  const BodyId id = world.add(body);
  world.set_material(id, {.friction = 0.1});
  EXPECT_EQ(world.body(id).lock(), body.lock);
  world.set_velocity(id, {1, 2, 3}, {4, 5, 6});
  EXPECT_EQ(world.body(id).linear_velocity(), (Vec3{0, 2, 3}));
  EXPECT_EQ(world.body(id).angular_velocity(), (Vec3{4, 0, 6}));
}

TEST(Lock, WorldsOfImpulsesRefuseIt) {
  ImpulseWorld world;
  BodyDefinition body{Sphere(0.5)};
  body.lock.linear[2] = true;
  try {
    world.add(body);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "lock");
  }
}

}  // namespace
}  // namespace tactus::detail
