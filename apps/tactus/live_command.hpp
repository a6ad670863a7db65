#pragma once

#include <string>

namespace tactus::app {

/// Arguments of `tactus live`.
struct LiveCommand {
  std::string file;  ///< one run per line; `-` is standard input
};

/// Replays live runs, as the browser's pile page hands them out, and prints their ends. Returns the
/// exit code: 0; 1 when a line is no run or its state has another hash than the line says; 2 when
/// the file could not be read.
int run_live(const LiveCommand& command);

}  // namespace tactus::app
