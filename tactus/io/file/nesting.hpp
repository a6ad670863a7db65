#pragma once

#include <string_view>

namespace tactus::io {

/// Levels that the readers of JSON allow: they recurse, and the bound keeps them off the stack's
/// end.
constexpr int kDeepestJson = 100;
/// The reason that is given beyond them.
constexpr const char* kTooDeep = "nested deeper than 100 levels";

/// Do brackets and braces of a JSON text, outside of its strings, nest deeper than `kDeepestJson`?
/// Of a broken text the part before the fault is judged rightly. Cost: linear, no recursion.
bool json_is_too_deep(std::string_view text);

/// Would a reader that recurses run out of stack on a file of any format? True of JSON, also inside
/// a binary glTF, that is deeper than `kDeepestJson`, of XML and of other text with brackets that
/// are deeper than 1000.
bool is_too_deep(std::string_view content);

}  // namespace tactus::io
