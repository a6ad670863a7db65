#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "tactus/io.hpp"
#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/scene/scene_builder.hpp"

namespace tactus::io {

/// Reads a scene from JSON; the fields are described in `scenes/scene.schema.json` and
/// docs/guide/scenes.md. File references are relative to `folder`. Throws InvalidInput with the
/// path of the field (`generators[0].shapes[2].scale`) and FileError for a mesh file. Cost: that of
/// the hulls.
Scene scene_from_json(const nlohmann::json& document, const std::filesystem::path& folder);

/// Is given each body of a scene when it has been read, by ids, and tells whether the scene keeps
/// it. Then all is known that bodies refer to, but not what refers to bodies.
using TakeBody = std::function<bool(const Scene&, const SceneBody&)>;
/// As `read_scene`; `take`, which may be empty, is chosen by the whole document.
Scene read_scene(const std::filesystem::path& file, std::span<const std::string> assignments,
                 const std::function<TakeBody(const nlohmann::json&)>& take);

/// The part of a scene that bodies refer to: `title`, `world`, `materials`, `surface_pairs` and
/// `shapes`. Throws as `scene_from_json`.
void read_setup(JsonFields& fields, Scene& scene, SceneBuilder& builder);

/// Throws InvalidInput, with the names of the two that overlap most, where there are any.
void refuse_overlaps(std::span<const BodyOverlap> overlaps,
                     const std::function<std::string(BodyId)>& name);

/// Sets the coefficients of the scene's pairs of surfaces.
void set_surface_pairs(const Scene& scene, RigidWorld& world);

/// Adds surfaces, the bodies that are there at the start and joints, as `build_world` does.
void fill_world(const Scene& scene, World& world);

}  // namespace tactus::io
