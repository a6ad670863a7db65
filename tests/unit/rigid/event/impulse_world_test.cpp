#include "tactus/impulse_world.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/world.hpp"
#include "tests/support/effort.hpp"

namespace tactus {
namespace {

constexpr double kG = 9.81;

BodyDefinition plane(double friction = 0.0, double restitution = 0.0) {
  BodyDefinition d{.shape = HalfSpace({0.0, 0.0, 1.0}, 0.0)};
  d.type = BodyType::fixed;
  d.material.friction = friction;
  d.material.restitution = restitution;
  return d;
}

BodyDefinition body(const Shape& shape, const Vec3& position, double friction = 0.0,
                    double restitution = 0.0) {
  BodyDefinition d{.shape = shape};
  d.pose = Pose::translation(position);
  d.material.friction = friction;
  d.material.restitution = restitution;
  return d;
}

TEST(ImpulseWorld, ABallBouncesAsTheorySays) {
  ImpulseWorld world;
  world.add(plane());
  const double e = 0.7;
  const BodyId ball = world.add(body(Sphere(0.5), {0.0, 0.0, 1.5}, 0.0, e));
  std::vector<Impact> impacts;
  for (int i = 0; i < 180; ++i) {
    world.step();
    for (const Impact& impact : world.impacts()) {
      if (!impact.micro) impacts.push_back(impact);
    }
  }
  ASSERT_GE(impacts.size(), 10u);
  double time = std::sqrt(2.0 / kG), speed = std::sqrt(2.0 * kG);
  for (int i = 0; i < 10; ++i) {
    const Impact& impact = impacts[static_cast<std::size_t>(i)];
    EXPECT_NEAR(impact.time, time, 2e-11) << i;
    EXPECT_NEAR(impact.approach, speed, 4e-11) << i;
    speed *= e;
    time += 2.0 * speed / kG;
  }
  EXPECT_NEAR(world.body(ball).center_of_mass().z, 0.5, 3e-5);
  EXPECT_EQ(world.statistics().status, Status::converged);
}

TEST(ImpulseWorld, CradlePassesTheSpeedOn) {
  ImpulseSettings settings;
  settings.gravity = {};
  for (const double gap : {0.0, 1e-6, 1e-3}) {
    ImpulseWorld world(settings);
    const int n = 10;
    for (int i = 0; i < n; ++i)
      world.add(body(Sphere(0.5), {i * (1.0 + gap) + (i > 0 ? 0.5 : 0.0), 0.0, 0.0}, 0.0, 1.0));
    world.set_velocity(1, {2.0, 0.0, 0.0}, {});
    for (int i = 0; i < 60; ++i) world.step();
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(world.bodies()[static_cast<std::size_t>(i)].linear_velocity().x,
                  i + 1 < n ? 0.0 : 2.0, 1e-9)
          << gap << " " << i;
  }
}

/// A block on an incline: gravity is inclined instead.
double slide(double slope, double friction, double seconds) {
  ImpulseSettings settings;
  const double c = 1.0 / std::sqrt(1.0 + slope * slope);
  settings.gravity = {kG * slope * c, 0.0, -kG * c};
  ImpulseWorld world(settings);
  world.add(plane(friction));
  const BodyId block = world.add(body(Box({1.0, 1.0, 0.5}), {0.0, 0.0, 0.25}, friction));
  for (int i = 0; i < static_cast<int>(seconds * 60.0); ++i) world.step();
  return world.body(block).center_of_mass().x;
}

TEST(ImpulseWorld, BlockOnARoughIncline) {
  EXPECT_NEAR(slide(0.4, 0.5, 2.0), 0.0, 3e-4);
  const double slope = 0.6, friction = 0.4, c = 1.0 / std::sqrt(1.0 + slope * slope);
  const double way = 0.5 * kG * c * (slope - friction) * 4.0;
  EXPECT_NEAR(slide(slope, friction, 2.0), way, 9e-5 * way);
}

TEST(ImpulseWorld, TurningBodiesFallAndRest) {
  ImpulseWorld world;
  world.add(plane(0.5, 0.3));
  std::vector<Shape> shapes{Box({0.4, 0.3, 0.2}), Capsule(0.1, 0.4),           Cylinder(0.2, 0.3),
                            Cone(0.2, 0.4),       Ellipsoid({0.2, 0.15, 0.1}), Sphere(0.15)};
  int k = 0;
  for (const Shape& shape : shapes) {
    BodyDefinition d = body(shape, {k * 0.7, 0.0, 1.0}, 0.5, 0.3);
    d.angular_velocity = {3.0 + k, -2.0, 1.0};
    d.linear_velocity = {0.0, 0.5, 0.0};
    world.add(d);
    ++k;
  }
  double energy = 1e300;
  for (int i = 0; i < 300; ++i) {
    const ImpulseStatistics& s = world.step();
    const double now = s.kinetic_energy + s.potential_energy + s.reserve;
    EXPECT_LE(now, energy + 1e-9) << i;
    energy = now;
    EXPECT_EQ(s.status, Status::converged);
    EXPECT_LT(s.deepest_penetration, 1e-10);
  }
}

/// Balls and boxes above a bowl, which is a mesh and not convex.
ImpulseWorld bowl_of(int count) {
  const int rings = 6, sectors = 12;
  TriangleMesh mesh;
  mesh.vertices.push_back({0.0, 0.0, 0.0});
  for (int r = 1; r <= rings; ++r) {
    for (int k = 0; k < sectors; ++k) {
      const double angle = 6.283185307179586 * k / sectors, radius = 0.25 * r;
      mesh.vertices.push_back(
          {radius * std::cos(angle), radius * std::sin(angle), 0.3 * radius * radius});
    }
  }
  const auto at = [&](int r, int k) {
    return static_cast<std::uint32_t>(r == 0 ? 0 : 1 + (r - 1) * sectors + k % sectors);
  };
  for (int k = 0; k < sectors; ++k) {
    mesh.triangles.push_back({at(0, 0), at(1, k), at(1, k + 1)});
    for (int r = 1; r < rings; ++r) {
      mesh.triangles.push_back({at(r, k), at(r + 1, k), at(r + 1, k + 1)});
      mesh.triangles.push_back({at(r, k), at(r + 1, k + 1), at(r, k + 1)});
    }
  }
  ImpulseSettings settings;
  settings.micro_height = 1e-4;
  ImpulseWorld world(settings);
  BodyDefinition bowl{.shape = Mesh(mesh)};
  bowl.type = BodyType::fixed;
  world.add(bowl);
  for (int i = 0; i < count; ++i) {
    const Vec3 place{0.3 * (i % 3) - 0.3, 0.3 * (i / 3 % 3) - 0.3, 1.0 + 0.3 * (i / 9)};
    world.add(body(i % 2 == 0 ? Shape(Sphere(0.1)) : Shape(Box({0.2, 0.16, 0.12})), place, 0.4));
  }
  return world;
}

TEST(ImpulseWorld, BodiesComeToRestInABowlAndLoseEnergyAllTheTime) {
  TACTUS_LONG_TEST();
  ImpulseWorld world = bowl_of(20);
  double energy = 1e300;
  for (int i = 0; i < 150; ++i) {
    const ImpulseStatistics& s = world.step();
    const double now = s.kinetic_energy + s.potential_energy + s.reserve;
    EXPECT_LE(now, energy + 1e-8) << i;
    energy = now;
    ASSERT_EQ(s.status, Status::converged);
    EXPECT_LT(s.deepest_penetration, 1e-9);
  }
  EXPECT_LT(world.statistics().rms_relative_speed, 0.2);
  EXPECT_TRUE(world.overlaps(1e-8).empty());
}

TEST(ImpulseWorld, GoesOnFromAStateWithTheSameBits) {
  ImpulseWorld straight = bowl_of(6), other = bowl_of(6);
  for (int i = 0; i < 40; ++i) straight.step();
  const WorldState state = straight.save();
  other.restore(state);
  EXPECT_EQ(other.state_hash(), straight.state_hash());
  for (int i = 0; i < 20; ++i) {
    straight.step();
    other.step();
  }
  EXPECT_EQ(other.state_hash(), straight.state_hash());
  WorldState wrong = state;
  wrong.pairs[0].count = 0;
  EXPECT_THROW(other.restore(wrong), InvalidInput);
}

TEST(ImpulseWorld, ThinWallsAreNotPassed) {
  for (const double speed : {10.0, 500.0}) {
    ImpulseSettings settings;
    settings.gravity = {};
    ImpulseWorld world(settings);
    BodyDefinition wall = body(Box({0.01, 8.0, 8.0}), {0.0, 0.0, 0.0}, 0.3);
    wall.type = BodyType::fixed;
    world.add(wall);
    for (int i = 0; i < 10; ++i) {
      BodyDefinition d = body(Cylinder(0.1, 0.4), {-1.0, 0.6 * i - 2.7, 0.0}, 0.3, 0.5);
      d.linear_velocity = {speed, 0.0, 0.0};
      d.angular_velocity = {20.0 * i, 200.0, -10.0};
      world.add(d);
    }
    for (int i = 0; i < 30; ++i) world.step();
    for (const Body& b : world.bodies()) EXPECT_LT(b.center_of_mass().x, 1e-12) << b.id();
  }
}

// Drawn up by twice its weight, a ball falls to a ceiling as it would to the ground.
TEST(ImpulseWorld, AForceBendsTheParabola) {
  ImpulseWorld world;
  BodyDefinition ceiling{.shape = HalfSpace({0.0, 0.0, -1.0}, -3.0)};
  ceiling.type = BodyType::fixed;
  world.add(ceiling);
  const double e = 0.7;
  const BodyId ball = world.add(body(Sphere(0.5), {0.0, 0.0, 1.5}, 0.0, e));
  const double mass = world.body(ball).mass().mass;
  world.set_constant_force(ball, {0.3 * mass, 0.0, 2.0 * kG * mass}, {});
  std::vector<Impact> impacts;
  for (int i = 0; i < 120; ++i) {
    world.step();
    for (const Impact& impact : world.impacts()) {
      if (!impact.micro) impacts.push_back(impact);
    }
  }
  ASSERT_GE(impacts.size(), 3u);
  double time = std::sqrt(2.0 / kG), speed = std::sqrt(2.0 * kG);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(impacts[i].time, time, 1e-10) << i;
    EXPECT_NEAR(impacts[i].approach, speed, 2e-10) << i;
    speed *= e;
    time += 2.0 * speed / kG;
  }
  const double t = world.time();
  EXPECT_NEAR(world.body(ball).center_of_mass().x, 0.5 * 0.3 * t * t, 1e-9);
  EXPECT_LT(world.body(ball).center_of_mass().z, 2.5 + 1e-6);
}

// Without gravity a force alone makes hops of finite length: what it presses on rests.
TEST(ImpulseWorld, WhatAForcePressesRests) {
  ImpulseSettings settings;
  settings.gravity = {};
  ImpulseWorld world(settings);
  world.add(plane(0.5));
  const BodyId box = world.add(body(Box({1.0, 1.0, 1.0}), {0.0, 0.0, 0.6}, 0.5));
  const double mass = world.body(box).mass().mass;
  world.set_constant_force(box, {0.2 * mass, 0.0, -4.0 * mass}, {});
  for (int i = 0; i < 120; ++i) world.step();
  EXPECT_EQ(world.statistics().status, Status::converged);
  EXPECT_NEAR(world.body(box).center_of_mass().z, 0.5, 1e-4);
  EXPECT_NEAR(world.body(box).center_of_mass().x, 0.5 * 0.2 * 0.05, 0.02);
  EXPECT_THROW(world.set_constant_force(box, {}, {1.0, 0.0, 0.0}), InvalidInput);
  EXPECT_EQ(world.body(box).constant_force(), (Vec3{0.2 * mass, 0.0, -4.0 * mass}));
}

TEST(ImpulseWorld, RefusesBadInput) {
  ImpulseSettings settings;
  settings.micro_height = 0.0;
  EXPECT_THROW(ImpulseWorld{settings}, InvalidInput);
  settings = {};
  settings.time_step = -1.0;
  EXPECT_THROW(ImpulseWorld{settings}, InvalidInput);
  ImpulseWorld world;
  EXPECT_THROW(world.remove(3), InvalidInput);
  const BodyId ball = world.add(body(Sphere(0.5), {}));
  EXPECT_THROW(world.set_material(ball, Material{.friction = -1.0}), InvalidInput);
  EXPECT_THROW(world.set_velocity(ball, {NAN, 0.0, 0.0}, {}), InvalidInput);
  world.set_velocity(ball, {1e300, 0.0, 0.0}, {});
  EXPECT_EQ(world.step().failure.error, StepError::motion);
  EXPECT_EQ(world.step_count(), 0u);
}

TEST(ImpulseWorld, EventsAreBoundedAndItSaysSo) {
  ImpulseSettings settings;
  settings.max_events = 3;
  ImpulseWorld world(settings);
  world.add(plane());
  world.add(body(Sphere(0.5), {0.0, 0.0, 0.5 + 1e-9}));
  for (int i = 0; i < 20; ++i) world.step();
  EXPECT_EQ(world.statistics().status, Status::iteration_limit);
  EXPECT_LT(world.statistics().advanced, settings.time_step);
  EXPECT_LT(world.time(), 20 * settings.time_step);
  EXPECT_GT(world.time(), 0.0);
}

}  // namespace
}  // namespace tactus
