#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fuzz/random_values.hpp"
#include "lab/physics/trials.hpp"

// Fast and spinning bodies against thin walls.

namespace tactus::detail::lab::physics {
namespace {

constexpr int kShots = 40;
constexpr double kWall = 0.01;

struct Kind {
  const char* name;
  Shape shape;
};

/// All convex kinds, 0.2 long.
std::vector<Kind> kinds() {
  const Vec3 points[] = {{0.1, 0.0, 0.0},  {-0.1, 0.02, 0.0},  {0.0, 0.1, 0.01},  {0.0, -0.1, 0.0},
                         {0.0, 0.0, 0.08}, {0.02, 0.0, -0.08}, {0.06, 0.06, 0.04}};
  return {{"sphere", Sphere(0.1)},          {"box", Box({0.2, 0.12, 0.08})},
          {"capsule", Capsule(0.04, 0.12)}, {"cylinder", Cylinder(0.05, 0.2)},
          {"cone", Cone(0.06, 0.2)},        {"ellipsoid", Ellipsoid({0.1, 0.06, 0.04})},
          {"hull", Convex(points)}};
}

struct Shots {
  double passed = 0.0, overlap = 0.0;
};

/// Forty shots of a kind at a wall across x = 3, from places a part of a step's way apart.
Shots shoot(const Conditions& conditions, const Shape& shape, double speed, double spin) {
  Shots shots;
  Random random(conditions.seed, 40);
  WorldSettings settings = conditions.settings;
  settings.gravity = {};
  for (int i = 0; i < kShots; ++i) {
    World world(settings);
    add_fixed(world, Box({kWall, 60.0, 60.0}), Pose(), {});
    const double away = 0.2 + speed * settings.time_step * (1.0 + (i + 0.5) / kShots);
    const Quat turned = fuzz::rotation(random);
    const Vec3 velocity =
        Vec3{1.0, random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05)} * speed;
    const BodyId id = add_moving(world, shape, Pose({-away, 0, 0}, turned), {}, velocity,
                                 fuzz::direction(random) * spin);
    for (int step = 0; step < 12; ++step) {
      require_done(world.step());
      for (const BodyOverlap& overlap : world.overlaps(0.0))
        shots.overlap = std::max(shots.overlap, overlap.relative_depth);
    }
    if (world.body(id).center_of_mass().x > 0.0) shots.passed += 1.0;
  }
  return shots;
}

std::vector<Finding> wall(const Conditions& conditions, const Kind& kind, double spin) {
  Shots sum;
  for (const double speed : {10.0, 50.0, 500.0}) {
    const Shots shots = shoot(conditions, kind.shape, speed, spin);
    sum.passed += shots.passed;
    sum.overlap = std::max(sum.overlap, shots.overlap);
  }
  const std::string name = std::string(spin > 0.0 ? "spinning " : "") + kind.name + " at a wall";
  return {at_most(name + ": passed, of 120", "bodies", sum.passed, 0.0),
          at_most(name + ": deepest", "of size", sum.overlap, 0.01)};
}

/// A ball thrown to and fro between two walls.
std::vector<Finding> between_walls(const Conditions& conditions) {
  std::vector<Finding> findings;
  for (const double speed : {40.0, 100.0}) {
    double escaped = 0.0;
    for (int i = 0; i < kShots; ++i) {
      WorldSettings settings = conditions.settings;
      settings.gravity = {};
      World world(settings);
      Material elastic;
      elastic.restitution = 1.0;
      elastic.friction = 0.0;
      for (const double side : {-1.0, 1.0})
        add_fixed(world, Box({kWall, 60.0, 60.0}),
                  Pose::translation({side * 0.5 * (0.6 + kWall), 0, 0}), elastic);
      const double x = -0.19 + 0.38 * (i + 0.5) / kShots;
      const BodyId id = add_moving(world, Sphere(0.1), Pose::translation({x, 0, 0}), elastic,
                                   {speed, 0.01 * speed, 0});
      run(world, 1.0);
      if (std::fabs(world.body(id).center_of_mass().x) > 0.3) escaped += 1.0;
    }
    findings.push_back(at_most("ball between walls 0.6 apart at " +
                                   std::to_string(static_cast<int>(speed)) + " m/s: escaped, of 40",
                               "balls", escaped, 0.0));
  }
  return findings;
}

}  // namespace

std::vector<Trial> walls() {
  std::vector<Trial> all;
  for (const double spin : {0.0, 200.0}) {
    for (const Kind& kind : kinds())
      all.push_back({"wall", [kind, spin](const Conditions& c) { return wall(c, kind, spin); }});
  }
  all.push_back({"between walls", between_walls});
  return all;
}

}  // namespace tactus::detail::lab::physics
