#pragma once

#include <memory>

#include "apps/tactus/simulate/scene_run.hpp"
#include "tactus/distributed.hpp"
#include "tactus/io/ranks/scene_part.hpp"

namespace tactus::app {

/// The run of a scene of rigid bodies, from its start or from the recording to continue from. Its
/// verdict is that of the scene's goal. With `ranks` they share its world, to which `part` is this
/// rank's where it is made. What it is given must outlive it. Throws InvalidInput and FileError.
std::unique_ptr<SceneRun> make_rigid_run(const SimulateCommand& command, const io::Scene& scene,
                                         distributed::Ranks* ranks, io::ScenePart* part = nullptr);

}  // namespace tactus::app
