#include "tactus/io/scene/scene_builder.hpp"

#include <utility>

#include "tactus/io/json/json_fields.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

/// Reads the fields that a material and a pair of surfaces have in common.
template <class Surface>
void read_surface(JsonFields& fields, Surface& surface) {
  surface.friction = fields.number("friction", surface.friction);
  surface.restitution = fields.number("restitution", surface.restitution);
  surface.rolling_friction = fields.number("rolling_friction", surface.rolling_friction);
  surface.torsional_friction = fields.number("torsional_friction", surface.torsional_friction);
  surface.adhesion = fields.number("adhesion", surface.adhesion);
}

Material read_material(const json& object, const std::string& path) {
  JsonFields fields(object, path);
  Material material;
  read_surface(fields, material);
  material.density = fields.number("density", material.density);
  fields.finish();
  try {
    validate(material);
  } catch (const InvalidInput& error) {
    throw error.within(path);
  }
  return material;
}

}  // namespace

void SceneBuilder::read_materials(const json& object) {
  JsonFields fields(object, "materials");
  for (const auto& [name, value] : object.items()) {
    Material material = read_material(value, fields.path_of(name));
    material.kind = static_cast<std::uint32_t>(materials_.size() + 1);
    materials_.emplace(name, material);
  }
}

void SceneBuilder::read_surface_pairs(const json& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    JsonFields fields(list[i], JsonFields::path_of("surface_pairs", i));
    const json& names = fields.require("materials");
    const std::string path = fields.path_of("materials");
    if (!names.is_array() || names.size() != 2 || !names[0].is_string() || !names[1].is_string())
      throw InvalidInput(path, "must be two names of materials");
    const Material a = material(&names[0], path), b = material(&names[1], path);
    SurfacePair surface = combine(a, b);
    read_surface(fields, surface);
    fields.finish();
    try {
      validate(surface);
    } catch (const InvalidInput& error) {
      throw error.within(JsonFields::path_of("surface_pairs", i));
    }
    scene_.surface_pairs.push_back({a.kind, b.kind, surface});
  }
}

void SceneBuilder::read_shapes(const json& object) {
  JsonFields fields(object, "shapes");
  for (const auto& [name, value] : object.items()) {
    if (value.is_string()) throw InvalidInput(fields.path_of(name), "must be a shape, not a name");
    const std::size_t index = shape(value, fields.path_of(name));
    scene_.shapes[index].name = name;
    shapes_.emplace(name, index);
  }
}

std::size_t SceneBuilder::shape(const json& value, const std::string& path) {
  if (value.is_string()) {
    const auto found = shapes_.find(value.get<std::string>());
    if (found == shapes_.end()) {
      throw InvalidInput(path, "there is no shape named '" + value.get<std::string>() + "'");
    }
    return found->second;
  }
  try {
    scene_.shapes.push_back({path, shape_reader_.read(value)});
    for (std::string& warning : shape_reader_.take_warnings())
      scene_.notes.push_back(std::move(warning));
  } catch (const InvalidInput& error) {
    throw error.within(path);
  }
  return scene_.shapes.size() - 1;
}

Material SceneBuilder::material(const json* value, const std::string& path) const {
  if (value == nullptr) return {};
  if (!value->is_string()) return read_material(*value, path);
  const auto found = materials_.find(value->get<std::string>());
  if (found == materials_.end()) {
    throw InvalidInput(path, "there is no material named '" + value->get<std::string>() + "'");
  }
  return found->second;
}

SceneBody SceneBuilder::body(std::string name, std::size_t shape, double scale, const Pose& pose,
                             const Material& material) const {
  BodyDefinition definition{.shape = scaled(scene_.shapes[shape].shape, scale)};
  definition.pose = pose;
  definition.material = material;
  return {.name = std::move(name),
          .shape = shape,
          .scale = scale,
          .first_step = 0,
          .definition = std::move(definition),
          .appearance = {}};
}

void SceneBuilder::add(SceneBody body) {
  body.definition.id = ++count_;
  if (!keep_ || keep_(body)) scene_.bodies.push_back(std::move(body));
}

}  // namespace tactus::io
