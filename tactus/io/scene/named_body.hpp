#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tactus/io.hpp"

namespace tactus::io {

/// The body of the scene that a text names. Throws InvalidInput (`path`) where none, or several,
/// are called so.
const SceneBody& named_body(const nlohmann::json& value, const std::string& path,
                            const Scene& scene);

}  // namespace tactus::io
