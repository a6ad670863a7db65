#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "apps/tactus/program.hpp"

namespace tactus::app {

/// Adds `help`, which prints the help of a command or writes the manual pages of all, and
/// `completion`, which prints the script by which a shell completes the commands.
void add_shell_commands(CLI::App& app, std::vector<Entry>& commands);

}  // namespace tactus::app
