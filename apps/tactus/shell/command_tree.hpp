#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tactus::app {

/// An option or argument of a command, as users see it.
struct OptionText {
  std::vector<std::string> names;    ///< `-o`, `--out`; of an argument its one name, as FILE
  std::string value;                 ///< kind of its value: TEXT, FLOAT, ...; empty: a flag
  std::vector<std::string> choices;  ///< the values that are possible, where these are few
  std::string description;
  std::string standard;                      ///< value by default, where there is one to show
  std::vector<std::string> needs, excludes;  ///< longest names of other options
  bool required = false, repeated = false;
};

/// A command with all that can follow it: what completion and manual pages are made of.
struct CommandText {
  std::vector<std::string> words;  ///< `tactus`, `robot`, `path`
  std::string description, footer;
  std::vector<OptionText> options, arguments;
  std::vector<CommandText> commands;
};

/// Reads the tree of commands of a program, in the order in which they were added.
CommandText command_tree(const CLI::App& app);

/// Calls `visit` with a command and all below it, the command itself first.
template <class Visit>
void for_each_command(const CommandText& command, const Visit& visit) {
  visit(command);
  for (const CommandText& inner : command.commands) for_each_command(inner, visit);
}

/// Words with spaces, or what else, between them.
std::string joined(const std::vector<std::string>& words, const char* between = " ");

/// A text with `to` in place of each `from`.
std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace tactus::app
