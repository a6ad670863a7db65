// Motions of some bodies do not depend on what lies elsewhere, nor on who looked at them;
// statistics do not depend on how bodies are numbered.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/world.hpp"
#include "tests/support/dynamics_scene.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

template <class Number>
bool same_bits(const Number& a, const Number& b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}

bool same_motion(const Body& a, const Body& b) {
  const BodyMotion &x = a.motion(), &y = b.motion();
  return same_bits(x.position, y.position) && same_bits(x.orientation, y.orientation) &&
         same_bits(x.linear_velocity, y.linear_velocity) &&
         same_bits(x.angular_velocity, y.angular_velocity);
}

BodyDefinition body_at(const Shape& shape, const Vec3& place) {
  return {shape, Pose::translation(place)};
}

/// A heap of cubes and mixed bodies that fall on the ground, and cubes that lie there far away:
/// before, between and behind these by number.
struct Heap {
  World world;
  std::vector<BodyId> ids;

  Heap(std::uint64_t seed, int others, int threads) : world(settings(threads)) {
    test::add_ground(world);
    Random random(seed);
    int lying = 0;
    for (int i = 0; i < 48; ++i) {
      const double x = random.uniform(-0.1, 0.1), y = random.uniform(-0.1, 0.1);
      const Vec3 place{0.5 * (i % 4) + x, 0.5 * (i / 4 % 3) + y, 0.4 + 0.6 * (i / 12)};
      BodyDefinition body =
          body_at(i % 2 == 0 ? Shape(Box({0.4, 0.4, 0.4})) : test::mixed_shape(i / 2 % 7), place);
      body.id = static_cast<BodyId>(1000 + 10 * i);
      ids.push_back(world.add(body));
      for (; lying < (i + 1) * others / 48; ++lying) {
        const Vec3 far{50.0 + 0.7 * (lying % 20), -80.0 - 0.6 * (lying / 20), 0.2};
        BodyDefinition cube = body_at(Box({0.4, 0.4, 0.4}), far);
        cube.id = static_cast<BodyId>(lying % 3 == 0 ? 10 + lying : 1000 + 10 * i + 1 + lying % 7);
        if (world.contains(cube.id)) cube.id = static_cast<BodyId>(5000 + lying);
        world.add(cube);
      }
    }
  }
  static WorldSettings settings(int threads) {
    WorldSettings result;
    result.max_threads = threads;
    result.load_overlap = 0.0;  // as many substeps whatever the loads
    return result;
  }
};

TEST(Elsewhere, AHeapFallsTheSameWhateverLiesFarAway) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::effort(3)); ++seed) {
    Heap alone(seed, 0, 1);
    std::vector<std::pair<int, int>> ways{{30, 1}, {240, 1}, {240, 2}, {240, 4}};
    std::vector<Heap> among;
    for (const auto& [others, threads] : ways) among.emplace_back(seed, others, threads);
    for (int step = 0; step < 75; ++step) {
      require_done(alone.world.step());
      for (Heap& heap : among) require_done(heap.world.step());
    }
    EXPECT_GT(alone.world.statistics().contacts, 48);
    for (std::size_t way = 0; way < ways.size(); ++way) {
      for (const BodyId id : alone.ids)
        ASSERT_TRUE(same_motion(alone.world.body(id), among[way].world.body(id)))
            << ways[way].first << " others, " << ways[way].second << " threads, body " << id;
    }
  }
}

/// A vector of any magnitude down to the least that a number can have.
Vec3 of_any_magnitude(Random& random) {
  const double size = std::pow(10.0, random.uniform(-320.0, 0.0));
  return {size * random.uniform(-1.0, 1.0), size * random.uniform(-1.0, 1.0), 0.0};
}

// Contacts are swept side by side with those of any other bodies, loaded or not: a slide too slow
// for its square to be a number once felt whether the contact beside it carried a load.
TEST(Elsewhere, BodiesOfAnySpeedMoveTheSameWhateverLiesFarAway) {
  const WorldSettings settings = Heap::settings(1);
  for (int seed = 1; seed <= test::effort(30); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    World alone(settings), together(settings);
    for (World* const world : {&alone, &together}) test::add_ground(*world);
    std::vector<BodyId> ids;
    const int count = 1 + seed % 6, company = 1 + seed % 5;
    for (int i = 0; i < count; ++i) {
      BodyDefinition body{test::mixed_shape(seed % 3 == 0 ? i : 0),
                          Pose::translation({2.0 * i, 0.0, 0.2 + 1e-6 * random.uniform(0.0, 1.0)})};
      body.linear_velocity = of_any_magnitude(random);
      body.gravity_scale = random.below(2) == 0 ? 0.0 : 1.0;
      body.id = static_cast<BodyId>(10 + 2 * i);
      ids.push_back(alone.add(body));
      together.add(body);
    }
    for (int i = 0; i < company; ++i) {
      BodyDefinition body{Sphere(0.2), Pose::translation({2.0 * i, 30.0, 0.2})};
      // Before them, between them, or after them.
      body.id = static_cast<BodyId>(3 + 6 * i);
      together.add(body);
    }
    for (int step = 0; step < 3; ++step) {
      require_done(alone.step());
      require_done(together.step());
    }
    for (const BodyId id : ids)
      EXPECT_TRUE(same_motion(alone.body(id), together.body(id))) << seed << ", body " << id;
  }
}

// Rods that spin beside a wall and nearly reach it: impacts are looked for, and none is found.
TEST(Elsewhere, BodiesThatAreLookedAtMoveAsIfNobodyHad) {
  Random random(7);
  WorldSettings settings;
  settings.gravity = {};
  World alone(settings), beside_wall(settings);
  test::add_ground(beside_wall);
  std::vector<BodyId> ids;
  for (int i = 0; i < test::effort(20); ++i) {
    const Box rod({0.9, 0.2, 0.1});
    const double reach = 0.5 * std::sqrt(0.81 + 0.04 + 0.01);
    BodyDefinition body = body_at(rod, {3.0 * i, 0.0, 1.001 * reach});
    body.id = static_cast<BodyId>(10 + i);
    for (int axis = 0; axis < 3; ++axis) body.angular_velocity[axis] = random.uniform(-60.0, 60.0);
    alone.add(body);
    ids.push_back(beside_wall.add(body));
  }
  for (int step = 0; step < 20; ++step) {
    require_done(alone.step());
    require_done(beside_wall.step());
  }
  for (const BodyId id : ids) EXPECT_TRUE(same_motion(alone.body(id), beside_wall.body(id))) << id;
}

TEST(Elsewhere, WhatIsDrivenGoesItsWayWhateverHitsIt) {
  const auto world_with = [](int balls) {
    World world;
    Random random(5);
    BodyDefinition plate = body_at(Box({6.0, 6.0, 0.3}), {0.1, 0.2, 0.3});
    plate.type = BodyType::kinematic;
    plate.id = 1;
    plate.linear_velocity = {0.3, -0.2, 0.1};
    plate.angular_velocity = {0.02, 0.01, 0.5};
    world.add(plate);
    for (int i = 0; i < balls; ++i) {
      const double x = random.uniform(-1.5, 1.5), y = random.uniform(-1.5, 1.5);
      BodyDefinition ball = body_at(Sphere(0.1), {x, y, 1.0 + 0.3 * i});
      ball.material.restitution = 0.9;
      world.add(ball);
    }
    return world;
  };
  World alone = world_with(0), hit = world_with(30);
  int begun = 0;
  for (int step = 0; step < 120; ++step) {
    require_done(alone.step());
    require_done(hit.step());
    begun += static_cast<int>(hit.touches_begun().size());
  }
  EXPECT_GT(begun, 30);
  EXPECT_TRUE(same_motion(alone.body(1), hit.body(1)));
}

// Pairs of balls that overlap, numbered in any order.
TEST(Elsewhere, StatisticsDoNotDependOnTheNumbersOfBodies) {
  Random random(9);
  const int pairs = 60;
  std::vector<BodyDefinition> balls;
  for (int i = 0; i < pairs; ++i) {
    for (const double beside : {0.0, 0.39 + 0.0001 * i}) {
      BodyDefinition ball = body_at(Sphere(0.2), {beside, 3.0 * i, 0.1 * i});
      for (int axis = 0; axis < 3; ++axis) ball.linear_velocity[axis] = random.uniform(-1e-3, 1e-3);
      ball.material.density = random.uniform(1.0, 9.0);
      balls.push_back(ball);
    }
  }
  StepStatistics first;
  for (int order = 0; order < test::effort(8); ++order) {
    std::vector<int> place(pairs);
    for (int i = 0; i < pairs; ++i) place[static_cast<std::size_t>(i)] = i;
    for (std::uint32_t i = pairs; i > 1 && order > 0; --i)
      std::swap(place[i - 1], place[random.below(i)]);
    World world;
    for (int i = 0; i < 2 * pairs; ++i) {
      BodyDefinition ball = balls[static_cast<std::size_t>(i)];
      ball.id = static_cast<BodyId>(1 + 2 * place[static_cast<std::size_t>(i / 2)] + i % 2);
      world.add(ball);
    }
    const StepStatistics& found = require_done(world.step());
    if (order == 0) first = found;
    EXPECT_EQ(found.contacts, pairs);
    EXPECT_TRUE(same_bits(found.kinetic_energy, first.kinetic_energy));
    EXPECT_TRUE(same_bits(found.potential_energy, first.potential_energy));
    EXPECT_TRUE(same_bits(found.rms_relative_speed, first.rms_relative_speed));
    EXPECT_TRUE(same_bits(found.mean_relative_penetration, first.mean_relative_penetration));
  }
}

}  // namespace
}  // namespace tactus::detail
