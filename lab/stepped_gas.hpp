#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tactus/rigid/exchange/exchange.hpp"
#include "tactus/world.hpp"

namespace tactus::detail::lab {

/// Spheres of one radius in a cube from the origin to (edge, edge, edge).
struct GasStart {
  double radius = 0.5, edge = 0.0;
  std::vector<Vec3> positions, velocities;
};

/// A tenth of the volume is filled; on a grid, all as fast as given, directions at random.
GasStart gas_start(std::uint64_t count, double speed, std::uint64_t seed);

/// How the same gas is after a time in a periodic `World`, in steps.
struct SteppedGas {
  std::vector<Vec3> velocities;
  double energy_drift = 0.0;  ///< relative
  std::uint64_t steps = 0;
  double seconds = 0.0;  ///< of the processor
  std::uint64_t state_hash = 0;
};

/// Steps are so short that a sphere of the mean speed moves by an eighth of its radius. `progress`
/// is told the part that is done. With `ranks` each of them moves its part; all have the end.
SteppedGas run_in_steps(const GasStart& start, double time, Detector detector,
                        const std::function<void(double)>& progress, Exchange* ranks = nullptr);

}  // namespace tactus::detail::lab
