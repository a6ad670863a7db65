#include "apps/tactus/live_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "tactus/core.hpp"
#include "tactus/io/format/atomic_file.hpp"
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
  const bool piped = command.file == "-";
  std::ifstream file;
  if (!piped) file = io::open_to_read(command.file);
  std::istream& lines = piped ? std::cin : file;
  const std::filesystem::path folder = std::filesystem::path(command.file).parent_path();
  bool well = true;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string name = piped ? "standard input" : command.file;
    well = replay(line, folder, fmt::format("{}:{}", name, number)) && well;
  }
  if (!lines.bad()) return well ? 0 : 1;
  throw FileError(command.file + ": cannot be read");
} catch (const FileError& error) {
  fmt::print(stderr, "tactus live: {}\n", error.what());
  return 2;
}

}  // namespace tactus::app
