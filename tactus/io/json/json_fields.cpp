#include "tactus/io/json/json_fields.hpp"

#include <cmath>
#include <utility>

namespace tactus::io {

using nlohmann::json;

namespace {

// Shorter names are not suggested: too many words are one letter away from them.
constexpr std::size_t kShortestName = 4;

std::string lower_case(std::string name) {
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name;
}

/// Is one the other with a letter more, less or changed, or with two neighbours swapped?
bool one_letter_apart(const std::string& a, const std::string& b) {
  const std::string& longer = a.size() >= b.size() ? a : b;
  const std::string& shorter = a.size() >= b.size() ? b : a;
  std::size_t i = 0;
  while (i < shorter.size() && longer[i] == shorter[i]) ++i;
  if (longer.size() == shorter.size() + 1)
    return longer.compare(i + 1, std::string::npos, shorter, i) == 0;
  if (longer.size() != shorter.size() || i == longer.size()) return longer == shorter;
  if (longer.compare(i + 1, std::string::npos, shorter, i + 1) == 0) return true;
  return i + 1 < longer.size() && longer[i] == shorter[i + 1] && longer[i + 1] == shorter[i] &&
         longer.compare(i + 2, std::string::npos, shorter, i + 2) == 0;
}

/// The one of `known` that was meant by `name`, or nullptr.
const std::string* meant_by(const std::string& name, const std::set<std::string>& known) {
  const std::string given = lower_case(name);
  if (const auto same = known.find(given); same != known.end()) return &*same;
  for (const std::string& other : known) {
    if (other.size() >= kShortestName && one_letter_apart(given, other)) return &other;
  }
  return nullptr;
}

}  // namespace

JsonFields::JsonFields(const json& object, std::string path)
    : object_(object), path_(std::move(path)) {
  if (!object_.is_object()) {
    throw InvalidInput(path_, std::string("must be an object, not ") + object_.type_name());
  }
}

std::string JsonFields::path_of(const std::string& name) const {
  return path_.empty() ? name : path_ + "." + name;
}

std::string JsonFields::path_of(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

const json* JsonFields::find(const std::string& name) {
  known_.insert(name);
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

const json& JsonFields::require(const std::string& name) {
  const json* value = find(name);
  if (value == nullptr) throw InvalidInput(path_of(name), "is missing");
  return *value;
}

double JsonFields::to_number(const json& value, const std::string& path) {
  if (!value.is_number()) {
    throw InvalidInput(path, std::string("must be a number, not ") + value.type_name());
  }
  const double number = value.get<double>();
  if (!std::isfinite(number)) throw InvalidInput(path, "must be finite");
  return number;
}

Vec3 JsonFields::to_vector(const json& value, const std::string& path) {
  if (!value.is_array() || value.size() != 3) {
    throw InvalidInput(path, "must be an array of three numbers");
  }
  return {to_number(value[0], path_of(path, 0)), to_number(value[1], path_of(path, 1)),
          to_number(value[2], path_of(path, 2))};
}

double JsonFields::number(const std::string& name) {
  return to_number(require(name), path_of(name));
}

double JsonFields::number(const std::string& name, double fallback) {
  const json* value = find(name);
  return value == nullptr ? fallback : to_number(*value, path_of(name));
}

std::int64_t JsonFields::integer(const std::string& name, std::int64_t low, std::int64_t high) {
  const json& value = require(name);
  // The range test is made on the double: an unsigned value beyond int64 must not wrap.
  const bool whole = value.is_number_integer() && value.get<double>() >= static_cast<double>(low) &&
                     value.get<double>() <= static_cast<double>(high);
  if (!whole) {
    throw InvalidInput(path_of(name), "must be a whole number from " + std::to_string(low) +
                                          " to " + std::to_string(high));
  }
  return value.get<std::int64_t>();
}

std::int64_t JsonFields::integer(const std::string& name, std::int64_t low, std::int64_t high,
                                 std::int64_t fallback) {
  return find(name) == nullptr ? fallback : integer(name, low, high);
}

bool JsonFields::boolean(const std::string& name, bool fallback) {
  const json* value = find(name);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) throw InvalidInput(path_of(name), "must be true or false");
  return value->get<bool>();
}

std::string JsonFields::text(const std::string& name) {
  const json& value = require(name);
  if (!value.is_string()) throw InvalidInput(path_of(name), "must be a string");
  return value.get<std::string>();
}

std::string JsonFields::text(const std::string& name, const std::string& fallback) {
  return find(name) == nullptr ? fallback : text(name);
}

Vec3 JsonFields::vector(const std::string& name) { return to_vector(require(name), path_of(name)); }

Vec3 JsonFields::vector(const std::string& name, const Vec3& fallback) {
  const json* value = find(name);
  return value == nullptr ? fallback : to_vector(*value, path_of(name));
}

const json& JsonFields::array(const std::string& name) {
  static const json kEmpty = json::array();
  const json* value = find(name);
  if (value == nullptr) return kEmpty;
  if (!value->is_array()) throw InvalidInput(path_of(name), "must be an array");
  return *value;
}

void JsonFields::finish() const {
  for (const auto& [name, value] : object_.items()) {
    if (!known_.contains(name)) throw InvalidInput(path_of(name), "unknown field");
  }
}

void JsonFields::refuse_misspelt() const {
  for (const auto& [name, value] : object_.items()) {
    if (known_.contains(name)) continue;
    if (const std::string* meant = meant_by(name, known_))
      throw InvalidInput(path_of(name), "unknown field: did you mean " + *meant + "?");
  }
}

}  // namespace tactus::io
