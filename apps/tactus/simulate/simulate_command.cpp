#include "apps/tactus/simulate/simulate_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>

#include "apps/tactus/simulate/rigid_run.hpp"
#include "apps/tactus/simulate/scene_run.hpp"
#include "apps/tactus/simulate/soft_run.hpp"
#include "tactus/io.hpp"

namespace tactus::app {
namespace {

int simulate(const SimulateCommand& command) {
  io::Scene scene = io::read_scene(command.scene, command.assignments);
  for (const std::string& note : scene.notes) fmt::print(stderr, "{}: {}\n", command.scene, note);
  scene.world.max_threads = scene.deformable.max_threads = command.threads;
  return run_scene(
      command, scene,
      scene.deformables.empty() ? make_rigid_run(command, scene) : make_soft_run(command, scene));
}

}  // namespace

int run_simulate(const SimulateCommand& command) {
  try {
    return simulate(command);
  } catch (const std::exception& error) {
    const std::string message = error.what();
    fmt::print(stderr, "tactus simulate: {}\n", message);
    if (message.find("build/models/") != std::string::npos) {
      fmt::print(stderr, "tools/fetch_models puts the models there; `make demo` runs it\n");
    }
    return 2;
  }
}

}  // namespace tactus::app
