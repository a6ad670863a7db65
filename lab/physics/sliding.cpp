#include <algorithm>
#include <cmath>
#include <vector>

#include "lab/physics/trials.hpp"

// Friction on slopes and of a spinning disc; free rotation.

namespace tactus::detail::lab::physics {
namespace {

/// How far a block goes down a slope of 30 degrees whose friction is `part` of its tangent.
double slide(const Conditions& conditions, double part, double seconds) {
  const double angle = kPi / 6.0;
  World world(conditions.settings);
  Material material;
  material.friction = part * std::tan(angle);
  const Vec3 normal{-std::sin(angle), 0.0, std::cos(angle)};
  const Vec3 down{-std::cos(angle), 0.0, -std::sin(angle)};
  add_fixed(world, HalfSpace(normal, 0.0), Pose(), material);
  const Quat turn{std::cos(0.5 * angle), 0.0, -std::sin(0.5 * angle), 0.0};
  const BodyId id = add_moving(world, Box({1, 1, 0.5}), Pose(normal * 0.25, turn), material);
  run(world, seconds);
  return dot(world.body(id).center_of_mass() - normal * 0.25, down);
}

std::vector<Finding> slides(const Conditions& conditions) {
  const double theory = 0.5 * (9.81 * std::sin(kPi / 6.0) * 0.02) * 25.0;
  return {compare("slope of 30 degrees, friction 0.98 of it, 5 s", "m", theory,
                  slide(conditions, 0.98, 5.0), 0.002)};
}

std::vector<Finding> creeps(const Conditions& conditions) {
  return {at_most("slope of 30 degrees, friction 1.02 of it, 60 s: creeps", "m",
                  std::fabs(slide(conditions, 1.02, 60.0)), 1e-6)};
}

/// Even pressure on a disc gives the torque 2/3 mu m g r.
std::vector<Finding> torsion(const Conditions& conditions) {
  World world(conditions.settings);
  Material material;
  material.friction = 0.3;
  constexpr double kRadius = 0.5, kSpin = 10.0;
  add_fixed(world, HalfSpace({0, 0, 1}, 0.0), Pose(), material);
  const BodyId id = add_moving(world, Cylinder(kRadius, 0.1), Pose::translation({0, 0, 0.05}),
                               material, {}, {0, 0, kSpin});
  const double theory = 0.75 * kSpin * kRadius / (material.friction * 9.81);
  double before = kSpin, now = kSpin, stop = 0.0;
  while (world.time() < 3.0 * theory) {
    before = now;
    require_done(world.step());
    now = world.body(id).angular_velocity().z;
    if (now > 1e-3 * kSpin) continue;
    // The last step but one and this one, at the rate of all before.
    stop = world.time() - world.settings().time_step +
           before / (kSpin - before) * (world.time() - world.settings().time_step);
    break;
  }
  return {compare("spinning disc stops by friction", "s", theory, stop, 0.02)};
}

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
double elliptic_k(double parameter) {
  double a = 1.0, b = std::sqrt(1.0 - parameter);
  for (int i = 0; i < 40; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return 0.5 * kPi / a;
}

struct FreeSpin {
  double energy_drift = 0.0, momentum_drift = 0.0, period = 0.0, theory = 0.0;
};

/// A body spun about its middle axis with a disturbance, for 1e5 steps.
FreeSpin spin_freely(const Conditions& conditions) {
  WorldSettings settings = conditions.settings;
  settings.gravity = {};
  World world(settings);
  const Vec3 inertia{1.0, 2.0, 3.0}, spin{0.01, 3.0, 0.0};
  BodyDefinition body{Box({1, 0.8, 0.5}), Pose(), {}, spin};
  body.mass = BodyMass{1.0, {}, Mat3::diagonal(inertia)};
  const BodyId id = world.add(body);
  const double start = world.body(id).kinetic_energy();
  const Vec3 momentum = world.body(id).spin();
  FreeSpin result;
  std::vector<double> crossings;
  double last = 0.0;
  for (int step = 0; step < 100000; ++step) {
    require_done(world.step());
    const Body& now = world.body(id);
    result.energy_drift =
        std::max(result.energy_drift, std::fabs(now.kinetic_energy() / start - 1));
    result.momentum_drift =
        std::max(result.momentum_drift, norm(now.spin() - momentum) / norm(momentum));
    // The spin about the middle axis changes sign every half period.
    const double middle = transpose_times(now.pose().rotation(), now.angular_velocity()).y;
    if (step > 0 && last * middle < 0.0)
      crossings.push_back(world.time() - settings.time_step * middle / (middle - last));
    last = middle;
  }
  const auto half_periods = static_cast<double>(crossings.size()) - 1.0;
  if (half_periods > 0.0)
    result.period = 2.0 * (crossings.back() - crossings.front()) / half_periods;
  // Euler's equations: the component about the middle axis has the period 4 K(m) / rate, with the
  // complete elliptic integral K of the parameter m.
  const double two_t = 2.0 * start, squared = squared_norm(momentum);
  const double i1 = inertia.x, i2 = inertia.y, i3 = inertia.z;
  // Which of the outer axes the motion encloses decides the roles of the two.
  const bool about_third = squared > two_t * i2;
  const double near = two_t * i3 - squared, far = squared - two_t * i1;
  const double rate =
      std::sqrt((about_third ? (i3 - i2) * far : (i2 - i1) * near) / (i1 * i2 * i3));
  const double parameter =
      about_third ? (i2 - i1) * near / ((i3 - i2) * far) : (i3 - i2) * far / ((i2 - i1) * near);
  result.theory = 4.0 * elliptic_k(parameter) / rate;
  return result;
}

std::vector<Finding> free_spin(const Conditions& conditions) {
  const FreeSpin spin = spin_freely(conditions);
  return {at_most("free spin, 1e5 steps: energy", "of it", spin.energy_drift, 1e-9),
          at_most("free spin, 1e5 steps: momentum", "of it", spin.momentum_drift, 1e-9),
          compare("free spin: period of the flips", "s", spin.theory, spin.period, 1e-5)};
}

}  // namespace

std::vector<Trial> sliding() {
  return {{"slide", slides}, {"creep", creeps}, {"torsion", torsion}, {"free spin", free_spin}};
}

}  // namespace tactus::detail::lab::physics
