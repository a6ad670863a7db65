#include "apps/tactus/live_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "tactus/core.hpp"
#include "tactus/io/json/line_file.hpp"
#include "tactus/io/run/live_world.hpp"

namespace tactus::app {
namespace {

/// True when the line is a run that ends as it says.
bool replay(const std::string& line, const std::filesystem::path& folder,
            const std::string& place) {
  try {
    const io::LiveReplay run = io::replay_live(line, folder);
    fmt::print("{{\"steps\":{},\"bodies\":{},\"hash\":\"{}\"}}\n", run.steps, run.bodies,
               io::hash_text(run.hash));
    if (!run.expected || *run.expected == run.hash) return true;
    fmt::print(stderr, "{}: the line says {}\n", place, io::hash_text(*run.expected));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", place, error.what());
  }
  return false;
}

}  // namespace

int run_live(const LiveCommand& command) try {
  io::LineFile file(command.file);
  bool well = true;
  std::string line;
  while (file.next(line)) {
    well = replay(line, file.folder(), file.place()) && well;
    if (!file.ready()) std::fflush(stdout);
  }
  return well ? 0 : 1;
} catch (const FileError& error) {
  fmt::print(stderr, "tactus live: {}\n", error.what());
  return 2;
}

}  // namespace tactus::app
