#pragma once

#include <string>

namespace tactus::app {

/// Arguments of `tactus obb`.
struct ObbCommand {
  std::string file;   ///< mesh file
  std::string up;     ///< axis of the file that is turned to z; empty: as it is
  std::string out;    ///< file for the boxes; none when empty
  std::string html;   ///< page for the picture; none when empty
  bool json = false;  ///< the figures as JSON
};

/// Fits boxes to the points of a file by every method and prints volumes, times and what is proved
/// of the best one. Returns the exit code: 0; 2 when a file cannot be read or written (named on
/// standard error).
int run_obb(const ObbCommand& command);

}  // namespace tactus::app
