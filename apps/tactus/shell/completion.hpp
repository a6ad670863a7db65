#pragma once

#include <string>

#include "apps/tactus/shell/command_tree.hpp"

namespace tactus::app {

enum class ShellKind { bash, zsh, fish };

/// A script by which the shell completes commands, options, and values of options that are known
/// words; other values and arguments are completed as files, numbers are not. The script holds the
/// whole tree and starts no program.
std::string completion_script(const CommandText& program, ShellKind shell);

}  // namespace tactus::app
