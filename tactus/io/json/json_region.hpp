#pragma once

#include "tactus/io/json/json_fields.hpp"
#include "tactus/planar.hpp"

namespace tactus::io {

/// An array of points [x, y].
std::vector<planar::Vec2> read_points(const nlohmann::json& value, const std::string& path);

/// The region of the fields `outer` and `holes`. Throws InvalidInput with the field's path.
planar::Region read_region(JsonFields& fields);

}  // namespace tactus::io
