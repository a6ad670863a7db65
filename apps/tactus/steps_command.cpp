#include "apps/tactus/steps_command.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "tactus/core.hpp"
#include "tactus/io/json/line_file.hpp"
#include "tactus/io/many/many_steps.hpp"

namespace tactus::app {

int run_steps(const StepsCommand& command) try {
  io::LineFile file(command.file);
  bool well = true;
  std::string line;
  while (file.next(line)) {
    try {
      fmt::print("{}\n", io::many_steps(line));
    } catch (const InvalidInput& error) {
      fmt::print(stderr, "{}: {}\n", file.place(), error.what());
      well = false;
    }
    if (!file.ready()) std::fflush(stdout);
  }
  return well ? 0 : 1;
} catch (const FileError& error) {
  fmt::print(stderr, "tactus steps: {}\n", error.what());
  return 2;
}

}  // namespace tactus::app
