#pragma once

#include <string>

namespace tactus::app {

/// Arguments of `tactus steps`.
struct StepsCommand {
  std::string file;  ///< one question per line; `-` is standard input
};

/// Prints the steps of algorithms over many things, a line for each question. Returns the exit
/// code: 0; 1 when a line is no question; 2 when the file could not be read.
int run_steps(const StepsCommand& command);

}  // namespace tactus::app
