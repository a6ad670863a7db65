#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/io/json/known_names.hpp"
#include "tactus/math.hpp"

namespace tactus::io {

/// Reads one JSON object field by field. Every error is an InvalidInput with the full path of the
/// field (`bodies[3].pose.position`), and `finish()` refuses fields that nobody asked for.
class JsonFields {
 public:
  /// JSON numbers hold whole numbers exactly up to here.
  static constexpr std::int64_t kMostWhole = std::int64_t{1} << 53;

  /// `object` must outlive the reader. Throws InvalidInput (`path`) unless it is an object.
  JsonFields(const nlohmann::json& object, std::string path);

  const nlohmann::json& object() const { return object_; }
  const std::string& path() const { return path_; }
  std::string path_of(const std::string& name) const;
  static std::string path_of(const std::string& path, std::size_t index);

  /// The field's value, or nullptr when it is missing. Marks the field as known.
  const nlohmann::json* find(const std::string& name);
  /// The field's value. Throws InvalidInput when it is missing.
  const nlohmann::json& require(const std::string& name);

  double number(const std::string& name);
  double number(const std::string& name, double fallback);
  /// A whole number in [low, high].
  std::int64_t integer(const std::string& name, std::int64_t low, std::int64_t high);
  std::int64_t integer(const std::string& name, std::int64_t low, std::int64_t high,
                       std::int64_t fallback);
  bool boolean(const std::string& name, bool fallback);
  std::string text(const std::string& name);
  std::string text(const std::string& name, const std::string& fallback);
  /// The value of an enumeration that the field's text names.
  template <class E>
  E choice(const char* name, E fallback) {
    return choice_of<E>(text(name, std::string(to_string(fallback))), path_of(name));
  }
  Vec3 vector(const std::string& name);
  Vec3 vector(const std::string& name, const Vec3& fallback);
  /// An array, or the empty one when the field is missing.
  const nlohmann::json& array(const std::string& name);

  /// Throws InvalidInput naming the first field that was never asked for.
  void finish() const;
  /// For objects that may hold more than is read: throws InvalidInput naming the first field that
  /// was never asked for and whose name is, but for capitals or one letter, that of one that was.
  void refuse_misspelt() const;

  /// A finite number, and three of them; `path` names the value in messages.
  static double to_number(const nlohmann::json& value, const std::string& path);
  static Vec3 to_vector(const nlohmann::json& value, const std::string& path);

 private:
  const nlohmann::json& object_;
  std::string path_;
  std::set<std::string> known_;
};

}  // namespace tactus::io
