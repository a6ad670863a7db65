#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tactus::app {

/// What `tactus simulate` was asked to do.
struct SimulateCommand {
  std::string scene;                   ///< scene file
  std::optional<std::uint64_t> steps;  ///< stop after this many, counted from the scene's start
  std::string out;                     ///< folder for the results; `out/<scene's name>` when empty
  bool no_files = false;               ///< write nothing
  std::string continue_from;           ///< recording of an earlier run of the scene
  bool json = false;                   ///< the table and the verdict as one JSON object
};

/// Runs a scene, prints a row per simulated second, the verdict of the scene's goal and the state
/// hash, and writes the recording, the summary and the HTML player. An interrupt (Ctrl-C) finishes
/// the step, then saves; the run can be continued.
/// Returns the exit code: 0; 1 when it was interrupted or missed its goal; 2 when the scene or a
/// file cannot be used (named on standard error).
int run_simulate(const SimulateCommand& command);

}  // namespace tactus::app
