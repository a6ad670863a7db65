#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "tactus/io.hpp"

namespace tactus::io {

/// Reads a scene from JSON; the fields are described in `scenes/scene.schema.json` and
/// docs/guide/scenes.md. File references are relative to `folder`. Throws InvalidInput with the
/// path of the field (`generators[0].shapes[2].scale`) and FileError for a mesh file. Cost: that of
/// the hulls.
Scene scene_from_json(const nlohmann::json& document, const std::filesystem::path& folder);

/// Adds surfaces, the bodies that are there at the start and joints, as `build_world` does.
void fill_world(const Scene& scene, World& world);

}  // namespace tactus::io
