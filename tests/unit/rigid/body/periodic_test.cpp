// Worlds that repeat along some axes.
#include "tactus/rigid/body/periodic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/refusal.hpp"

namespace tactus::detail {
namespace {

using test::add_body;
using test::refusal;
using test::run;

WorldSettings periodic(double length, bool weightless = true) {
  WorldSettings settings;
  if (weightless) settings.gravity = {};
  settings.periodic = {PeriodicAxis{0.0, length}, PeriodicAxis{0.0, length},
                       PeriodicAxis{0.0, length}};
  return settings;
}

Material elastic() {
  Material material;
  material.friction = 0.0;
  material.restitution = 1.0;
  return material;
}

/// Spheres on a grid of this length, at random velocities, moved by `shift`.
World gas(const WorldSettings& settings, double length, const Vec3& shift, int side = 4,
          const Material& m = elastic()) {
  World world(settings);
  Random random(3);
  const auto number = [&] { return random.uniform(-1.0, 1.0); };
  for (int i = 0; i < side * side * side; ++i) {
    const int row = i / side, layer = row / side;
    const Vec3 cell{1.0 * (i % side), 1.0 * (row % side), 1.0 * layer};
    const double x = number(), y = number(), z = number();
    add_body(world, Sphere(0.3 * length / side), cell * (length / side) + shift, m,
             Vec3{x, y, z} * 3.0);
  }
  return world;
}

Vec3 momentum(const World& world) {
  Vec3 sum;
  for (const Body& body : world.bodies()) sum += body.linear_velocity() * body.mass().mass;
  return sum;
}

double energy_of(const World& world) {
  double sum = 0.0;
  for (const Body& body : world.bodies()) sum += body.kinetic_energy();
  return sum;
}

TEST(PeriodicPairs, AreThoseOfAllImages) {
  WorldSettings settings;
  settings.periodic = {PeriodicAxis{-1.0, 1.0}, std::nullopt, PeriodicAxis{0.5, 3.5}};
  const PeriodicBox space(settings.periodic);
  Random random(8);
  AutoBroadPhase broad;
  PeriodicPairs finder;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<BroadEntry> entries;
    for (std::uint64_t i = 0; i < 40; ++i) {
      // Some lie periods outside, and some are nearly as wide as a period.
      const double x = random.uniform(-5.0, 5.0), y = random.uniform(-2.0, 2.0);
      const Vec3 lower{x, y, random.uniform(-7.0, 9.0)};
      const double a = random.uniform(0.0, 1.8), b = random.uniform(0.0, 1.0);
      entries.push_back({i, {lower, lower + Vec3{a, b, random.uniform(0.0, 1.5)}}});
    }
    const double infinity = std::numeric_limits<double>::infinity();
    entries.push_back(
        {40, {{-infinity, -infinity, -infinity}, {infinity, random.uniform(-1.0, 1.0), infinity}}});
    std::vector<BroadPair> pairs;
    std::vector<Periods> images;
    finder.find(space, entries, broad, kAllPairs, pairs, images);
    std::vector<std::pair<BroadPair, Periods>> found, expected;
    for (std::size_t i = 0; i < pairs.size(); ++i) found.emplace_back(pairs[i], images[i]);
    for (std::uint64_t a = 0; a < entries.size(); ++a) {
      for (std::uint64_t b = a + 1; b < entries.size(); ++b) {
        const bool all = b < 40;
        for (int x = all ? -12 : 0; x <= (all ? 12 : 0); ++x) {
          for (int z = all ? -12 : 0; z <= (all ? 12 : 0); ++z) {
            const Vec3 by = space.shift({x, 0, z});
            const Aabb other{entries[b].box.lower + by, entries[b].box.upper + by};
            bool apart = false;
            for (int axis = 0; axis < 3; ++axis) {
              apart = apart || entries[a].box.lower[axis] > other.upper[axis] ||
                      other.lower[axis] > entries[a].box.upper[axis];
            }
            if (!apart) expected.push_back({{a, b}, {x, 0, z}});
          }
        }
      }
    }
    ASSERT_GT(expected.size(), 40u);
    EXPECT_EQ(found, expected);
  }
}

TEST(PeriodicWorld, BodiesThatLeaveComeInAtTheOtherSide) {
  World world(periodic(2.0));
  const BodyId id = add_body(world, Sphere(0.2), {1.9, 0.1, 1.0}, {}, {3.0, -1.0, 0.0});
  const BodyId outside = add_body(world, Box({0.1, 0.2, 0.3}), {-7.5, 12.0, 0.3});
  run(world, 1.0);
  const Vec3 place = world.body(id).center_of_mass();
  EXPECT_NEAR(place.x, 0.9, 3e-13);
  EXPECT_NEAR(place.y, 1.1, 2e-13);
  EXPECT_EQ(world.body(id).linear_velocity(), (Vec3{3.0, -1.0, 0.0}));
  EXPECT_LT(norm(world.body(outside).center_of_mass() - Vec3{0.5, 0.0, 0.3}), 1e-12);
}

TEST(PeriodicWorld, BallsMeetAcrossEveryFaceAndCorner) {
  for (int n = 1; n < 8; ++n) {
    const Vec3 way{n & 1 ? 1.0 : 0.0, n & 2 ? 1.0 : 0.0, n & 4 ? 1.0 : 0.0};
    World world(periodic(2.0));
    // Each flies away from the other, through the face.
    const Vec3 middle{1.0, 1.0, 1.0};
    const BodyId a = add_body(world, Sphere(0.2), middle + way * 0.5, elastic(), way * 2.0);
    const BodyId b = add_body(world, Sphere(0.2), middle - way * 0.5, elastic(), way * -2.0);
    int touches = 0;
    for (int i = 0; i < 20; ++i) {
      world.step();
      touches += static_cast<int>(world.touching().size());
      for (const Contact& contact : world.contacts())
        EXPECT_LT(norm(contact.normal - normalized(way)), 2e-14);
    }
    EXPECT_GT(touches, 0) << n;
    EXPECT_LT(norm(world.body(a).linear_velocity() - way * -2.0), 2e-13) << n;
    EXPECT_LT(norm(world.body(b).linear_velocity() - way * 2.0), 2e-13) << n;
  }
}

TEST(PeriodicWorld, SpinOfABallBesideTheFaceHidesNoApproach) {
  // Seen from its place instead of its image's, the ball's surface would move out of the way.
  const double part = std::sqrt(0.5);
  for (const double spin : {-20.0, 20.0}) {
    World world(periodic(2.0));
    const Vec3 way{part, part, 0.0};
    const BodyId moving =
        add_body(world, Sphere(0.1), Vec3{1.9, 1.0, 1.0} - way * 0.2, elastic(), way * 20.0);
    const BodyId still = add_body(world, Sphere(0.1), {0.04, 1.14, 1.0}, elastic());
    world.set_velocity(still, {}, {0.0, 0.0, spin});
    world.step();  // they meet in the middle of it
    EXPECT_LT(norm(world.body(moving).linear_velocity()), 6e-13) << spin;
    EXPECT_LT(norm(world.body(still).linear_velocity() - way * 20.0), 6e-13) << spin;
  }
}

TEST(PeriodicWorld, GasOfElasticSpheresKeepsEnergyAndMomentum) {
  World world = gas(periodic(2.0), 2.0, {});
  const double before = energy_of(world);
  const Vec3 start = momentum(world);
  double scale = 0.0;
  for (const Body& body : world.bodies()) scale += norm(body.linear_velocity()) * body.mass().mass;
  int across = 0, touches = 0;
  for (int i = 0; i < 300; ++i) {
    world.step();
    touches += static_cast<int>(world.touching().size());
    for (const TouchingPair& pair : world.touching()) {
      const Vec3 apart =
          world.body(pair.body_b).center_of_mass() - world.body(pair.body_a).center_of_mass();
      across += max_abs(apart) > 1.0 ? 1 : 0;
    }
    for (const Body& body : world.bodies()) {
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_GE(body.center_of_mass()[axis], 0.0);
        ASSERT_LE(body.center_of_mass()[axis], 2.0);
      }
    }
  }
  EXPECT_GT(touches, 1000);
  EXPECT_GT(across, 100);
  EXPECT_NEAR(energy_of(world) / before, 1.0, 1e-13);
  EXPECT_LT(norm(momentum(world) - start), 3e-15 * scale);
}

TEST(PeriodicWorld, NothingButPlacesDependsOnWhereTheBoxIsCut) {
  const Vec3 shift{0.77, 0.31, 1.4};
  World plain = gas(periodic(2.0), 2.0, {}), moved = gas(periodic(2.0), 2.0, shift);
  std::size_t touches = 0;
  for (int i = 0; i < 10; ++i) {
    touches += plain.touching().size();
    plain.step();
    moved.step();
    ASSERT_EQ(moved.touching().size(), plain.touching().size());
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < plain.bodies().size(); ++i) {
    const Body &x = plain.bodies()[i], &y = moved.bodies()[i];
    worst = std::max(worst, norm(x.linear_velocity() - y.linear_velocity()));
    const Vec3 apart = y.center_of_mass() - x.center_of_mass() - shift;
    for (int axis = 0; axis < 3; ++axis)
      worst = std::max(worst, std::fabs(std::remainder(apart[axis], 2.0)));
  }
  // As much as when a gas in unbounded space is moved: collisions multiply differences.
  EXPECT_GT(touches, 30u);
  EXPECT_LT(worst, 1e-9);
}

/// A box that lies on a long floor, both of which move on through a face.
TEST(PeriodicWorld, WhatRestsOnAnotherAcrossTheFaceStaysAtRest) {
  WorldSettings settings;
  settings.periodic = {PeriodicAxis{-2.0, 2.0}, std::nullopt, std::nullopt};
  World world(settings);
  BodyDefinition sledge{Box({1.2, 1.0, 0.2}), Pose::translation({1.2, 0.0, 0.0}), {1.0, 0.0, 0.0}};
  sledge.type = BodyType::kinematic;
  const BodyId below = world.add(sledge);
  // It begins on the other side of the face: at 2.05, which is -1.95.
  const BodyId box = add_body(world, Box({0.4, 0.4, 0.4}), {-1.95 - 0.4, 0.0, 0.3}, {}, {1, 0, 0});
  const BodyId top = add_body(world, Box({0.3, 0.3, 0.3}), {-1.95 - 0.4, 0.0, 0.65}, {}, {1, 0, 0});
  const auto beside = [&](BodyId id) {
    return std::remainder(world.body(id).center_of_mass().x - world.body(below).center_of_mass().x,
                          4.0);
  };
  const double start = beside(box), start_top = beside(top);
  bool crossed_below = false, crossed_box = false;
  double last_below = world.body(below).center_of_mass().x;
  double last_box = world.body(box).center_of_mass().x;
  double slip = 0.0, rise = 0.0, speed = 0.0;
  for (int i = 0; i < 600; ++i) {
    world.step();
    const double x = world.body(below).center_of_mass().x, y = world.body(box).center_of_mass().x;
    crossed_below = crossed_below || x < last_below;
    crossed_box = crossed_box || y < last_box;
    last_below = x;
    last_box = y;
    if (i < 60) continue;
    slip = std::max({slip, std::fabs(beside(box) - start), std::fabs(beside(top) - start_top)});
    rise = std::max(rise, std::fabs(world.body(box).center_of_mass().z - 0.3));
    speed = std::max({speed, norm(world.body(box).linear_velocity() - Vec3{1, 0, 0}),
                      norm(world.body(top).linear_velocity() - Vec3{1, 0, 0})});
  }
  EXPECT_TRUE(crossed_below && crossed_box);
  EXPECT_LT(slip, 1e-6);
  EXPECT_LT(rise, 1e-4);
  EXPECT_LT(speed, 5e-13);
}

TEST(PeriodicWorld, BodyMayTouchAnotherOnBothSides) {
  // Two balls fill the period: each is pressed from both sides.
  WorldSettings settings = periodic(1.0);
  settings.periodic[1] = settings.periodic[2] = std::nullopt;
  World world(settings);
  const BodyId a = add_body(world, Sphere(0.2499), {0.25, 0, 0}, elastic(), {1.0, 0.0, 0.0});
  const BodyId b = add_body(world, Sphere(0.2499), {0.75, 0, 0}, elastic());
  std::size_t most = 0;
  for (int i = 0; i < 120; ++i) {
    world.step();
    most = std::max(most, world.contacts().size());
    const double apart = world.body(b).center_of_mass().x - world.body(a).center_of_mass().x;
    ASSERT_NEAR(std::fabs(std::remainder(apart, 1.0)), 0.5, 1e-3);
  }
  EXPECT_EQ(most, 2u);
  EXPECT_NEAR(world.body(a).linear_velocity().x + world.body(b).linear_velocity().x, 1.0, 1e-12);
}

/// Grains of all kinds under gravity on a floor that is periodic sideways.
World grains(int threads, int count = 60) {
  WorldSettings settings;
  settings.periodic = {PeriodicAxis{0.0, 2.2}, PeriodicAxis{-1.1, 1.1}, std::nullopt};
  settings.max_threads = threads;
  World world(settings);
  test::add_ground(world);
  Random random(11);
  for (int i = 0; i < count; ++i) {
    BodyDefinition body{test::mixed_shape(i)};
    const int row = i / 4, layer = row / 4;
    const double x = 0.55 * (i % 4) + 0.1, y = 0.55 * (row % 4);
    body.pose = Pose({x, y, 0.4 + 0.6 * layer}, test::random_rotation(random));
    body.linear_velocity = {1.0, 0.5, 0.0};
    world.add(body);
  }
  return world;
}

TEST(PeriodicWorld, NoBitDependsOnThreadsOrOnAPause) {
  TACTUS_LONG_TEST();
  World one = grains(1), two = grains(2);
  run(one, 1.5);
  run(two, 1.5);
  EXPECT_EQ(one.state_hash(), two.state_hash());
  const WorldState middle = one.save();
  const auto across = [](const PairMemory& pair) { return pair.image != Periods{}; };
  EXPECT_TRUE(std::any_of(middle.pairs.begin(), middle.pairs.end(), across));
  run(one, 0.5);
  World continued = grains(2);
  continued.restore(middle);
  EXPECT_EQ(continued.save(), middle);
  run(continued, 0.5);
  EXPECT_EQ(continued.save(), one.save());
}

TEST(PeriodicWorld, SlabsOfManyGrainsGiveTheSameBits) {
  TACTUS_LONG_TEST();
  // Enough contacts that sweeps are cut into slabs.
  const auto many = [](int threads) {
    WorldSettings settings = periodic(3.2, false);
    settings.periodic[2] = std::nullopt;
    settings.max_threads = threads;
    World world = gas(settings, 3.2, {0.0, 0.0, 0.2}, 8, Material{});
    test::add_ground(world);
    run(world, 0.9);
    EXPECT_GT(world.statistics().contacts, 250);
    return world.state_hash();
  };
  const std::uint64_t one = many(1);
  EXPECT_EQ(many(2), one);
  EXPECT_EQ(many(4), one);
}

TEST(PeriodicWorld, SensorsSeeAcrossFaces) {
  World world(periodic(2.0));
  BodyDefinition pad{Box({0.3, 0.3, 0.3}), Pose::translation({0.1, 1.0, 1.0})};
  pad.type = BodyType::fixed;
  pad.sensor = true;
  const BodyId sensor = world.add(pad);
  const BodyId ball = add_body(world, Sphere(0.1), {1.9, 1.0, 1.0});
  world.step();
  ASSERT_EQ(world.touching().size(), 1u);
  EXPECT_EQ(world.touching()[0], (TouchingPair{sensor, ball}));
}

TEST(PeriodicWorld, OverlapsAcrossFacesAreNamed) {
  World world(periodic(2.0));
  add_body(world, Sphere(0.3), {0.1, 1.0, 1.0});
  add_body(world, Sphere(0.3), {1.7, 1.0, 1.0});
  const auto overlaps = world.overlaps(1e-6);
  ASSERT_EQ(overlaps.size(), 1u);
  EXPECT_NEAR(overlaps[0].depth, 0.2, 4e-15);
  EXPECT_EQ(overlaps[0].shift, (Vec3{-2.0, 0.0, 0.0}));
}

TEST(PeriodicWorld, WhatDoesNotFitIsRefusedWithItsField) {
  WorldSettings settings = periodic(2.0);
  settings.periodic[1] = PeriodicAxis{1.0, 1.0};
  EXPECT_EQ(refusal([&] { World bad(settings); }), "periodic.y: must end above its start");
  settings.periodic[1] = PeriodicAxis{0.0, std::nan("")};
  EXPECT_EQ(refusal([&] { World bad(settings); }), "periodic.y: must be finite");
  settings.periodic[1] = std::nullopt;
  World world(settings);
  EXPECT_EQ(refusal([&] { add_body(world, Sphere(0.51), {}); }),
            "shape: is wider than half of the period along x");
  EXPECT_EQ(refusal([&] { test::add_ground(world); }),
            "shape: an unbounded body must not cross the periodic axis z");
  EXPECT_EQ(refusal([&] { test::add_ground(world, {}, {0.0, 1.0, 0.0}); }), "");
  const BodyId a = add_body(world, Sphere(0.1), {0.5, 1.0, 0.0});
  world.set_velocity(a, {130.0, 0.0, 0.0}, {});
  EXPECT_EQ(to_text(world.step().failure),
            "motion: body 2: its linear velocity moves it by a period in a step");
  world.set_velocity(a, {}, {});
  world.set_pose(a, Pose::translation({1e12, 0.0, 0.0}));
  EXPECT_EQ(to_text(world.step().failure),
            "place: body 2: pose: lies over 1e9 periods outside of the periodic box");
}

}  // namespace
}  // namespace tactus::detail
