#include "tactus/io/json/json_region.hpp"

#include <utility>

namespace tactus::io {

using nlohmann::json;

std::vector<planar::Vec2> read_points(const json& value, const std::string& path) {
  if (!value.is_array()) throw InvalidInput(path, "must be an array of points [x, y]");
  std::vector<planar::Vec2> points;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const json& p = value[i];
    const std::string at = JsonFields::path_of(path, i);
    if (!p.is_array() || p.size() != 2) throw InvalidInput(at, "must be two numbers [x, y]");
    points.push_back({JsonFields::to_number(p[0], at), JsonFields::to_number(p[1], at)});
  }
  return points;
}

planar::Region read_region(JsonFields& fields) {
  auto outer = read_points(fields.require("outer"), fields.path_of("outer"));
  std::vector<std::vector<planar::Vec2>> holes;
  const json& given = fields.array("holes");
  holes.reserve(given.size());
  for (std::size_t k = 0; k < given.size(); ++k) {
    holes.push_back(read_points(given[k], JsonFields::path_of(fields.path_of("holes"), k)));
  }
  try {
    return planar::Region(std::move(outer), std::move(holes));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fields.path_of(error.field()), error.reason());
  }
}

}  // namespace tactus::io
