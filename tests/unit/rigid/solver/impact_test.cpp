// Impacts in the order of their times: energy, thin walls, corners.
#include "tactus/rigid/solver/impact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

Material elastic() {
  Material material;
  material.restitution = 1.0;
  material.friction = 0.0;
  return material;
}

WorldSettings weightless() {
  WorldSettings settings;
  settings.gravity = {};
  return settings;
}

double kinetic_energy(const World& world) {
  double sum = 0.0;
  for (const Body& body : world.bodies()) sum += body.kinetic_energy();
  return sum;
}

BodyId add_wall(World& world, double x, const Material& material) {
  BodyDefinition wall{Box({0.01, 60.0, 60.0}), Pose::translation({x, 0, 0})};
  wall.type = BodyType::fixed;
  wall.material = material;
  return world.add(wall);
}

// Balls in a row that touch: the last one leaves with the speed of the first, all others stand.
TEST(ImpactPhase, TouchingRowHandsTheImpulseOn) {
  World world(weightless());
  std::vector<BodyId> balls{test::add_body(world, Sphere(0.5), {-1.4, 0, 0}, elastic(), {3, 0, 0})};
  for (int i = 0; i < 6; ++i)
    balls.push_back(test::add_body(world, Sphere(0.5), {1.0 * i, 0, 0}, elastic()));
  test::run(world, 1.0);
  for (std::size_t i = 0; i < balls.size(); ++i)
    EXPECT_NEAR(world.body(balls[i]).linear_velocity().x, i + 1 == balls.size() ? 3.0 : 0.0, 1e-12);
}

// Many impacts of one body within a substep, in their order.
TEST(ImpactPhase, ElasticGasKeepsItsEnergy) {
  World world(weightless());
  for (const Vec3& normal :
       {Vec3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}) {
    BodyDefinition wall{HalfSpace(normal, -0.6)};
    wall.type = BodyType::fixed;
    wall.material = elastic();
    world.add(wall);
  }
  Random random(3);
  for (int i = 0; i < 27; ++i) {
    const int column = i % 3, row = i / 3 % 3, layer = i / 9;
    const Vec3 place{(column - 1) * 0.38, (row - 1) * 0.38, (layer - 1) * 0.38};
    const Vec3 velocity{random.uniform(-9.0, 9.0), random.uniform(-9.0, 9.0),
                        random.uniform(-9.0, 9.0)};
    test::add_body(world, Sphere(0.17), place, elastic(), velocity);
  }
  const double start = kinetic_energy(world);
  test::run(world, 5.0);
  EXPECT_NEAR(kinetic_energy(world) / start, 1.0, 1e-12);
  EXPECT_TRUE(world.overlaps(1e-3).empty());
}

// Both walls are met within one step, though the second was not on the way at its start.
TEST(ImpactPhase, BallStaysBetweenWalls) {
  World world(weightless());
  add_wall(world, -0.305, elastic());
  add_wall(world, 0.305, elastic());
  const BodyId ball = test::add_body(world, Sphere(0.1), {0.07, 0, 0}, elastic(), {100, 0.5, 0});
  for (int i = 0; i < 60; ++i) {
    world.step();
    EXPECT_LT(std::fabs(world.body(ball).center_of_mass().x), 0.2 + 1e-6);
  }
  EXPECT_NEAR(std::fabs(world.body(ball).linear_velocity().x), 100.0, 3e-11);
}

// Bodies that turn fast meet thin walls with parts that did not look at them when they came.
TEST(ImpactPhase, FastTurningBodiesStopAtThinWalls) {
  Random random(5);
  for (int i = 0; i < 60; ++i) {
    World world(weightless());
    add_wall(world, 0.0, {});
    const Shape shape = i % 3 == 0   ? Shape(Capsule(0.04, 0.12))
                        : i % 3 == 1 ? Shape(Ellipsoid({0.1, 0.06, 0.04}))
                                     : Shape(Cylinder(0.05, 0.2));
    const double speed = i % 2 == 0 ? 10.0 : 500.0;
    const double away = 0.2 + speed / 60.0 * random.uniform(1.0, 2.0);
    BodyDefinition body{shape, Pose({-away, 0, 0}, test::random_rotation(random)), {speed, 0, 0}};
    body.angular_velocity = {0.0, random.uniform(100.0, 200.0), random.uniform(-200.0, 200.0)};
    const BodyId id = world.add(body);
    for (int step = 0; step < 8; ++step) {
      world.step();
      EXPECT_TRUE(world.overlaps(0.1).empty()) << i;
    }
    EXPECT_LT(world.body(id).center_of_mass().x, 0.0) << i;
  }
}

// A rod that cannot turn round between two walls meets them more often than is looked at: it is
// held for the rest of the substep, not let through. What one wall throws to the other within a
// substep meets it.
TEST(ImpactPhase, BodiesThatMeetTooOftenAreHeld) {
  for (const auto& [substeps, spin] : {std::pair{12, 3000.0},
                                       {12, 30000.0},
                                       {18, 3000.0},
                                       {36, 10000.0},
                                       {48, 30000.0},
                                       {48, 300000.0}}) {
    WorldSettings settings = weightless();
    settings.substeps = substeps;
    settings.load_overlap = 0.0;
    World world(settings);
    for (const double x : {-0.08, 0.08}) add_wall(world, x, elastic());
    const Quat quarter{std::sqrt(0.5), std::sqrt(0.5), 0.0, 0.0};
    BodyDefinition rod{Shape(Cylinder(0.02, 0.3)), Pose({0, 0, 0}, quarter)};
    rod.material = elastic();
    rod.angular_velocity = {0.0, 0.0, spin};
    const BodyId id = world.add(rod);
    for (int step = 0; step < 60; ++step) {
      world.step();
      ASSERT_LT(std::fabs(world.body(id).center_of_mass().x), 0.08)
          << substeps << ' ' << spin << ' ' << step;
    }
  }
}

// One point against a fixed body, sticking: the energy left is E - v K^-1 v / 2, and with
// restitution e^2 of what the normal impulse took comes back at most.
TEST(Collide, RestitutionGivesBackNoMoreThanItsPart) {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    ContactConstraint c;
    c.normal = {0, 0, 1};
    c.tangent[0] = {1, 0, 0};
    c.tangent[1] = {0, 1, 0};
    c.count = 1 + i % 4;
    c.size = 1.0;
    c.surface.friction = random.uniform(0.0, 1.5);
    SolverBody ground, body;
    body.inverse_mass = 1.0;
    const Mat3 inertia{{{random.uniform(0.1, 0.3), 0.02, -0.03},
                        {0.02, random.uniform(0.1, 0.3), 0.01},
                        {-0.03, 0.01, random.uniform(0.1, 0.3)}}};
    body.inverse_inertia = inverse(inertia);
    body.linear = {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, -1)};
    body.angular = {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
    for (int k = 0; k < c.count; ++k) {
      const Vec3 at{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), -0.5};
      c.points[k].arm = both(at, at);
    }
    if (!(approach_speed(c, ground, body) > 0.1)) continue;
    const auto energy = [&](const SolverBody& b) {
      return 0.5 * (squared_norm(b.linear) + dot(b.angular, inertia * b.angular));
    };
    SolverBody stopped = body, bounced = body;
    collide(c, ground, stopped, 0.0);
    const double e = random.uniform();
    collide(c, ground, bounced, e);
    const double before = energy(body), least = energy(stopped);
    EXPECT_LE(least, before);
    EXPECT_LE(energy(bounced), least + e * e * (before - least) + 1e-9 * before) << i;
    if (c.count == 1) {
      // The mass is one: the change of velocity is the impulse.
      const auto rise = [&](const SolverBody& b) {
        return dot(c.normal, b.linear + cross(b.angular, c.points[0].arm.b()));
      };
      const double impulse = dot(c.normal, stopped.linear - body.linear);
      const double taken = -0.5 * impulse * (rise(body) + rise(stopped));
      EXPECT_LE(energy(bounced), least + e * e * taken + 1e-9 * before) << i;
    }
    // Nothing approaches after the first phase.
    EXPECT_LT(approach_speed(c, ground, stopped), 1e-3) << i;
  }
}

}  // namespace
}  // namespace tactus::detail
