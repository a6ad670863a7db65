#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/io.hpp"

namespace tactus::io {

/// A scene's deformables, with the rigid bodies that they push and are pushed by, that are acted on
/// while they move. Every act is kept with the step before
/// which it came, so that the line of the run replays to the same bits.
class LiveSoft {
 public:
  /// The scene as `read_scene` takes it; files that it names lie in `folder`. Throws InvalidInput
  /// and FileError as `read_scene` and `build_deformable_world` do.
  explicit LiveSoft(std::string_view scene, const std::filesystem::path& folder = {});
  LiveSoft(nlohmann::json scene, const std::filesystem::path& folder);

  const Scene& scene() const { return scene_; }
  const soft::DeformableWorld& world() const { return world_; }
  /// Null where no rigid body is moving.
  const World* rigid() const { return rigid_.get(); }
  std::size_t bodies() const { return world_.bodies(); }

  /// Does what one JSON object says, before the next step:
  /// - `{"do":"set", gravity, young, poisson, damping, friction}`: of the world (gravity of rigid
  ///   bodies too) and of all deformables;
  ///   before the first step also `response`, as in `deformable` of a scene: "continuous" (default:
  ///   nothing passes), or for comparison "discrete" (vertices that a step leaves in another body
  ///   or a half-space are put out of it by their depth), "freeze_continuous", "freeze_discrete";
  /// - `{"do":"pull", body, vertex, to, reach}`: from now on the body's vertices within `reach` of
  ///   this one are led, and this one goes to `to`; the next `pull` of the vertex moves the goal;
  /// - `{"do":"release"}` ends it.
  /// Bodies are named by their place in `deformables` plus one. Throws InvalidInput with the field;
  /// nothing has then changed.
  void act(std::string_view text);
  void perform(const nlohmann::json& act);

  /// Throws InvalidInput where bodies cross each other at the start.
  const soft::DeformableStatistics& step();

  /// Hash of the state of deformables and rigid bodies.
  std::uint64_t state_hash() const;
  /// The run so far as one line of JSON, as that of LiveWorld.
  std::string line() const;

 private:
  struct Pull {
    soft::DeformableId body = 0;
    std::uint32_t vertex = 0;
    std::vector<std::uint32_t> led;
    std::vector<Vec3> offsets;
    Vec3 to;
  };

  void change_settings(const nlohmann::json& act);
  void pull(const nlohmann::json& act);
  void release();
  void lead();

  nlohmann::json document_;
  Scene scene_;
  std::unique_ptr<World> rigid_;
  soft::DeformableWorld world_;
  std::optional<Pull> pull_;
  std::vector<std::pair<std::uint64_t, nlohmann::json>> acts_;
};

}  // namespace tactus::io
