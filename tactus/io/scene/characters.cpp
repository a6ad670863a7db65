#include "tactus/io/scene/characters.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "tactus/io/scene/named_body.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

CharacterSettings read_settings(JsonFields& fields) {
  CharacterSettings settings;
  settings.up = fields.vector("up", settings.up);
  settings.gap = fields.number("gap", settings.gap);
  settings.step_height = fields.number("step_height", settings.step_height);
  settings.max_slope = fields.number("max_slope", settings.max_slope);
  settings.mass = fields.number("mass", settings.mass);
  settings.max_force = fields.number("max_force", settings.max_force);
  settings.air_acceleration = fields.number("air_acceleration", settings.air_acceleration);
  try {
    validate(settings);
  } catch (const InvalidInput& error) {
    throw error.within(fields.path());
  }
  return settings;
}

/// Orders of a character in a step: by the last act that told it anything, jumps in the first
/// step alone.
CharacterInput input_at(const SceneCharacter& character, const Scene& scene, std::uint64_t step) {
  CharacterInput input = character.input;
  if (step > 0) input.jump = 0.0;
  for (const SceneAct& act : scene.acts) {
    if (!act.walk || act.body != character.body || act.step > step) continue;
    input = *act.walk;
    if (act.step < step) input.jump = 0.0;
  }
  return input;
}

}  // namespace

CharacterInput read_input(JsonFields& fields) {
  CharacterInput input;
  input.velocity = fields.vector("velocity", {});
  input.jump = fields.number("jump", 0.0);
  if (input.jump < 0.0) throw InvalidInput(fields.path_of("jump"), "must not be negative");
  return input;
}

SceneCharacter read_character(const json& object, const std::string& path, const Scene& scene) {
  JsonFields fields(object, path);
  SceneCharacter character;
  const std::string place = fields.path_of("body");
  const SceneBody& body = named_body(fields.require("body"), place, scene);
  if (body.definition.type != BodyType::kinematic)
    throw InvalidInput(place, body.name + " is not kinematic");
  if (!body.definition.shape.is_convex_body())
    throw InvalidInput(place, body.name + " is not convex");
  character.body = body.definition.id;
  if (std::any_of(scene.characters.begin(), scene.characters.end(),
                  [&](const SceneCharacter& other) { return other.body == character.body; }))
    throw InvalidInput(place, body.name + " is a character already");
  character.settings = read_settings(fields);
  character.input = read_input(fields);
  fields.finish();
  return character;
}

void move_characters(const Scene& scene, std::uint64_t step, RigidWorld& world) {
  std::vector<BodyId> bodies;
  bodies.reserve(scene.characters.size());
  for (const SceneCharacter& character : scene.characters) bodies.push_back(character.body);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const SceneCharacter& character = scene.characters[i];
    if (!world.contains(character.body)) continue;
    // Scenes with characters are of contacts: their world is a `World`.
    CharacterController controller(dynamic_cast<World&>(world), character.body, character.settings);
    controller.update(input_at(character, scene, step), std::span(bodies).subspan(i + 1));
  }
}

}  // namespace tactus::io
