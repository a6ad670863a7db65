#include "tactus/io/scene/overrides.hpp"

#include <charconv>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/io/file/nesting.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

// Two names of one quantity: the one that is set replaces the other.
constexpr std::pair<std::string_view, std::string_view> kAlternatives[] = {
    {"time_step", "step_rate"}, {"step_rate", "time_step"}};

[[noreturn]] void refuse(const std::string& assignment, const std::string& reason) {
  throw InvalidInput("--set " + assignment, reason);
}

// Where a step of a path leads: to a member by name, or to an entry.
struct PathStep {
  std::string name;
  std::size_t index = 0;
  bool is_entry = false;
};

std::vector<PathStep> steps_of(std::string_view path, const std::string& assignment) {
  constexpr const char* kForm = "must look like world.step_rate=100 or bodies[3].mass=2";
  std::vector<PathStep> steps;
  while (!path.empty()) {
    if (path.front() == '[') {
      const std::size_t close = path.find(']');
      PathStep step{"", 0, true};
      const char* const first = path.data() + 1;
      const char* const last = path.data() + (close == path.npos ? 1 : close);
      const auto [end, error] = std::from_chars(first, last, step.index);
      if (error != std::errc() || end != last) refuse(assignment, kForm);
      steps.push_back(step);
      path.remove_prefix(close + 1);
    } else {
      if (!steps.empty()) {
        if (path.front() != '.') refuse(assignment, kForm);
        path.remove_prefix(1);
      }
      const std::string_view name = path.substr(0, path.find_first_of(".["));
      if (name.empty()) refuse(assignment, kForm);
      steps.push_back({std::string(name), 0, false});
      path.remove_prefix(name.size());
    }
  }
  if (steps.empty() || steps.front().is_entry) refuse(assignment, kForm);
  return steps;
}

json& follow(json& value, const PathStep& step, const std::string& assignment) {
  if (step.is_entry) {
    if (!value.is_array()) refuse(assignment, "leads to an entry of what is no list");
    if (step.index >= value.size()) {
      refuse(assignment, "the list has " + std::to_string(value.size()) + " entries, from 0 on");
    }
    return value[step.index];
  }
  if (value.is_null()) value = json::object();
  if (!value.is_object()) refuse(assignment, "leads to '" + step.name + "' of what is no object");
  return value[step.name];
}

}  // namespace

void set_value(json& document, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string text = equals == assignment.npos ? "" : assignment.substr(equals + 1);
  if (text.empty()) refuse(assignment, "needs a value after =");
  const std::vector<PathStep> steps =
      steps_of(std::string_view(assignment).substr(0, equals), assignment);
  json* value = &document;
  for (const PathStep& step : steps) {
    if (!step.is_entry && value->is_object()) {
      for (const auto& [name, other] : kAlternatives) {
        if (step.name == name) value->erase(std::string(other));
      }
    }
    value = &follow(*value, step, assignment);
  }
  if (json_is_too_deep(text)) refuse(assignment, kTooDeep);
  json read = json::parse(text, nullptr, false);
  *value = read.is_discarded() ? json(text) : std::move(read);
}

}  // namespace tactus::io
