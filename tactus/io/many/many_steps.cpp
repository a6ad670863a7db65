#include "tactus/io/many/many_steps.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/many/hash_steps.hpp"
#include "tactus/io/many/hull_steps.hpp"
#include "tactus/io/many/search_steps.hpp"
#include "tactus/io/many/sweep_steps.hpp"

namespace tactus::io {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// [x, y, z], or [x, y] of a point in the plane z = 0.
Vec3 point_of(const json& value, const std::string& path) {
  if (!value.is_array() || value.size() != 2) return JsonFields::to_vector(value, path);
  return {JsonFields::to_number(value[0], path), JsonFields::to_number(value[1], path), 0.0};
}

std::vector<Vec3> points_of(JsonFields& fields, const std::string& name) {
  const json& list = fields.array(name);
  std::vector<Vec3> points;
  points.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    points.push_back(point_of(list[i], JsonFields::path_of(fields.path_of(name), i)));
  return points;
}

// Two corners each: [[x, y, z], [x, y, z]], or [[x, y], [x, y]].
std::vector<Aabb> boxes_of(JsonFields& fields, const std::string& name) {
  const json& list = fields.array(name);
  std::vector<Aabb> boxes;
  boxes.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string path = JsonFields::path_of(fields.path_of(name), i);
    if (!list[i].is_array() || list[i].size() != 2)
      throw InvalidInput(path, "must be the lower and the upper corner");
    const Aabb box{point_of(list[i][0], path + "[0]"), point_of(list[i][1], path + "[1]")};
    for (int axis = 0; axis < 3; ++axis) {
      if (!(box.lower[axis] <= box.upper[axis]))
        throw InvalidInput(path, "the lower corner lies above the upper one");
    }
    boxes.push_back(box);
  }
  return boxes;
}

// The value that `make` reads of a field; its errors are those of the field.
template <class Make>
auto read_field(const json& value, const std::string& path, const Make& make) {
  try {
    return make(value);
  } catch (const InvalidInput& error) {
    throw error.within(path);
  }
}

Shape shape_of(JsonFields& fields, const std::string& name) {
  return read_field(fields.require(name), fields.path_of(name),
                    [](const json& value) { return shape_from_json(value); });
}

Pose pose_of(JsonFields& fields, const std::string& name) {
  const json* const value = fields.find(name);
  return value != nullptr ? read_field(*value, fields.path_of(name), pose_from_json) : Pose();
}

// A surface at the start and at the end of its motion.
struct Surface {
  std::vector<Vec3> vertices_t0, vertices_t1;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  ccd::MovingSurface view() const { return {vertices_t0, vertices_t1, triangles}; }
};

Surface surface_of(JsonFields& fields, const std::string& name) {
  JsonFields own(fields.require(name), fields.path_of(name));
  Surface surface{points_of(own, "vertices_t0"), points_of(own, "vertices_t1"), {}};
  const json& list = own.array("triangles");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string path = JsonFields::path_of(own.path_of("triangles"), i);
    const Vec3 corners = JsonFields::to_vector(list[i], path);
    std::array<std::uint32_t, 3> triangle{};
    for (int k = 0; k < 3; ++k) {
      if (!(corners[k] >= 0.0 && corners[k] < 1e9 && corners[k] == std::floor(corners[k])))
        throw InvalidInput(path, "must be three numbers of vertices");
      triangle[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(corners[k]);
    }
    surface.triangles.push_back(triangle);
  }
  own.finish();
  return surface;
}

ordered_json answer(JsonFields& fields, const std::string& ask) {
  if (ask == "hull") return hull_steps(points_of(fields, "points"));
  if (ask == "sweep") return sweep_steps(boxes_of(fields, "boxes"), boxes_of(fields, "before"));
  if (ask == "hash") {
    const Surface a = surface_of(fields, "a"), b = surface_of(fields, "b");
    return hash_steps(a.view(), b.view());
  }
  if (ask == "distance") {
    const Shape a = shape_of(fields, "a"), b = shape_of(fields, "b");
    return search_steps(a, pose_of(fields, "pose_a"), b, pose_of(fields, "pose_b"));
  }
  throw InvalidInput("ask", "must be hull, distance, sweep or hash");
}

}  // namespace

std::string many_steps(std::string_view line) {
  const json value = parse_json(line);
  JsonFields fields(value, "");
  const json* const id = fields.find("id");
  const std::string ask = fields.text("ask");
  ordered_json out{{"id", id != nullptr ? *id : json()}, {"ask", ask}};
  out.update(answer(fields, ask));
  fields.finish();
  return json_dump(out);
}

}  // namespace tactus::io
