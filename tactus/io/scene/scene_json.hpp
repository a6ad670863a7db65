#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "tactus/io.hpp"
#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/scene/scene_builder.hpp"

namespace tactus::io {

/// Reads a scene from JSON; the fields are described in `scenes/scene.schema.json` and
/// docs/guide/scenes.md. File references are relative to `folder`. Throws InvalidInput with the
/// path of the field (`generators[0].shapes[2].scale`) and FileError for a mesh file. Cost: that of
/// the hulls.
Scene scene_from_json(const nlohmann::json& document, const std::filesystem::path& folder);

/// The part of a scene that bodies refer to: `title`, `world`, `materials`, `surface_pairs` and
/// `shapes`. Throws as `scene_from_json`.
void read_setup(JsonFields& fields, Scene& scene, SceneBuilder& builder);

/// Sets the coefficients of the scene's pairs of surfaces.
void set_surface_pairs(const Scene& scene, RigidWorld& world);

/// Adds surfaces, the bodies that are there at the start and joints, as `build_world` does.
void fill_world(const Scene& scene, World& world);

}  // namespace tactus::io
