#pragma once

#include <string>
#include <string_view>

#include "tactus/io.hpp"

namespace tactus::io {

/// The table of a text; `name` stands for the file in errors. See `read_configurations`.
ConfigurationTable parse_configurations(std::string_view text, const std::string& name,
                                        const Robot& robot);

}  // namespace tactus::io
