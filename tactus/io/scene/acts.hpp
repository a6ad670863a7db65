#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tactus/io/scene/scene_builder.hpp"

namespace tactus::io {

/// Reads the list `acts` of a scene whose bodies are known: by step, those of one step as they
/// stand. Throws InvalidInput with the field's path.
std::vector<SceneAct> read_acts(const nlohmann::json& list, const Scene& scene);

/// Reads an entry of `regions`. Throws InvalidInput with the field's path.
SceneRegion read_region(const nlohmann::json& object, const std::string& path,
                        SceneBuilder& builder);

/// The acts of a scene before `step`, and what its regions remove then.
void act_before(const Scene& scene, std::uint64_t step, RigidWorld& world);

}  // namespace tactus::io
