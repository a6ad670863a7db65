#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tactus/shape.hpp"

namespace tactus::io {

/// Reads a shape of type `heightfield`: `heights` as rows of numbers, the first one at the lowest
/// y, or an image `file`, rows from the top, with `height` [black, white]; `spacing` (a number or
/// two), `diagonal`, `thickness`. Throws InvalidInput with the field's path.
Mesh heightfield_from_json(const nlohmann::json& value, const std::string& path,
                           const std::filesystem::path& folder);

}  // namespace tactus::io
