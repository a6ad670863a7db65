#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tactus::app {

/// Exit code of a program that could not run.
inline constexpr int kCannotRun = 2;

/// A subcommand and what it runs once it is parsed.
struct Entry {
  CLI::App* app;
  std::function<int()> run;
  bool on_ranks = false;  ///< copies that `mpirun` starts share the work
};

/// Adds a subcommand: `describe` adds its options to the command line, `run` takes what was parsed.
/// One that is not for ranks refuses to run where `mpirun` has started several copies.
template <class Command, class Describe>
Entry add_command(CLI::App& app, const char* name, const char* description,
                  const Describe& describe, int (*run)(const Command&), bool on_ranks = false) {
  const auto command = std::make_shared<Command>();
  CLI::App* const added = app.add_subcommand(name, description);
  describe(*added, *command);
  return {added, [command, run] { return run(*command); }, on_ranks};
}

/// Tells that a command has no subcommand, or no option, of this name; which was meant, if one is
/// near; and which there are. `path`: how the command is called.
std::string unknown_name(const CLI::App& command, const std::string& path, const std::string& word,
                         bool is_option);

/// Parses the words of a program and runs the subcommand that they name. `add` adds the
/// subcommands. Returns the exit code: that of the subcommand, or 2 with the reason on standard
/// error where the words name none, where it throws, or where what it printed did not get out.
int run_program(const char* description, int argc, char** argv,
                const std::function<std::vector<Entry>(CLI::App&)>& add);

}  // namespace tactus::app
