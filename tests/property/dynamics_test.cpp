#include <gtest/gtest.h>

#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"
#include "tactus/world.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

Vec3 random_vec(Random& random, double low, double high) {
  return {random.uniform(low, high), random.uniform(low, high), random.uniform(low, high)};
}

// Flat bodies on one another, which a solver may keep wobbling on for ever: what nothing drives
// comes to rest.
TEST(StackProperty, PlatesComeToRest) {
  Random random(7);
  for (int stack = 0; stack < test::effort(16); ++stack) {
    World world;
    BodyDefinition floor{HalfSpace({0.0, 0.0, 1.0}, 0.0)};
    floor.type = BodyType::fixed;
    world.add(floor);
    const int count = 2 + static_cast<int>(random.below(5));
    const bool alike = random.below(2) == 0;
    Vec3 size = random_vec(random, 0.8, 2.0);
    double top = 0.0;
    for (int i = 0; i < count; ++i) {
      if (!alike) size = random_vec(random, 0.8, 2.0);
      size.z = random.uniform(0.1, 0.8);
      const double aside = alike ? 0.0 : 0.15;
      world.add({.shape = Box(size),
                 .pose = Pose::translation({random.uniform(-aside, aside),
                                            random.uniform(-aside, aside), top + 0.5 * size.z})});
      top += size.z;
    }
    test::run(world, 6.0);
    EXPECT_LT(world.statistics().rms_relative_speed, 1e-4) << stack << ": " << count << " plates";
  }
}

TEST(PileProperty, MixedBodiesComeToRestInsideTheBox) {
  TACTUS_LONG_TEST();
  World world;
  Material material;
  material.rolling_friction = material.torsional_friction = 0.02;
  const double half_width = 1.6;
  test::add_pile(world, 200, half_width, material);
  ASSERT_TRUE(world.overlaps(1e-6).empty());
  // The last to come to rest is an ellipsoid that rocks: only rolling friction takes its energy.
  test::run(world, 9.0);
  double worst_rms = 0.0;
  for (int i = 0; i < 60; ++i) worst_rms = std::max(worst_rms, world.step().rms_relative_speed);
  EXPECT_LT(worst_rms, 2e-10);
  EXPECT_LT(world.statistics().mean_relative_penetration, 1e-3);
  EXPECT_GT(world.statistics().contacts, 250);
  for (const Body& body : world.bodies()) {
    if (!body.is_dynamic()) continue;
    const Aabb box = bounding_box(body.shape(), body.pose());
    EXPECT_GT(box.lower.z, -0.01);
    EXPECT_GT(box.lower.x, -half_width - 0.01);
    EXPECT_LT(box.upper.x, half_width + 0.01);
    EXPECT_GT(box.lower.y, -half_width - 0.01);
    EXPECT_LT(box.upper.y, half_width + 0.01);
  }
}

/// Energy of elastic balls in a box after 10 s, relative to that at the start.
double kept_energy(std::uint64_t seed) {
  Random random(seed);
  World world;
  Material elastic;
  elastic.restitution = 1.0;
  elastic.friction = 0.0;
  test::add_ground(world, elastic);
  for (const Vec3& normal : {Vec3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}) {
    BodyDefinition wall{HalfSpace(normal, -1.0)};
    wall.type = BodyType::fixed;
    wall.material = elastic;
    world.add(wall);
  }
  for (int i = 0; i < 27; ++i) {
    const int column = i % 3, row = i / 3 % 3, layer = i / 9;
    const Vec3 place{(column - 1) * 0.5, (row - 1) * 0.5, 0.5 + 0.5 * layer};
    test::add_body(world, Sphere(0.1), place, elastic, random_vec(random, -2.0, 2.0));
  }
  const auto energy = [&] {
    double sum = 0.0;
    for (const Body& body : world.bodies()) {
      if (body.is_dynamic())
        sum += body.kinetic_energy() + body.mass().mass * 9.81 * body.center_of_mass().z;
    }
    return sum;
  };
  const double start = energy();
  test::run(world, 10.0);
  return energy() / start;
}

// Without friction and losses, energy stays: what elastic impacts and free flight give and take
// must balance. Roundings of some 600 steps and 27 balls are left: 7e-15 is measured.
TEST(EnergyProperty, ElasticBallsInABoxKeepTheirEnergy) {
  TACTUS_LONG_TEST();
  constexpr int kRuns = 48;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed)
    EXPECT_NEAR(kept_energy(seed), 1.0, 2e-13) << seed;
}

TEST(EnergyProperty, LossyContactsNeverAddEnergy) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Random random(seed);
    World world;
    Material material;
    material.restitution = 0.5;
    test::add_ground(world, material);
    for (int i = 0; i < 24; ++i) {
      const int column = i % 4, row = i / 4 % 3, layer = i / 12;
      BodyDefinition body{test::mixed_shape(i), Pose({0.5 * column, 0.5 * row, 0.6 + 0.6 * layer},
                                                     test::random_rotation(random))};
      body.linear_velocity = random_vec(random, -3.0, 3.0);
      body.angular_velocity = random_vec(random, -10.0, 10.0);
      body.material = material;
      world.add(body);
    }
    double energy = 1e300;
    for (int i = 0; i < 180; ++i) {
      const StepStatistics& s = world.step();
      // One substep's worth of fall between the velocities and positions of a step is allowed for.
      const double now = s.kinetic_energy + s.potential_energy;
      EXPECT_LT(now, energy * 1.002 + 0.01) << "seed " << seed << " step " << i;
      energy = now;
    }
  }
}

}  // namespace
}  // namespace tactus::detail
