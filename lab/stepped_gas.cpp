#include "lab/stepped_gas.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tactus/rigid/body/step_fault.hpp"

namespace tactus::detail::lab {
namespace {

/// Part of the volume that is filled; the source does not give its own.
constexpr double kFilled = 0.1;
/// Way of a sphere per step at the starting speed, relative to its radius.
constexpr double kTravel = 0.125;

Vec3 any_direction(Random& random) {
  for (;;) {
    Vec3 d;
    for (int axis = 0; axis < 3; ++axis) d[axis] = random.uniform(-1.0, 1.0);
    const double square = squared_norm(d);
    if (square <= 1.0 && square >= 1e-4) return d * (1.0 / std::sqrt(square));
  }
}

World periodic_cube(double edge, double time_step, Detector detector, int threads) {
  WorldSettings settings;
  settings.gravity = {};
  settings.time_step = time_step;
  settings.substeps = 1;
  settings.load_overlap = 0.0;
  settings.detector = detector;
  settings.max_threads = threads;
  settings.periodic.fill(PeriodicAxis{0.0, edge});
  return World(settings);
}

}  // namespace

GasStart gas_start(std::uint64_t count, double speed, std::uint64_t seed) {
  Random random(seed, 11);
  const auto side =
      static_cast<std::uint64_t>(std::ceil(std::cbrt(static_cast<double>(count)) - 1e-9));
  GasStart start;
  start.edge = std::max(std::cbrt(static_cast<double>(count) * (kPi / 6.0) / kFilled),
                        static_cast<double>(side) * 1.01);
  const double gap = start.edge / static_cast<double>(side);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t x = i % side, y = i / side % side, z = i / (side * side);
    start.positions.push_back({(static_cast<double>(x) + 0.5) * gap,
                               (static_cast<double>(y) + 0.5) * gap,
                               (static_cast<double>(z) + 0.5) * gap});
    start.velocities.push_back(any_direction(random) * speed);
  }
  return start;
}

SteppedGas run_in_steps(const GasStart& start, double time, Detector detector,
                        const std::function<void(double)>& progress, Exchange* ranks) {
  const double time_step = kTravel * start.radius / norm(start.velocities.front());
  Material material;
  material.friction = 0.0;
  material.restitution = 1.0;
  World world = periodic_cube(start.edge, time_step, detector, ranks != nullptr ? 1 : 0);
  const Shape ball = Sphere(start.radius);
  for (std::size_t i = 0; i < start.positions.size(); ++i) {
    BodyDefinition body{ball, Pose::translation(start.positions[i]), start.velocities[i]};
    body.material = material;
    world.add(body);
  }
  const auto energy = [&] {
    double sum = 0.0;
    for (const Body& body : world.bodies()) sum += body.kinetic_energy();
    return sum;
  };
  const double energy_before = energy();
  if (ranks != nullptr) StepUndo::share_out(world, *ranks);
  SteppedGas gas;
  gas.steps = static_cast<std::uint64_t>(std::ceil(time / time_step));
  const std::clock_t begin = std::clock();
  for (std::uint64_t i = 1; i <= gas.steps; ++i) {
    require_done(world.step());
    progress(static_cast<double>(i) / static_cast<double>(gas.steps));
  }
  gas.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  if (ranks != nullptr) StepUndo::collect(world);
  gas.state_hash = world.state_hash();
  gas.energy_drift = std::fabs(energy() - energy_before) / energy_before;
  for (const Body& body : world.bodies()) {
    if (body.is_dynamic()) gas.velocities.push_back(body.linear_velocity());
  }
  return gas;
}

}  // namespace tactus::detail::lab
