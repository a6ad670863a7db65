#include "apps/tactus/simulate/simulate_command.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "apps/tactus/program.hpp"
#include "apps/tactus/simulate/rigid_run.hpp"
#include "apps/tactus/simulate/scene_run.hpp"
#include "apps/tactus/simulate/soft_run.hpp"
#include "tactus/distributed.hpp"
#include "tactus/io.hpp"
#include "tactus/version.hpp"

namespace tactus::app {
namespace {

/// Refuses what cannot run on several ranks, by name.
void require_for_ranks(const SimulateCommand& command, const io::Scene& scene) {
  const auto refuse = [&](bool fine, const std::string& what) {
    if (!fine) throw InvalidInput("", command.scene + ": on several ranks " + what);
  };
  refuse(scene.deformables.empty(), "deformable bodies do not run");
  refuse(!scene.impulse, "impulse dynamics do not run");
  refuse(command.record_pairs.empty(), "--record-pairs does not work yet");
}

/// The scene, as all ranks have read it; none where any of them cannot: the first one of these
/// tells.
std::optional<io::Scene> read_on_ranks(const SimulateCommand& command, distributed::Ranks& ranks) {
  std::optional<io::Scene> scene;
  std::string error;
  try {
    scene = io::read_scene(command.scene, command.assignments);
    scene->world.max_threads = command.threads == 0 ? 1 : command.threads;
    require_for_ranks(command, *scene);
  } catch (const std::exception& reason) {
    error = reason.what();
  }
  // Versions, scenes and steps must be the same everywhere.
  const std::string task =
      scene ? fmt::format("tactus {} steps {} continue {} files {} scene {:016x}", TACTUS_VERSION,
                          command.steps.value_or(scene->recording.steps), command.continue_from,
                          !command.no_files, scene->fingerprint)
            : std::string();
  const std::string wrong = ranks.first_difference(error, task);
  if (wrong.empty()) return scene;
  if (ranks.rank() == 0) fmt::print(stderr, "tactus simulate: {}\n", wrong);
  return std::nullopt;
}

/// One copy of the program among several that MPI has started: the first one prints.
int simulate_on_ranks(const SimulateCommand& command) {
  if (!distributed::has_mpi()) {
    throw std::runtime_error(
        "started several times by mpirun, but built without MPI (TACTUS_WITH_MPI=OFF): each copy "
        "would run the whole scene");
  }
  distributed::Ranks ranks;
  if (ranks.rank() != 0 && std::freopen("/dev/null", "w", stdout) == nullptr)
    throw std::runtime_error("cannot silence rank " + std::to_string(ranks.rank()));
  const std::optional<io::Scene> scene = read_on_ranks(command, ranks);
  if (!scene) return kCannotRun;
  try {
    return run_scene(command, *scene, make_rigid_run(command, *scene, &ranks), &ranks);
  } catch (const std::exception& error) {
    // The others would wait for a rank that fails alone; where all fail, the first one tells.
    if (ranks.rank() == 0) {
      fmt::print(stderr, "tactus simulate: {}\n", error.what());
    } else {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      fmt::print(stderr, "tactus simulate: rank {}: {}\n", ranks.rank(), error.what());
    }
    std::fflush(nullptr);
    ranks.abort(kCannotRun);
  }
}

int simulate(const SimulateCommand& command) {
  if (distributed::launched_together() > 1) return simulate_on_ranks(command);
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
