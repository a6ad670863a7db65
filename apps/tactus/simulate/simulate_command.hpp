#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tactus::app {

/// Arguments of `tactus simulate`.
struct SimulateCommand {
  std::string program = "tactus";  ///< as it was called, for the command that continues
  std::string scene;               ///< scene file; `-` is standard input
  std::vector<std::string>
      assignments;                     ///< values of the scene that are set: `world.step_rate=100`
  std::optional<std::uint64_t> steps;  ///< stop after this many, counted from the scene's start
  std::string out;                     ///< folder for the results; `out/<scene's name>` when empty
  bool no_files = false;               ///< write nothing
  std::string continue_from;           ///< recording of an earlier run of the scene
  double checkpoint = 5.0;             ///< seconds on the clock between checkpoints; 0: each step
  int threads = 0;                     ///< 0: one for each processor
  bool allow_overlap = false;          ///< move bodies apart that overlap at the start
  std::string record_pairs;            ///< file for the pairs of the last step, as query lines
  std::uint64_t record_every = 0;      ///< instead those of each step that divides by this; 0: last
  bool json = false;                   ///< the table and the verdict as one JSON object
};

/// Reads a scene, once, and runs it: rigid bodies, or deformables with what is beside them. Prints
/// a row per simulated second, the verdict and the state hash, and writes the recording, the
/// summary and the HTML player. The recording grows on disk while the run goes on; an interrupt
/// (Ctrl-C) finishes the step, then saves; a run that was killed continues from its last
/// checkpoint. Returns the exit code: 0; 1 when it was interrupted, missed its goal, or anything
/// crosses that is kept apart; 2 when the scene or a file cannot be used, or a step cannot be done
/// (named on standard error, the latter after the files of the last good step were written).
int run_simulate(const SimulateCommand& command);

}  // namespace tactus::app
