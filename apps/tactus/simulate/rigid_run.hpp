#pragma once

#include <memory>

#include "apps/tactus/simulate/scene_run.hpp"

namespace tactus::app {

/// The run of a scene of rigid bodies, from its start or from the recording to continue from. Its
/// verdict is that of the scene's goal. `command` and `scene` must outlive it. Throws InvalidInput
/// and FileError.
std::unique_ptr<SceneRun> make_rigid_run(const SimulateCommand& command, const io::Scene& scene);

}  // namespace tactus::app
