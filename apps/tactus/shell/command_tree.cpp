#include "apps/tactus/shell/command_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace tactus::app {
namespace {

/// The values between the braces of `TEXT:{a,b}`.
std::vector<std::string> choices_of(const std::string& type) {
  const std::size_t open = type.find('{'), close = type.rfind('}');
  if (open == type.npos || close == type.npos || close < open) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

/// The longest names of options, sorted: the set is in the order of addresses.
std::vector<std::string> names_of_all(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  names.reserve(options.size());
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  std::sort(names.begin(), names.end());
  return names;
}

OptionText option_text(const CLI::Option& option) {
  OptionText text;
  if (option.get_positional()) text.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  if (option.get_type_size() != 0) {
    const std::string type = option.get_type_name();
    text.value = type.substr(0, type.find(':'));
    text.choices = choices_of(type);
    text.standard = option.get_default_str();
  }
  text.description = option.get_description();
  text.needs = names_of_all(option.get_needs());
  text.excludes = names_of_all(option.get_excludes());
  text.required = option.get_required();
  text.repeated = option.get_expected_max() > 1;
  return text;
}

CommandText command_text(const CLI::App& app, std::vector<std::string> words,
                         const std::string& footer) {
  CommandText text;
  text.words = std::move(words);
  text.description = app.get_description();
  text.footer = footer;
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? text.arguments : text.options).push_back(option_text(*option));
  for (const CLI::App* inner : app.get_subcommands({})) {
    std::vector<std::string> longer = text.words;
    longer.push_back(inner->get_name());
    text.commands.push_back(command_text(*inner, std::move(longer), footer));
  }
  return text;
}

}  // namespace

CommandText command_tree(const CLI::App& app) {
  return command_text(app, {app.get_name()}, app.get_footer());
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace tactus::app
