#pragma once

#include <string>

#include "apps/tactus/shell/command_tree.hpp"

namespace tactus::app {

/// The name of a command's manual page: `tactus-robot-path`.
std::string manual_name(const CommandText& command);

/// The manual page of a command in the macros of man(7), with all its options; that of the program
/// (`is_program`) tells what all commands have in common, too.
std::string manual_page(const CommandText& command, bool is_program);

}  // namespace tactus::app
