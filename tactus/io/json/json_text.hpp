#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tactus::io {

/// Parses JSON text; `//` and `/* */` comments are allowed.
/// Throws InvalidInput with the place of the fault: broken syntax, a number that overflows a
/// double, a field given twice in one object, nesting deeper than 100 levels. Cost: linear.
nlohmann::json parse_json(std::string_view text);

/// JSON that may stand inside a script element of HTML: without `<`, so that no text ends the
/// element.
std::string json_for_script(const nlohmann::json& value);

}  // namespace tactus::io
