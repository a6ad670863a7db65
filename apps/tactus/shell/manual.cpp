#include "apps/tactus/shell/manual.hpp"

#include <fmt/format.h>

#include <cctype>

#include "tactus/version.hpp"

namespace tactus::app {
namespace {

/// A text as roff reads it: nothing in it is a request or an escape.
std::string roff(const std::string& text) {
  std::string out = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  if (!out.empty() && (out[0] == '.' || out[0] == '\'')) out.insert(0, "\\&");
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

/// A sentence: with a full stop at its end.
std::string sentence(const std::string& text) {
  return roff(text) + (text.empty() || text.back() == '.' ? "\n" : ".\n");
}

std::string description_of(const OptionText& option) {
  std::string text = sentence(option.description);
  if (!option.choices.empty()) text += "Values: " + roff(joined(option.choices, ", ")) + ".\n";
  if (!option.standard.empty()) text += "Default: " + roff(option.standard) + ".\n";
  if (!option.needs.empty()) text += "Needs " + roff(joined(option.needs, ", ")) + ".\n";
  if (!option.excludes.empty()) text += "Not with " + roff(joined(option.excludes, ", ")) + ".\n";
  return text;
}

std::string options_of(const std::vector<OptionText>& options, const char* title) {
  if (options.empty()) return {};
  std::string text = fmt::format(".SH {}\n", title);
  for (const OptionText& option : options) {
    std::vector<std::string> names;
    names.reserve(option.names.size());
    for (const std::string& name : option.names) names.push_back(bold(name));
    text += ".TP\n" + joined(names, ", ");
    const bool is_argument = option.names[0][0] != '-';
    if (!option.value.empty() && !is_argument) text += " " + italic(option.value);
    if (option.repeated) text += " ...";
    text += "\n" + description_of(option);
  }
  return text;
}

std::string synopsis(const CommandText& command) {
  std::string text = bold(joined(command.words)) + " [" + italic("OPTIONS") + "]";
  for (const OptionText& argument : command.arguments) {
    std::string name = italic(argument.names[0]) + (argument.repeated ? " ..." : "");
    text += argument.required ? " " + name : " [" + name + "]";
  }
  if (!command.commands.empty())
    text += command.arguments.empty()
                ? " " + italic("COMMAND") + " ..."
                : "\n.br\n" + bold(joined(command.words)) + " " + italic("COMMAND") + " ...";
  return text + "\n";
}

// Text of the program's page: what all commands have in common.
constexpr const char* kProgram =
    R"(Tactus tells how two things touch, and proves the answer. Each command has a page of its own,
.BR tactus\-query (1)
for instance, which
.B tactus help query
prints in short. Where a file is read,
.B \-
is standard input; a mesh there is known by its content. Commands that read one JSON value a line answer what was written before
they wait for more, so that each can be a co\-process; a line of any bytes is refused by its number and ends no run.
Files are written under another name and renamed when they are complete. While one run writes into a folder, a second one is refused.
)";

constexpr const char* kExample = R"(.SH EXAMPLE
.nf
echo '{"a":{"type":"sphere","radius":1}, "b":{"type":"box","size":[1,1,1]},
       "pose_b":{"position":[3,0,0],"quaternion":[1,0,0,0]}, "ask":"distance"}' |
  tr \-d '\en' | tactus query \-
.fi
)";

constexpr const char* kStatus = R"(.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
Done, but some lines or checks failed.
.TP
.B 2
Could not run: a file, an option or a scene is wrong. The message names it and the reason.
)";

}  // namespace

std::string manual_name(const CommandText& command) { return joined(command.words, "-"); }

std::string manual_page(const CommandText& command, bool is_program) {
  std::string title = manual_name(command), brief = command.description;
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  brief[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(brief[0])));
  std::string text =
      fmt::format(".TH {} 1 \"\" \"Tactus {}\" \"User Commands\"\n", roff(title), TACTUS_VERSION);
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(manual_name(command)), roff(brief));
  text += ".SH SYNOPSIS\n" + synopsis(command);
  text +=
      ".SH DESCRIPTION\n" + (is_program ? std::string(kProgram) : sentence(command.description));
  text += options_of(command.arguments, "ARGUMENTS");
  if (!command.commands.empty()) text += ".SH COMMANDS\n";
  std::string others = is_program ? "" : ".BR tactus (1)";
  for (const CommandText& inner : command.commands) {
    text += ".TP\n" + bold(inner.words.back()) + "\n" + sentence(inner.description);
    others += fmt::format("{}.BR {} (1)", others.empty() ? "" : ",\n", roff(manual_name(inner)));
  }
  text += options_of(command.options, "OPTIONS") + kStatus;
  if (is_program) text += kExample;
  return text + ".SH SEE ALSO\n" + others + "\n";
}

}  // namespace tactus::app
