#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tactus::app {

/// Arguments of `tactus hull`.
struct HullCommand {
  std::string file;
  std::string method = "quickhull";
  std::optional<std::uint32_t> vertices;  ///< at most as many
  std::string up;                         ///< axis of the file that is turned to z
  std::string out;                        ///< file for the hull; none when empty
  int threads = 0;
  bool json = false;
};

/// Finds the convex hull of a file's vertices, proves it by exact predicates and prints what it is
/// made of. Returns the exit code: 0; 1 when the proof fails; 2 when a file cannot be read or
/// written or an option is wrong (named on standard error).
int run_hull(const HullCommand& command);

}  // namespace tactus::app
