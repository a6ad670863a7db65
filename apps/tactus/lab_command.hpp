#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tactus::app {

/// Arguments of `tactus lab`.
struct LabCommand {
  std::string name;                    ///< of the experiment; empty: list them
  std::optional<std::uint64_t> pairs;  ///< how many are drawn, where that is free
  std::uint64_t seed = 1;
  std::uint64_t seeds = 1;  ///< how many from there on, for the experiments that repeat themselves
  std::string pairs_from;   ///< recorded pairs instead of drawn ones, for table10
  int threads = 0;          ///< 0: all processors
  std::string out;          ///< folder for the state; none is kept when empty
  bool resume = false;      ///< go on from the state in `out`
  bool json = false;        ///< the report as JSON
  std::string meshes;       ///< folder of further meshes, for the experiments that take them
  std::string page;         ///< file that receives the report as a page of documentation
  std::string incidents;    ///< file that receives the pairs worth looking at, as query lines
};

/// Runs an experiment of the laboratory and prints our figures beside those of the source and the
/// verdict. An interrupt ends a resumable experiment after its round, with its state saved. Returns
/// the exit code: 0; 1 when the verdict is a failure or the run was interrupted; 2 when the
/// experiment is unknown or a file cannot be written (named on standard error).
int run_lab(const LabCommand& command);

}  // namespace tactus::app
