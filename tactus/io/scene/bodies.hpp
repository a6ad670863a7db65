#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "tactus/io/scene/scene_builder.hpp"

namespace tactus::io {

/// Reads an entry of `bodies` and appends it. Throws InvalidInput with the field's path.
void read_body(const nlohmann::json& object, const std::string& path, SceneBuilder& builder);

/// Mass of a body as the world computes it; one that no force moves has none.
std::optional<BodyMass> mass_of(const SceneBody& body);

}  // namespace tactus::io
