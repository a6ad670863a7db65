#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tactus/io.hpp"
#include "tactus/io/json/json_fields.hpp"

namespace tactus::io {

/// Reads an entry of `characters` of a scene whose bodies are known. Throws InvalidInput with the
/// field's path.
SceneCharacter read_character(const nlohmann::json& object, const std::string& path,
                              const Scene& scene);

/// The fields `velocity` and `jump` of what a character is told.
CharacterInput read_input(JsonFields& fields);

/// Moves the characters of a scene before `step`, after its acts.
void move_characters(const Scene& scene, std::uint64_t step, RigidWorld& world);

}  // namespace tactus::io
