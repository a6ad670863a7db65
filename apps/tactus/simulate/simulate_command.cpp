#include "apps/tactus/simulate/simulate_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <string>

#include "apps/tactus/on_ranks.hpp"
#include "apps/tactus/program.hpp"
#include "apps/tactus/simulate/rigid_run.hpp"
#include "apps/tactus/simulate/scene_run.hpp"
#include "apps/tactus/simulate/soft_run.hpp"
#include "tactus/distributed.hpp"
#include "tactus/io.hpp"

namespace tactus::app {
namespace {

/// Refuses what cannot run on several ranks, by name.
void require_for_ranks(const SimulateCommand& command, const io::Scene& scene) {
  const auto refuse = [&](bool fine, const std::string& what) {
    if (!fine) throw InvalidInput("", command.scene + ": on several ranks " + what);
  };
  refuse(scene.deformables.empty(), "deformable bodies do not run");
  refuse(!scene.impulse, "impulse dynamics do not run");
}

/// Threads of one rank.
int threads_of(const SimulateCommand& command) {
  return command.threads == 0 ? 1 : command.threads;
}

/// The scene, as all ranks have read it; none where any of them cannot: the first one of these
/// tells.
std::optional<io::Scene> read_on_ranks(const SimulateCommand& command, distributed::Ranks& ranks,
                                       io::ScenePart& part) {
  std::optional<io::Scene> scene;
  std::string error;
  try {
    // Files tell of all bodies, and so does whoever moves them apart.
    const bool whole = !command.no_files || !command.continue_from.empty() || command.allow_overlap;
    scene = whole ? io::read_scene(command.scene, command.assignments)
                  : part.read(command.scene, command.assignments);
    scene->world.max_threads = threads_of(command);
    require_for_ranks(command, *scene);
  } catch (const std::exception& reason) {
    error = reason.what();
  }
  // Scenes and steps must be the same everywhere.
  const std::string task =
      scene ? fmt::format("steps {} continue {} files {} scene {:016x}",
                          command.steps.value_or(scene->recording.steps), command.continue_from,
                          !command.no_files, scene->fingerprint)
            : std::string();
  if (begin_together(ranks, "simulate", error, task)) return scene;
  return std::nullopt;
}

int simulate(const SimulateCommand& command, distributed::Ranks* ranks) {
  if (ranks != nullptr) {
    io::ScenePart part(ranks->rank(), ranks->count(), threads_of(command));
    const std::optional<io::Scene> scene = read_on_ranks(command, *ranks, part);
    if (!scene) return kCannotRun;
    return run_scene(command, *scene, make_rigid_run(command, *scene, ranks, &part), ranks);
  }
  io::Scene scene = io::read_scene(command.scene, command.assignments);
  for (const std::string& note : scene.notes) fmt::print(stderr, "{}: {}\n", command.scene, note);
  scene.world.max_threads = scene.deformable.max_threads = command.threads;
  return run_scene(command, scene,
                   scene.deformables.empty() ? make_rigid_run(command, scene, nullptr)
                                             : make_soft_run(command, scene));
}

}  // namespace

int run_simulate(const SimulateCommand& command) {
  try {
    return on_ranks("simulate",
                    [&](distributed::Ranks* ranks) { return simulate(command, ranks); });
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
