#include "apps/tactus/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tactus::app {
namespace {

// A state of the whole program, which runs one command.
bool quiet = false;

}  // namespace

void add_quiet(CLI::App& app) {
  app.add_flag_callback(
      "-q,--quiet", [] { quiet = true; },
      "Do not tell on standard error how far the run is and which files were written");
}

bool is_quiet() { return quiet; }

Report::Report(std::initializer_list<std::string_view> files)
    : stream_(std::find(files.begin(), files.end(), "-") != files.end() ? stderr : stdout) {}

void Report::print(std::string_view text) const { fmt::print(stream_, "{}", text); }

void wrote(const std::string& file) {
  if (file != "-" && !is_quiet()) fmt::print(stderr, "wrote {}\n", file);
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

bool is_printed() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  std::fprintf(stderr, "tactus: standard output: cannot be written: %s\n",
               std::strerror(errno != 0 ? errno : EIO));
  return false;
}

}  // namespace tactus::app
