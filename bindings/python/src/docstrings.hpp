#pragma once

#include <string_view>

namespace tactus::python {

/// The docstring of a name of the public headers; null where it has none.
const char* find_doc(std::string_view name);
/// There must be one.
const char* doc(std::string_view name);

}  // namespace tactus::python
