#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tactus/io/json/query_line.hpp"

namespace tactus::detail::fuzz {

/// The query as one line of a query file. Bodies made by `as_function` are written as the shapes
/// behind them and named in the field `custom`, which `tactus query` ignores.
std::string line_of(const io::Query& query, std::string_view id);

/// The query in a line of a query file, such as `line_of` writes; nothing when there is none.
std::optional<io::Query> query_of(std::string_view line);

}  // namespace tactus::detail::fuzz
