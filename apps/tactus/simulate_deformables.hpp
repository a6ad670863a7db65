#pragma once

#include "apps/tactus/simulate_command.hpp"
#include "tactus/io.hpp"

namespace tactus::app {

/// Runs a scene with deformables: prints a row per simulated second and the state hash, tests after
/// each step that nothing crosses, and writes the checkpoint, the summary and pictures (VTK). Exit
/// code as `run_simulate`; 1 also when anything crosses.
int simulate_deformables(const SimulateCommand& command, const io::Scene& scene);

}  // namespace tactus::app
