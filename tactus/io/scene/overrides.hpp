#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tactus::io {

/// Sets one value of a scene's document: `world.gravity=[0,0,-1.6]`, `bodies[3].mass=2`. What
/// stands after the first `=` is JSON, or else a text. Objects on the way are made where there are
/// none; lists keep their length. Throws InvalidInput (`--set`) for what is not written so, or
/// leads through a value that has no such member.
void set_value(nlohmann::json& document, const std::string& assignment);

}  // namespace tactus::io
