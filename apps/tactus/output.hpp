#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tactus::app {

/// Where a command tells what it has found: standard output, unless one of the files that it writes
/// is `-` and goes there; then standard error.
class Report {
 public:
  Report(std::initializer_list<std::string_view> files);
  void print(std::string_view text) const;

 private:
  std::FILE* stream_;
};

/// Adds `-q,--quiet`: nothing on standard error tells how far a run is, or that a file was written.
void add_quiet(CLI::App& app);
bool is_quiet();

/// Tells on standard error that a file was written; nothing of `-`.
void wrote(const std::string& file);

/// A word of a command line as a shell reads it, in quotes where it needs them.
std::string shell_word(const std::string& word);

/// Flushes standard output; false, with the reason on standard error, where something printed did
/// not reach it. A full disk shows here at the latest.
bool is_printed();

}  // namespace tactus::app
