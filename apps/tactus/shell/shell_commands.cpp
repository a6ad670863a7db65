#include "apps/tactus/shell/shell_commands.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "apps/tactus/output.hpp"
#include "apps/tactus/shell/command_tree.hpp"
#include "apps/tactus/shell/completion.hpp"
#include "apps/tactus/shell/manual.hpp"
#include "tactus/io/file/atomic_file.hpp"

namespace tactus::app {
namespace {

struct HelpCommand {
  std::vector<std::string> words;  ///< of the command that is asked about
  std::string pages;               ///< folder for the manual pages
};

void write_pages(const CLI::App& app, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const CommandText program = command_tree(app);
  for_each_command(program, [&](const CommandText& command) {
    io::write_atomically(folder / (manual_name(command) + ".1"),
                         manual_page(command, &command == &program));
  });
}

int run_help(CLI::App& app, const HelpCommand& command) {
  if (!command.pages.empty()) {
    write_pages(app, command.pages);
    wrote(command.pages);
    return 0;
  }
  const CLI::App* asked = &app;
  std::string path = app.get_name();
  for (const std::string& word : command.words) {
    const auto found =
        asked->get_subcommands([&](const CLI::App* inner) { return inner->get_name() == word; });
    if (found.empty()) {
      fmt::print(stderr, "{}\n", unknown_name(*asked, path, word, false));
      return kCannotRun;
    }
    asked = found.front();
    path += " " + word;
  }
  // The help of a command that was parsed would be that of its parsed subcommand.
  app.clear();
  const std::size_t last = path.rfind(' ');
  fmt::print("{}", asked->help(last == path.npos ? "" : path.substr(0, last)));
  return 0;
}

}  // namespace

void add_shell_commands(CLI::App& app, std::vector<Entry>& commands) {
  const auto help = std::make_shared<HelpCommand>();
  CLI::App* const helper = app.add_subcommand("help", "Print the help of a command");
  std::vector<std::string> names;
  for (const CLI::App* inner : app.get_subcommands({})) names.push_back(inner->get_name());
  helper->add_option("COMMAND", help->words, "Command, and one of its own commands")
      ->type_name("TEXT:{" + joined(names, ",") + "}");
  helper->add_option("--pages", help->pages,
                     "Write the manual pages of all commands into this folder");
  add_quiet(*helper);
  commands.push_back({helper, [help, &app] { return run_help(app, *help); }});

  const auto shell = std::make_shared<std::string>();
  CLI::App* const completion =
      app.add_subcommand("completion", "Print what completes the commands in a shell");
  completion->add_option("SHELL", *shell, "Which shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  commands.push_back({completion, [shell, &app] {
                        ShellKind kind = *shell == "zsh" ? ShellKind::zsh : ShellKind::bash;
                        if (*shell == "fish") kind = ShellKind::fish;
                        fmt::print("{}", completion_script(command_tree(app), kind));
                        return 0;
                      }});
}

}  // namespace tactus::app
