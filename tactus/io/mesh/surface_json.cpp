#include "tactus/io/mesh/surface_json.hpp"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "tactus/core.hpp"
#include "tactus/io/file/line_scanner.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/mesh/hull/triangulated.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {
namespace {

using nlohmann::json;

// Files that a surface names could name it in turn.
void require_no_file(const json& value) {
  if (value.is_object() && value.contains("file"))
    throw InvalidInput("file", "is not followed from a surface: give its vertices");
  for (const json& inner : value) {
    if (inner.is_object() || (inner.is_array() && !inner.empty() && inner[0].is_object()))
      require_no_file(inner);
  }
}

void append(const TriangleMesh& part, const Pose& pose, TriangleMesh& mesh) {
  if (mesh.vertices.size() + part.vertices.size() > std::numeric_limits<std::uint32_t>::max())
    throw InvalidInput("", "has too many vertices for one mesh");
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3& v : part.vertices) mesh.vertices.push_back(pose.to_world(v));
  for (const auto& [a, b, c] : part.triangles)
    mesh.triangles.push_back({first + a, first + b, first + c});
}

void append(const Shape& shape, const Pose& pose, const std::string& place, TriangleMesh& mesh) {
  if (shape.rounding_radius() > 0.0)
    throw InvalidInput(place, "has a rounding radius: it is no surface of triangles");
  if (const auto* surface = std::get_if<Mesh>(&shape.geometry())) {
    append(surface->mesh(), pose, mesh);
  } else if (const auto* convex = std::get_if<Convex>(&shape.geometry())) {
    append(detail::triangulated(convex->hull()), pose, mesh);
  } else if (const auto* compound = std::get_if<Compound>(&shape.geometry())) {
    for (std::size_t i = 0; i < compound->parts().size(); ++i) {
      const Compound::Part& part = compound->parts()[i];
      const std::string inner = "parts[" + std::to_string(i) + "].shape";
      std::string within = place;
      if (!within.empty()) within += '.';
      append(part.shape, pose * part.pose, within.append(inner), mesh);
    }
  } else {
    throw InvalidInput(place, "is a " + std::string(to_string(shape.type())) +
                                  ": only mesh, convex and compounds of them are surfaces");
  }
}

}  // namespace

TriangleMesh parse_json_surface(std::string_view text, FileNotes& notes) {
  try {
    json value = parse_json(without_byte_order_mark(text));
    if (value.is_object() && value.contains("parts") && !value.contains("type"))
      value["type"] = to_string(ShapeType::compound);
    require_no_file(value);
    TriangleMesh mesh;
    append(shape_from_json(value), Pose(), "", mesh);
    return mesh;
  } catch (const InvalidInput& error) {
    throw FileError(notes.name() + ": " + error.what());
  }
}

}  // namespace tactus::io
