#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/tactus/simulate/simulate_command.hpp"
#include "tactus/distributed.hpp"
#include "tactus/io.hpp"

namespace tactus::app {

/// The files of a run, by their endings: in one folder, and of one name.
struct RunFiles {
  std::filesystem::path folder;
  std::string stem;
  std::filesystem::path with(const char* ending) const { return folder / (stem + ending); }
  /// The recording, from which a run continues.
  std::filesystem::path recording() const { return with(".tactus"); }
};

/// A world that moves, and what its kind tells of it: the part of a run that differs between rigid
/// bodies and deformables. `run_scene` calls it, in this order: `open`; for each step `step` and
/// `save`; `last_row`; `write`; `print_verdict` or `add_to`; `good`.
class SceneRun {
 public:
  /// The outcome of a step.
  struct Done {
    StepFailure failure;  ///< then nothing was done
    std::string row;      ///< line of the table, where a row has ended
  };

  SceneRun() = default;
  SceneRun(const SceneRun&) = delete;
  SceneRun& operator=(const SceneRun&) = delete;
  virtual ~SceneRun() = default;

  virtual std::uint64_t step_count() const = 0;
  virtual std::uint64_t state_hash() const = 0;
  virtual std::string table_head() const = 0;

  /// Starts the files, on the first rank; not called where none are written. Throws FileError.
  virtual void open(const RunFiles& files) = 0;
  /// Does the next step and notes what is kept of it.
  virtual Done step() = 0;
  /// Replaces the checkpoint, where it is time to; `row_ended`: with the last step.
  virtual void save(bool row_ended) = 0;
  /// Has this rank, or the one program, bodies that can move?
  virtual bool moves_any() const { return true; }
  /// The row that the end has cut short, where it counts before the files are written.
  virtual std::string last_row() { return {}; }
  /// Writes what the run leaves, into files where there are any; returns their names.
  virtual std::vector<std::string> write(const RunFiles* files) = 0;
  /// Prints the last row that is not yet told, and what was judged; `finished`: the whole scene.
  virtual void print_verdict(bool finished) const = 0;
  /// Adds the rows and what was judged to the report; `written`: what `write` has returned.
  virtual void add_to(nlohmann::json& report, bool finished,
                      const std::vector<std::string>& written) const = 0;
  /// Has all that was judged come out well?
  virtual bool good(bool finished) const = 0;
};

/// Runs a scene to its end, to the step asked for or to an interrupt, prints and writes what
/// happened. Returns the exit code 0 or 1; throws when a step cannot be done (after the files of
/// the last good step were written) or a file cannot be used.
/// Of several ranks, each of which calls it, the first one writes the files and prints.
int run_scene(const SimulateCommand& command, const io::Scene& scene,
              std::unique_ptr<SceneRun> owned, distributed::Ranks* ranks = nullptr);

/// Result of `make()`; where that refuses the scene, the error names the scene's file.
template <class Make>
auto of_scene(const SimulateCommand& command, const Make& make) {
  try {
    return make();
  } catch (const InvalidInput& error) {
    throw InvalidInput("", command.scene + ": " + error.what());
  }
}

/// Throws InvalidInput where a recording to continue from is of another scene.
void require_scene(const SimulateCommand& command, const io::Scene& scene,
                   std::uint64_t fingerprint);

}  // namespace tactus::app
