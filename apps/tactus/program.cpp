#include "apps/tactus/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

#include "apps/tactus/output.hpp"
#include "apps/tactus/shell/nearest_word.hpp"
#include "tactus/classic.hpp"
#include "tactus/distributed.hpp"
#include "tactus/version.hpp"

namespace tactus::app {
namespace {

/// The options of a command, or the subcommands.
std::vector<std::string> known_words(const CLI::App& command, bool options) {
  std::vector<std::string> names;
  if (options) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  } else {
    for (const CLI::App* inner : command.get_subcommands({})) names.push_back(inner->get_name());
  }
  return names;
}

/// Has the command arguments without a name, beside its subcommands?
bool takes_words(const CLI::App& command) {
  const auto options = command.get_options();
  return std::any_of(options.begin(), options.end(),
                     [](const CLI::Option* option) { return option->get_positional(); });
}

/// Complains about the first word that stands for a subcommand or an option and is none.
std::string unknown_word(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = &app;
  std::string path = "tactus";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool is_leaf = command->get_subcommands({}).empty();
    // A dash alone is a file: standard input.
    const bool is_option = word.size() > 1 && word.starts_with("-");
    if (word == "--") return {};
    const bool is_known =
        is_option && command->get_option_no_throw(word.substr(0, word.find('='))) != nullptr;
    if (is_leaf && (is_known || !word.starts_with("--"))) continue;
    if (is_known) return {};
    const auto found =
        command->get_subcommands([&](const CLI::App* c) { return c->get_name() == word; });
    if (found.empty() && !is_option && takes_words(*command)) return {};
    if (found.empty()) {
      return unknown_name(*command, path, is_option ? word.substr(0, word.find('=')) : word,
                          is_option);
    }
    command = found.front();
    path += " " + word;
  }
  return {};
}

/// The command that the arguments lead to: "tactus robot path".
std::string parsed_command(const CLI::App& app) {
  std::string path = app.get_name();
  for (auto inner = app.get_subcommands(); !inner.empty();
       inner = inner.front()->get_subcommands()) {
    path += " " + inner.front()->get_name();
  }
  return path;
}

int parse_and_run(const char* description, int argc, char** argv,
                  const std::function<std::vector<Entry>(CLI::App&)>& add) {
  CLI::App app(description, "tactus");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("tactus ") + TACTUS_VERSION);
  app.footer("Exit codes: 0 done; 1 done, but some lines or checks failed; 2 could not run.");
  const std::vector<Entry> commands = add(app);

  if (argc <= 1) {
    std::fputs(app.help().c_str(), stderr);
    return kCannotRun;
  }
  if (const std::string unknown = unknown_word(app, argc, argv); !unknown.empty()) {
    std::fprintf(stderr, "%s\n", unknown.c_str());
    return kCannotRun;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::fprintf(stderr, "%s: %s\nRun with --help for more information.\n",
                 parsed_command(app).c_str(), error.what());
    return kCannotRun;
  }
  for (const Entry& command : commands) {
    if (!command.app->parsed()) continue;
    if (!command.on_ranks && distributed::launched_together() > 1) {
      std::fprintf(stderr, "tactus %s: does not run on ranks: start it without mpirun\n",
                   command.app->get_name().c_str());
      return kCannotRun;
    }
    return command.run();
  }
  return kCannotRun;
}

}  // namespace

std::string unknown_name(const CLI::App& command, const std::string& path, const std::string& word,
                         bool is_option) {
  const std::vector<std::string> known = known_words(command, is_option);
  const std::string meant = nearest_word(word, known);
  return fmt::format(
      "{}: no {} is called {}{}; known are {}", path, is_option ? "option" : "subcommand", word,
      meant.empty() ? "" : fmt::format(" (did you mean {}?)", meant), fmt::join(known, ", "));
}

int run_program(const char* description, int argc, char** argv,
                const std::function<std::vector<Entry>(CLI::App&)>& add) {
  try {
    enable_classic_methods();
    const int code = parse_and_run(description, argc, argv, add);
    return code == kCannotRun || is_printed() ? code : kCannotRun;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tactus: %s\n", error.what());
    return kCannotRun;
  }
}

}  // namespace tactus::app
