#pragma once

#include <memory>

#include "apps/tactus/simulate/scene_run.hpp"

namespace tactus::app {

/// The run of a scene with deformables, from its start or from the checkpoint to continue from. It
/// tests after each step that nothing crosses, and leaves pictures (VTK) too. `command` and `scene`
/// must outlive it. Throws InvalidInput and FileError.
std::unique_ptr<SceneRun> make_soft_run(const SimulateCommand& command, const io::Scene& scene);

}  // namespace tactus::app
