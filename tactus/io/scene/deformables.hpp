#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tactus/io.hpp"

namespace tactus::io {

/// The `deformable` object of a scene: how its deformables step, and what becomes of those that
/// come together. The scene's world gives gravity and time step.
void read_deformable_settings(const nlohmann::json& object, Scene& scene);

/// An entry of `deformables`. Files are relative to `folder`. Throws InvalidInput with the field's
/// path.
SceneDeformable read_deformable(const nlohmann::json& object, const std::string& path,
                                const std::filesystem::path& folder);

}  // namespace tactus::io
