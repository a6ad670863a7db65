#pragma once

#include <string>
#include <string_view>

#include "tactus/io.hpp"

namespace tactus::io {

/// As `read_image`, from a file's content; `name` stands in messages.
Image parse_image(std::string_view content, const std::string& name,
                  ImageChannel channel = ImageChannel::automatic);

}  // namespace tactus::io
