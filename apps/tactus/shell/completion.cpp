#include "apps/tactus/shell/completion.hpp"

#include <fmt/format.h>

namespace tactus::app {
namespace {

// A command's place in the scripts: its words but the program's, each after a space.
std::string place_of(const CommandText& command) {
  std::string place;
  for (std::size_t i = 1; i < command.words.size(); ++i) place += " " + command.words[i];
  return place;
}

/// Places of all commands but the program itself, each in quotes.
std::string all_places(const CommandText& program, const char* between) {
  std::vector<std::string> places;
  for_each_command(program, [&](const CommandText& command) {
    if (&command != &program) places.push_back("'" + place_of(command) + "'");
  });
  return joined(places, between);
}

std::vector<std::string> names_of_commands(const CommandText& command) {
  std::vector<std::string> names;
  names.reserve(command.commands.size());
  for (const CommandText& inner : command.commands) names.push_back(inner.words.back());
  return names;
}

/// Is the value completed as a file?
bool is_file(const OptionText& option) {
  return option.choices.empty() && option.value != "FLOAT" && option.value != "INT" &&
         option.value != "UINT";
}

/// A text between single quotes, as bash and zsh read it.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

/// Choices of the arguments, where they have some: they are completed like names of commands.
std::vector<std::string> words_of(const CommandText& command) {
  std::vector<std::string> words = names_of_commands(command);
  for (const OptionText& argument : command.arguments)
    words.insert(words.end(), argument.choices.begin(), argument.choices.end());
  return words;
}

/// Are arguments files?
bool takes_files(const CommandText& command) {
  for (const OptionText& argument : command.arguments)
    if (is_file(argument)) return true;
  return false;
}

// ---- bash

constexpr const char* kBash = R"(# Completion of {0} for bash, made by: {0} completion bash
_{0}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} place= words= options= files= i
  COMPREPLY=()
  # --name=value are three words here.
  if [[ $current == '=' ]]; then
    current=
  elif [[ $previous == '=' ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$place ${{COMP_WORDS[i]}}" in
      {1}) place+=" ${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$place $previous" in
{2}  esac
  case $place in
{3}  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ -z $files ]] || _{0}_files "$current"
}}
_{0}_files() {{
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$1")
}}
complete -F _{0} {0}
)";

std::string bash_script(const CommandText& program) {
  std::string values, places;
  for_each_command(program, [&](const CommandText& command) {
    std::vector<std::string> options;
    for (const OptionText& option : command.options) {
      options.insert(options.end(), option.names.begin(), option.names.end());
      if (option.value.empty()) continue;
      std::vector<std::string> cases;
      cases.reserve(option.names.size());
      for (const std::string& name : option.names)
        cases.push_back(quoted(place_of(command) + " " + name));
      std::string action;
      if (!option.choices.empty()) {
        action = fmt::format("COMPREPLY=($(compgen -W {} -- \"$current\")); ",
                             quoted(joined(option.choices)));
      } else if (is_file(option)) {
        action = fmt::format("_{}_files \"$current\"; ", program.words[0]);
      }
      values += fmt::format("    {}) {}return ;;\n", joined(cases, " | "), action);
    }
    places += fmt::format("    {}) words={} options={} files={} ;;\n", quoted(place_of(command)),
                          quoted(joined(words_of(command))), quoted(joined(options)),
                          takes_files(command) ? "yes" : "");
  });
  return fmt::format(kBash, program.words[0], all_places(program, " | "), values, places);
}

// ---- zsh

constexpr const char* kZsh = R"(#compdef {0}
# Completion of {0} for zsh, made by: {0} completion zsh
_{0}() {{
  local place= i last=1
  local -a commands
  for ((i = 2; i < CURRENT; ++i)); do
    case "$place ${{words[i]}}" in
      ({1}) place+=" ${{words[i]}}"; last=$i ;;
    esac
  done
  # Options are those of the last command alone.
  words=("${{(@)words[last,-1]}}")
  ((CURRENT -= last - 1))
  case $place in
{2}  esac
}}
if [[ $funcstack[1] == _{0} ]]; then _{0} "$@"; else compdef _{0} {0}; fi
)";

std::string zsh_text(std::string text) {
  for (const char* special : {"\\", "[", "]", ":"})
    text = replaced(std::move(text), special, std::string("\\") + special);
  return text;
}

std::string zsh_option(const OptionText& option) {
  std::string action;
  if (!option.value.empty()) {
    action = ":" + zsh_text(option.value) + ":";
    if (!option.choices.empty()) action += "(" + joined(option.choices) + ")";
    if (is_file(option)) action += "_files";
  }
  std::string text;
  for (const std::string& name : option.names) {
    const std::string others = option.repeated ? "*" : "(" + joined(option.names) + ")";
    const char* value = option.value.empty() ? "" : name.rfind("--", 0) == 0 ? "=" : "+";
    text += " \\\n        " + quoted(fmt::format("{}{}{}[{}]{}", others, name, value,
                                                 zsh_text(option.description), action));
  }
  return text;
}

std::string zsh_script(const CommandText& program) {
  std::string places;
  for_each_command(program, [&](const CommandText& command) {
    places += fmt::format("    ({})\n", quoted(place_of(command)));
    std::string words;
    for (const CommandText& inner : command.commands)
      words += " " + quoted(inner.words.back() + ":" + inner.description);
    for (const OptionText& argument : command.arguments)
      for (const std::string& choice : argument.choices) words += " " + quoted(choice);
    if (!words.empty()) {
      places += fmt::format(
          "      if [[ ${{words[CURRENT]}} != -* ]]; then commands=({}); _describe command "
          "commands; fi\n",
          words.substr(1));
    }
    places += "      _arguments -S";
    for (const OptionText& option : command.options) places += zsh_option(option);
    places += std::string(" \\\n        '*:") + (takes_files(command) ? "file:_files'" : " :'");
    places += "\n      ;;\n";
  });
  return fmt::format(kZsh, program.words[0], all_places(program, " | "), places);
}

// ---- fish

constexpr const char* kFish = R"(# Completion of {0} for fish, made by: {0} completion fish
function __{0}_at
    set -l place ''
    set -l words (commandline -opc)
    for word in $words[2..-1]
        switch "$place $word"
            case {1}
                set place "$place $word"
        end
    end
    test "$place" = "$argv[1]"
end
complete -c {0} -f
{2})";

std::string fish_text(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_option(const OptionText& option) {
  std::string text;
  for (const std::string& name : option.names)
    text += name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.choices.empty()) {
    text += " -x -a " + fish_text(joined(option.choices));
  } else if (!option.value.empty()) {
    text += is_file(option) ? " -r -F" : " -x";
  }
  return text + " -d " + fish_text(option.description);
}

std::string fish_script(const CommandText& program) {
  std::string lines;
  for_each_command(program, [&](const CommandText& command) {
    const std::string here = fmt::format("complete -c {} -n \"__{}_at '{}'\"", program.words[0],
                                         program.words[0], place_of(command));
    for (const CommandText& inner : command.commands)
      lines += here + " -a " + inner.words.back() + " -d " + fish_text(inner.description) + "\n";
    for (const OptionText& argument : command.arguments) {
      if (!argument.choices.empty())
        lines += here + " -a " + fish_text(joined(argument.choices)) + "\n";
    }
    if (takes_files(command)) lines += here + " -F\n";
    for (const OptionText& option : command.options) lines += here + fish_option(option) + "\n";
  });
  return fmt::format(kFish, program.words[0], all_places(program, " "), lines);
}

}  // namespace

std::string completion_script(const CommandText& program, ShellKind shell) {
  if (shell == ShellKind::zsh) return zsh_script(program);
  return shell == ShellKind::fish ? fish_script(program) : bash_script(program);
}

}  // namespace tactus::app
