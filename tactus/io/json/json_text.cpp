#include "tactus/io/json/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/io/file/nesting.hpp"

namespace tactus::io {
namespace {

using nlohmann::json;

/// Follows the parser and refuses what a tree of values would hide: the same name twice.
class Guard {
 public:
  bool operator()(int depth, json::parse_event_t event, json& parsed) {
    switch (event) {
      case json::parse_event_t::object_start:
        open(depth);
        names_.emplace_back();
        break;
      case json::parse_event_t::object_end:
        names_.pop_back();
        break;
      case json::parse_event_t::array_start:
        open(depth);
        break;
      case json::parse_event_t::key:
        add(parsed.get_ref<const std::string&>());
        break;
      default:
        break;
    }
    return true;
  }

 private:
  static void open(int depth) {
    if (depth > kDeepestJson) throw InvalidInput("", kTooDeep);
  }

  // Objects have few fields: a linear search beats a set.
  void add(const std::string& name) {
    std::vector<std::string>& names = names_.back();
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw InvalidInput(name, "is given twice");
    }
    names.push_back(name);
  }

  std::vector<std::vector<std::string>> names_;
};

/// Bytes that are no UTF-8 become U+FFFD.
std::string as_utf8(const std::string& text) {
  const std::string quoted = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  return json::parse(quoted).get<std::string>();
}

/// The library's message without its own numbering: "[json.exception.parse_error.101] parse error
/// at ...".
std::string plain_reason(const json::exception& error) {
  const std::string text = error.what();
  const std::size_t end = text.find("] ");
  // It quotes what was read.
  return as_utf8(end == std::string::npos ? text : text.substr(end + 2));
}

template <class Json>
std::string dump(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

json parse_json(std::string_view text) {
  try {
    return json::parse(
        text.begin(), text.end(),
        [guard = Guard()](int depth, json::parse_event_t event, json& parsed) mutable {
          return guard(depth, event, parsed);
        },
        /*allow_exceptions=*/true, /*ignore_comments=*/true);
  } catch (const json::exception& error) {
    throw InvalidInput("", plain_reason(error));
  }
}

std::string json_dump(const json& value, int indent) { return dump(value, indent); }

std::string json_dump(const nlohmann::ordered_json& value, int indent) {
  return dump(value, indent);
}

std::string json_for_script(const json& value) {
  std::string text;
  for (const char c : json_dump(value)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace tactus::io
