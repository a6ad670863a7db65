#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tactus/io.hpp"

namespace tactus::io {

/// The `deformable` object of a scene: how its deformables step. `world` gives gravity and time
/// step.
DeformableSettings read_deformable_settings(const nlohmann::json& object,
                                            const WorldSettings& world);

/// An entry of `deformables`. Files are relative to `folder`. Throws InvalidInput with the field's
/// path.
SceneDeformable read_deformable(const nlohmann::json& object, const std::string& path,
                                const std::filesystem::path& folder);

}  // namespace tactus::io
