#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fuzz/random_values.hpp"
#include "lab/physics/trials.hpp"
#include "tactus/core.hpp"

// Many impacts one after the other: cradles, a gas, random drops.

namespace tactus::detail::lab::physics {
namespace {

/// Balls in a row that touch; the first one comes in, the last one leaves.
std::vector<Finding> cradle(const Conditions& conditions, int count) {
  WorldSettings settings = conditions.settings;
  settings.gravity = {};
  World world(settings);
  Material elastic;
  elastic.restitution = 1.0;
  elastic.friction = 0.0;
  std::vector<BodyId> balls;
  balls.push_back(
      add_moving(world, Sphere(0.5), Pose::translation({-1.4, 0, 0}), elastic, {1, 0, 0}));
  for (int i = 1; i < count; ++i)
    balls.push_back(add_moving(world, Sphere(0.5), Pose::translation({i - 1.0, 0, 0}), elastic));
  const double start = energy(world);
  run(world, 2.0);
  const std::string name = "touching cradle of " + std::to_string(count) + ": ";
  return {at_most(name + "energy lost", "of it", std::fabs(energy(world) / start - 1.0), 1e-6),
          compare(name + "speed of the last", "m/s", 1.0,
                  world.body(balls.back()).linear_velocity().x, 1e-6)};
}

/// Elastic balls in a box, without weight.
std::vector<Finding> gas(const Conditions& conditions) {
  WorldSettings settings = conditions.settings;
  settings.gravity = {};
  World world(settings);
  Material elastic;
  elastic.restitution = 1.0;
  elastic.friction = 0.0;
  for (const Vec3& normal :
       {Vec3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}})
    add_fixed(world, HalfSpace(normal, -1.0), Pose(), elastic);
  Random random(conditions.seed, 125);
  for (int i = 0; i < 125; ++i) {
    const int layer = i / 25, row = i / 5 % 5, column = i % 5;
    const Vec3 place{(column - 2) * 0.38, (row - 2) * 0.38, (layer - 2) * 0.38};
    add_moving(world, Sphere(0.1), Pose::translation(place), elastic,
               fuzz::vector_in(random, -2.0, 2.0));
  }
  const double start = energy(world);
  double lowest = start, highest = start;
  while (world.time() < 60.0) {
    require_done(world.step());
    lowest = std::min(lowest, energy(world));
    highest = std::max(highest, energy(world));
  }
  double outside = 0.0;
  for (const Body& body : world.bodies()) {
    if (body.is_dynamic() && max_abs(body.center_of_mass()) > 1.0) outside += 1.0;
  }
  return {at_most("elastic gas of 125, 60 s: energy lost", "of it", 1.0 - lowest / start, 1e-6),
          at_most("elastic gas of 125, 60 s: energy gained", "of it", highest / start - 1.0, 1e-6),
          at_most("elastic gas of 125, 60 s: escaped", "balls", outside, 0.0)};
}

Shape drop_shape(std::uint64_t index) {
  switch (index % 6) {
    case 0:
      return Sphere(0.2);
    case 1:
      return Box({0.4, 0.3, 0.35});
    case 2:
      return Capsule(0.12, 0.24);
    case 3:
      return Cylinder(0.2, 0.1);
    case 4:
      return Cone(0.2, 0.4);
    default:
      return Ellipsoid({0.2, 0.15, 0.12});
  }
}

/// The largest rise of the energy from one step to a later one, of the energy at the start.
double rise_of_drop(const Conditions& conditions, std::uint64_t index) {
  Random random(conditions.seed, 1000 + index);
  Material material;
  material.friction = random.uniform();
  material.restitution = random.uniform(0.0, 0.95);
  World world(conditions.settings);
  add_fixed(world, HalfSpace({0, 0, 1}, 0.0), Pose(), material);
  const Quat turned = fuzz::rotation(random);
  const Vec3 linear = fuzz::vector_in(random, -2.0, 2.0);
  const Vec3 angular = fuzz::vector_in(random, -10.0, 10.0);
  add_moving(world, drop_shape(index), Pose({0, 0, 1.0}, turned), material, linear, angular);
  const double start = energy(world);
  double least = start, rise = 0.0;
  for (int step = 0; step < 180; ++step) {
    require_done(world.step());
    const double now = energy(world);
    rise = std::max(rise, (now - least) / start);
    least = std::min(least, now);
  }
  return rise;
}

std::vector<Finding> drops(const Conditions& conditions) {
  double worst = 0.0, above = 0.0;
  for (std::uint64_t i = 0; i < conditions.drops; ++i) {
    const double rise = rise_of_drop(conditions, i);
    worst = std::max(worst, rise);
    if (rise > 1e-4) above += 1.0;
  }
  const std::string name = std::to_string(conditions.drops) + " random drops, friction, e < 1: ";
  return {at_most(name + "worst rise of energy", "of it", worst, 1e-4),
          at_most(name + "rises above 1e-4", "drops", above, 0.0)};
}

}  // namespace

std::vector<Trial> many_impacts() {
  return {{"cradle", [](const Conditions& c) { return cradle(c, 5); }},
          {"cradle", [](const Conditions& c) { return cradle(c, 10); }},
          {"gas", gas},
          {"drops", drops}};
}

}  // namespace tactus::detail::lab::physics
