#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tactus::io {

/// Parses JSON text; `//` and `/* */` comments are allowed.
/// Throws InvalidInput with the place of the fault: broken syntax, bytes that are no UTF-8, a
/// number that overflows a double, a field given twice in one object, nesting deeper than 100
/// levels; its message is UTF-8 whatever the text is. Cost: linear.
nlohmann::json parse_json(std::string_view text);

/// The text of a value; `indent` as of nlohmann::json::dump. Bytes that are no UTF-8 (in names of
/// files, which the system does not restrict) become U+FFFD: to write never fails. Everything that
/// is written as JSON goes through here.
std::string json_dump(const nlohmann::json& value, int indent = -1);
std::string json_dump(const nlohmann::ordered_json& value, int indent = -1);

/// JSON that may stand inside a script element of HTML: without `<`, so that no text ends the
/// element.
std::string json_for_script(const nlohmann::json& value);

}  // namespace tactus::io
