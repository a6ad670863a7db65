#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tactus/io/scene/scene_builder.hpp"

namespace tactus::io {

/// Appends the bodies of one entry of a scene's `generators`:
/// - `pour`: a count of bodies, each in a cell of its own of a region, turned and moved at random
///   within the cell; all at once, or batch after batch at a rate
/// - `grid`: bodies at regular places
/// - `stack`: a tower, wall or pyramid of one shape, each layer resting on the one below
///
/// The same entry and seed give the same bodies on every machine. Bodies of one entry never overlap
/// at their start in a `pour`; otherwise that is for build_world to find. Throws InvalidInput with
/// the path of the field.
void generate(const nlohmann::json& entry, const std::string& path, SceneBuilder& builder);

}  // namespace tactus::io
