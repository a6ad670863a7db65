#pragma once

#include <cstdint>
#include <string>

namespace tactus::app {

/// Arguments of `tactus decompose`.
struct DecomposeCommand {
  std::string file;  ///< mesh file
  std::string method = "modern";
  double concavity = 0.05;
  std::uint32_t max_parts = 1024;
  std::uint32_t max_vertices = 0;  ///< of each part; 0: no limit
  int threads = 0;                 ///< 0: all processors
  std::string up;                  ///< axis of the file that is turned to z; empty: as it is
  std::string out;                 ///< file for the parts; none when empty
  std::string html;                ///< page for the picture; none when empty
  bool json = false;               ///< the figures as JSON
};

/// Takes a mesh apart into convex parts and prints their number, the measured concavity, volumes
/// and time. Ctrl-C ends the search; what was done by then is measured and written. Returns the
/// exit code: 0; 1 when the concavity asked for was not reached; 2 when a file cannot be read or
/// written or an option is wrong (named on standard error).
int run_decompose(const DecomposeCommand& command);

}  // namespace tactus::app
