#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tactus/impulse_world.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

constexpr double kPeriod = 4.0;

ImpulseSettings periodic(double x = kPeriod) {
  ImpulseSettings settings;
  settings.gravity = {};
  settings.periodic = {PeriodicAxis{0.0, x}, PeriodicAxis{-kPeriod, 0.0},
                       PeriodicAxis{1.0, 1.0 + kPeriod}};
  return settings;
}

BodyDefinition ball(const Vec3& place, const Vec3& velocity) {
  BodyDefinition d{.shape = Sphere(0.5)};
  d.pose = Pose::translation(place);
  d.linear_velocity = velocity;
  d.material = {.friction = 0.0, .restitution = 1.0};
  return d;
}

Vec3 random_vector(Random& random, double size) {
  const double x = random.uniform(-size, size), y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}

/// Elastic bodies of several kinds in the places of a lattice, so that none overlap.
std::vector<BodyDefinition> gas(Random& random, double friction) {
  const std::vector<Shape> shapes{Sphere(0.4), Box({0.3, 0.2, 0.4}), Capsule(0.2, 0.3),
                                  Ellipsoid({0.4, 0.3, 0.2}), Cylinder(0.3, 0.3)};
  std::vector<BodyDefinition> bodies;
  for (int i = 0; i < 27; ++i) {
    BodyDefinition d{.shape = shapes[static_cast<std::size_t>(i) % shapes.size()]};
    const Vec3 cell{static_cast<double>(i % 3), static_cast<double>(i / 3 % 3) - 3.0,
                    static_cast<double>(i / 9)};
    d.pose = Pose(cell * (kPeriod / 3.0) + Vec3{0.6, 0.6, 1.6}, random_rotation(random));
    d.linear_velocity = random_vector(random, 2.0);
    d.angular_velocity = random_vector(random, 2.0);
    d.material = {.friction = friction, .restitution = 1.0};
    bodies.push_back(d);
  }
  return bodies;
}

Pose moved(const Pose& pose, const Vec3& shift) { return Pose::translation(shift) * pose; }

double way_between(double x, double y, double period) {
  return std::fabs(std::remainder(x - y, period));
}

void expect_same_places(const ImpulseWorld& world, const ImpulseWorld& other, const Vec3& shift,
                        std::size_t count, double allowed) {
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 a = world.bodies()[i].center_of_mass() + shift;
    const Vec3 b = other.bodies()[i].center_of_mass();
    for (int k = 0; k < 3; ++k) EXPECT_LT(way_between(a[k], b[k], kPeriod), allowed) << i;
  }
}

TEST(ImpulsePeriods, BallsMeetAcrossFacesAtTheirExactTime) {
  for (int axis = 0; axis < 3; ++axis) {
    ImpulseSettings settings = periodic();
    settings.time_step = 0.5;
    ImpulseWorld world(settings);
    Vec3 low{2.0, -2.0, 3.0}, high = low, velocity;
    low[axis] -= 1.4;   // 0.6 from the lower face
    high[axis] += 1.3;  // 0.7 from the upper one
    velocity[axis] = 3.0;
    world.add(ball(low, {}));
    world.add(ball(high, velocity));
    world.step();
    ASSERT_EQ(world.impacts().size(), 1u) << axis;
    const Impact& impact = world.impacts()[0];
    EXPECT_NEAR(impact.time, 0.1, 1e-12);
    EXPECT_NEAR(impact.normal[axis], -1.0, 1e-12);
    EXPECT_NEAR(impact.point[axis], low[axis] - 0.5, 1e-12);
    EXPECT_NEAR(world.bodies()[0].center_of_mass()[axis], low[axis] + 1.2, 1e-10);
    EXPECT_NEAR(world.bodies()[1].center_of_mass()[axis], low[axis] - 1.0 + kPeriod, 1e-10);
  }
}

TEST(ImpulsePeriods, ThePlaceInTheSpaceDoesNotMatter) {
  Random random(4501);
  for (int round = 0; round < 6; ++round) {
    const std::vector<BodyDefinition> bodies = gas(random, round % 2 == 0 ? 0.0 : 0.4);
    const Vec3 shift = random_vector(random, 3.0 * kPeriod);
    ImpulseWorld world(periodic()), shifted(periodic());
    for (BodyDefinition d : bodies) {
      world.add(d);
      d.pose = moved(d.pose, shift);
      shifted.add(d);
    }
    std::int64_t impacts = 0;
    // Collisions of corners multiply the roundings by tens each.
    while (impacts < 12) {
      impacts += world.step().impacts;
      ASSERT_EQ(shifted.step().impacts, world.statistics().impacts);
    }
    expect_same_places(world, shifted, shift, bodies.size(), 1e-6);
  }
}

TEST(ImpulsePeriods, TwoPeriodsAreOneTwice) {
  Random random(4502);
  for (int round = 0; round < 4; ++round) {
    const std::vector<BodyDefinition> bodies = gas(random, 0.3);
    ImpulseWorld once(periodic()), twice(periodic(2.0 * kPeriod));
    for (const BodyDefinition& d : bodies) {
      once.add(d);
      twice.add(d);
    }
    for (BodyDefinition d : bodies) {
      d.pose = moved(d.pose, {kPeriod, 0.0, 0.0});
      twice.add(d);
    }
    std::int64_t impacts = 0;
    while (impacts < 12) {
      impacts += once.step().impacts;
      ASSERT_EQ(twice.step().impacts, 2 * once.statistics().impacts);
    }
    expect_same_places(once, twice, {}, bodies.size(), 1e-6);
  }
}

TEST(ImpulsePeriods, AGasKeepsEnergyAndMomentumAndStaysInItsBox) {
  Random random(4503);
  ImpulseWorld world(periodic());
  for (const BodyDefinition& d : gas(random, 0.0)) world.add(d);
  const auto momentum = [&] {
    Vec3 sum;
    for (const Body& body : world.bodies()) sum += body.linear_velocity() * body.mass().mass;
    return sum;
  };
  const Vec3 before = momentum();
  world.step();
  const double energy = world.statistics().kinetic_energy;
  std::int64_t impacts = 0;
  for (int i = 0; i < 400; ++i) {
    impacts += world.step().impacts;
    ASSERT_FALSE(world.statistics().failure.any());
    ASSERT_LT(world.statistics().deepest_relative_penetration, 1e-9);
    // A pair means the image that is near, also after one of its bodies has come back.
    for (const PairMemory& pair : world.save().pairs) {
      const Vec3 way =
          world.body(pair.body_b).center_of_mass() - world.body(pair.body_a).center_of_mass();
      for (int k = 0; k < 3; ++k) {
        const double image = kPeriod * pair.image[static_cast<std::size_t>(k)];
        ASSERT_LT(std::fabs(way[k] + image), 0.5 * kPeriod);
      }
    }
    for (const Body& body : world.bodies()) {
      const Vec3 at = body.center_of_mass();
      ASSERT_TRUE(at.x >= 0.0 && at.x <= kPeriod && at.y >= -kPeriod && at.y <= 0.0 &&
                  at.z >= 1.0 && at.z <= 1.0 + kPeriod);
    }
  }
  EXPECT_GT(impacts, 100);
  EXPECT_NEAR(world.statistics().kinetic_energy, energy, 1e-9 * energy);
  EXPECT_LT(norm(momentum() - before), 1e-9 * std::sqrt(energy));
}

TEST(ImpulsePeriods, ASavedStateGoesOnWithTheSameBits) {
  Random random(4504);
  const std::vector<BodyDefinition> bodies = gas(random, 0.4);
  ImpulseWorld world(periodic()), other(periodic());
  for (const BodyDefinition& d : bodies) {
    world.add(d);
    other.add(d);
  }
  for (int i = 0; i < 30; ++i) world.step();
  const WorldState state = world.save();
  const auto across = [](const PairMemory& pair) { return pair.image != PairMemory{}.image; };
  EXPECT_GT(std::count_if(state.pairs.begin(), state.pairs.end(), across), 0);
  other.restore(state);
  for (int i = 0; i < 30; ++i) {
    world.step();
    other.step();
  }
  EXPECT_EQ(world.state_hash(), other.state_hash());
}

TEST(ImpulsePeriods, RefusesOrFailsByName) {
  ImpulseSettings settings = periodic();
  settings.periodic[1] = PeriodicAxis{1.0, 1.0};
  try {
    ImpulseWorld world(settings);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "periodic.y");
  }
  ImpulseWorld world(periodic());
  BodyDefinition wide = ball({}, {});
  wide.shape = Box({1.2, 1.2, 1.2});
  EXPECT_THROW(world.add(wide), InvalidInput);
  EXPECT_THROW(world.set_settings(periodic(5.0)), InvalidInput);
  world.set_settings(periodic());

  const BodyId fast = world.add(ball({}, {0.0, 1.01 * kPeriod * 60.0, 0.0}));
  const Vec3 place = world.body(fast).center_of_mass();
  const ImpulseStatistics& statistics = world.step();
  EXPECT_EQ(statistics.failure.error, StepError::motion);
  EXPECT_EQ(world.body(fast).center_of_mass(), place);
}

}  // namespace
}  // namespace tactus::detail
