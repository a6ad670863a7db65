#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "lab/physics/rolling_equations.hpp"
#include "lab/physics/trials.hpp"

// Rolling without slip beside its equations; bodies that a turntable carries.

namespace tactus::detail::lab::physics {
namespace {

constexpr double kSeconds = 20.0;
/// Deviations allowed: relative to the largest energy of motion, and to the period.
constexpr double kEnergyBound = 1e-4, kPeriodBound = 1e-3;

Quat about(const Vec3& axis, double angle) {
  const Vec3 v = normalized(axis) * std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), v.x, v.y, v.z};
}

BodyMass solid(const Shape& shape, const Vec3& shift = {}) {
  BodyDefinition definition{shape};
  definition.id = 1;
  BodyMass mass = Body(definition).mass();
  mass.center += shift;
  return mass;
}

Roller ball(std::string name, double radius, const Vec3& center, const Quat& turn,
            const Vec3& spin) {
  const Sphere shape(radius);
  return {std::move(name), shape, solid(shape, center), turn, spin, [radius](const Vec3& d) {
            return d * radius;
          }};
}

Roller ellipsoid(std::string name, const Vec3& radii, const Vec3& center, const Quat& turn,
                 const Vec3& spin) {
  const Ellipsoid shape(radii);
  return {std::move(name), shape, solid(shape, center), turn, spin, [radii](const Vec3& d) {
            const Vec3 e{d.x * radii.x, d.y * radii.y, d.z * radii.z};
            return Vec3{e.x * radii.x, e.y * radii.y, e.z * radii.z} * (1.0 / norm(e));
          }};
}

/// On its rim.
Roller coin(std::string name, const Vec3& center, double tilt, double spin, double turning) {
  constexpr double kRadius = 0.5, kThickness = 0.02;
  const Cylinder shape(kRadius, kThickness);
  const Vec3 axis{std::cos(tilt), 0.0, std::sin(tilt)};
  return {std::move(name),
          shape,
          solid(shape, center),
          about({0, 1, 0}, 0.5 * kPi - tilt),
          axis * spin + Vec3{0.0, 0.0, turning},
          [](const Vec3& d) {
            const double across = std::hypot(d.x, d.y);
            return Vec3{kRadius * d.x / across, kRadius * d.y / across,
                        std::copysign(0.5 * kThickness, d.z)};
          }};
}

/// On one of its ends.
Roller capsule(std::string name, const Vec3& center, const Quat& turn, const Vec3& spin) {
  constexpr double kRadius = 0.3, kLength = 0.8;
  const Capsule shape(kRadius, kLength);
  return {std::move(name), shape, solid(shape, center), turn, spin, [](const Vec3& d) {
            return d * kRadius + Vec3{0.0, 0.0, std::copysign(0.5 * kLength, d.z)};
          }};
}

/// A cylinder or capsule on its side.
Roller lying(std::string name, const Shape& shape, double radius, const Vec3& center, double spin) {
  return {std::move(name),
          shape,
          solid(shape, center),
          about({0, 1, 0}, 0.8) * about({1, 0, 0}, 0.5 * kPi),
          {0.0, spin, 0.0},
          [radius](const Vec3& d) {
            const double across = std::hypot(d.x, d.y);
            return Vec3{radius * d.x / across, radius * d.y / across, 0.0};
          },
          0.0,
          true};
}

std::vector<Roller> rollers() {
  const Vec3 y{0, 1, 0};
  std::vector<Roller> all = {
      ball("ball, mass off the centre, rocks", 0.5, {0.2, 0, 0}, about(y, 0.3), {}),
      ball("the same, turns over", 0.5, {0.2, 0, 0}, about(y, 0.3), {0, 6, 0}),
      ball("the same, about all axes", 0.5, {0.2, 0, 0}, about(y, 0.3), {1, 3, 2}),
      ball("ball of 0.05, turns over", 0.05, {0, 0, 0.015}, about({1, 0, 0}, 1.0), {12, 1, 3}),
      ellipsoid("oblate, rocks by 1.2", {0.5, 0.5, 0.2}, {}, about(y, 1.2), {}),
      ellipsoid("oblate, about all axes", {0.5, 0.5, 0.2}, {}, about(y, 0.6), {1, 0, 2}),
      ellipsoid("oblate, mass off the centre", {0.5, 0.5, 0.2}, {0.1, 0, 0.05}, about(y, 0.6),
                {1, 0, 2}),
      ellipsoid("three axes", {0.5, 0.3, 0.2}, {}, about({1, 1, 0}, 0.5), {0.5, 1, 1}),
      ellipsoid("prolate, rocks", {0.2, 0.2, 0.5}, {}, about(y, 0.5 * kPi + 0.5), {}),
      ellipsoid("prolate, rolls", {0.2, 0.2, 0.5}, {}, about(y, 0.5 * kPi + 0.2), {3, 0, 0}),
      coin("coin, in a circle", {}, 0.5, -6.0, 1.5),
      coin("coin, nods", {}, 0.5, -8.0, 0.0),
      coin("coin, mass off the centre", {0.05, 0, 0}, 0.5, -8.0, 0.0),
      capsule("capsule on its end, rocks", {0, 0, -0.6}, about(y, 0.5), {}),
      capsule("the same, about all axes", {0, 0, -0.6}, about(y, 0.5), {1, 0, 2}),
      lying("cylinder, mass off the axis, rocks", Cylinder(0.5, 1.0), 0.5, {0.2, 0, 0}, 0.0),
      lying("the same, turns over", Cylinder(0.5, 1.0), 0.5, {0.2, 0, 0}, 5.0),
      lying("capsule, mass off the axis", Capsule(0.3, 0.8), 0.3, {0.1, 0, 0}, 7.0),
      ball("ball on a ball, mass low", 0.3, {0, 0, -0.25}, about(y, 0.3), {0.5, 0.5, 1})};
  all.back().base = 2.0;
  const Cone cone(0.3, 0.8);
  all.push_back(
      {"cone, on its rim", cone, solid(cone), about(y, 0.35), {2, 0, 3}, [](const Vec3& d) {
         const double across = std::hypot(d.x, d.y);
         return Vec3{0.3 * d.x / across, 0.3 * d.y / across, -0.4};
       }});
  return all;
}

/// Times at which a number rises through zero.
class Crossings {
 public:
  void add(double time, double value) {
    if (known_ && value_ < 0.0 && value >= 0.0) {
      const double at = time_ + (time - time_) * value_ / (value_ - value);
      if (count_ == 0) first_ = at;
      last_ = at;
      ++count_;
    }
    time_ = time;
    value_ = value;
    known_ = true;
  }
  double period() const { return count_ > 1 ? (last_ - first_) / (count_ - 1) : 0.0; }

 private:
  bool known_ = false;
  double time_ = 0.0, value_ = 0.0, first_ = 0.0, last_ = 0.0;
  int count_ = 0;
};

std::vector<Finding> roll(const Conditions& conditions, const Roller& roller) {
  constexpr int kFine = 16;
  World world(conditions.settings);
  Material rough;
  rough.friction = 5.0;
  if (roller.base > 0.0)
    add_fixed(world, Sphere(roller.base), Pose(), rough);
  else
    add_fixed(world, HalfSpace({0, 0, 1}, 0.0), Pose(), rough);
  RollerState state = start(roller);
  const Vec3 shift = to_matrix(roller.turn) * roller.mass.center;
  BodyDefinition body{roller.shape, Pose(state.center - shift, roller.turn),
                      velocity(roller, state), state.spin};
  body.material = rough;
  body.mass = roller.mass;
  const BodyId id = world.add(body);
  const double begin = energy(roller, state), step = world.settings().time_step;
  double most = 0.0, moving = 0.0;
  Crossings theory, ours;
  while (world.time() < kSeconds) {
    require_done(world.step());
    for (int i = 0; i < kFine; ++i) state = advance(roller, state, step / kFine);
    most = std::max(most, std::fabs(energy(world) - begin));
    moving = std::max(moving, kinetic_energy(roller, state));
    theory.add(world.time(), velocity(roller, state).z);
    ours.add(world.time(), world.body(id).linear_velocity().z);
  }
  return {at_most(roller.name + ": energy", "of it", most / moving, kEnergyBound),
          compare(roller.name + ": period", "s", theory.period(), ours.period(), kPeriodBound)};
}

/// A block whose friction is 1 / 0.9 of what carries it around on a turntable.
std::vector<Finding> turntable(const Conditions& conditions) {
  World world(conditions.settings);
  Material material;
  material.friction = 0.5;
  const double spin = std::sqrt(0.9 * material.friction * 9.81);
  BodyDefinition table{Cylinder(5.0, 0.2), Pose::translation({0, 0, -0.1})};
  table.type = BodyType::kinematic;
  table.angular_velocity = {0, 0, spin};
  table.material = material;
  world.add(table);
  const BodyId id = add_moving(world, Box({0.1, 0.1, 0.05}), Pose::translation({1, 0, 0.025}),
                               material, {0, spin, 0}, {0, 0, spin});
  run(world, 60.0);
  const Vec3 place = world.body(id).center_of_mass();
  return {compare("block on a turntable at 0.9 of its friction, 60 s: distance", "m", 1.0,
                  std::hypot(place.x, place.y), 1e-4)};
}

}  // namespace

std::vector<Trial> rolling() {
  std::vector<Trial> all = {{"turntable", turntable}};
  for (const Roller& roller : rollers())
    all.push_back({"rolling: " + roller.name,
                   [roller](const Conditions& conditions) { return roll(conditions, roller); }});
  return all;
}

}  // namespace tactus::detail::lab::physics
