#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/scene/scene_builder.hpp"
#include "tactus/world.hpp"

namespace tactus::io {

/// A world that calls in JSON build, change and ask while it runs, for languages that do not see
/// the headers. Bodies and joints are named by their ids in all calls and answers.
class Simulation {
 public:
  /// A scene without bodies: `world`, `materials`, `surface_pairs` and `shapes`, which bodies name
  /// later. Throws InvalidInput with the field.
  explicit Simulation(std::string_view setup, const std::filesystem::path& folder = {});

  const World& world() const { return world_; }
  /// As `World::step`; throws InvalidInput (`step`) with the reason when the step was not done.
  void step();

  /// Does what an object of JSON says, and answers with another one. Vectors are world unless said
  /// otherwise; a `selection` is `mask`, `ignored` (a body) and `sensors`, each optional.
  /// - `{"do":"add_body", ...}`: a body as in a scene. Answers `{"body"}`.
  /// - `{"do":"remove_bodies", bodies}`.
  /// - `{"do":"add_joint", ...}`: a joint as in a scene, between bodies as they lie now.
  /// `{"joint"}`.
  /// - `{"do":"remove_joint", joint}`; `{"do":"set_motor", joint, speed, max_force}`, without both:
  ///   none; `{"do":"set_drive", joint, drive}` as in a scene.
  /// - `{"do":"set_pose", body, pose}`, `{"do":"set_velocity", body, linear, angular}`,
  ///   `{"do":"move_to", body, pose, duration}` (kinematic).
  /// - `{"do":"push", body, impulse, point}` and, for the next step, `{"do":"force", body, force,
  ///   point}` (without `point`: the centre of mass), `{"do":"torque", body, torque}`.
  /// - `{"do":"body", body}`: motion, mass, sleep. `{"do":"joint", joint}`: force, torque,
  /// position.
  /// - `{"do":"ray", origin, direction, max_distance, selection}`, `{"do":"cast", shape, pose,
  ///   motion, selection}`, `{"do":"nearest", shape, pose, max_distance, selection}`: `{"hit"}`,
  ///   null without one. `{"do":"overlapping", shape, pose, selection}`: `{"bodies"}`.
  /// - `{"do":"touches"}`: pairs of bodies in `touching`, `begun`, `ended`, and joints in `broken`.
  /// - `{"do":"save"}`: `{"snapshot"}`, a number; `{"do":"restore", snapshot}`: all bodies, joints
  ///   and motions as they were, to the bit, also those that were removed since;
  ///   `{"do":"forget", snapshot}`.
  /// Throws InvalidInput with the field; nothing has then changed.
  nlohmann::json call(const nlohmann::json& request);
  std::string call(std::string_view request);

 private:
  struct Snapshot {
    WorldState state;
    std::map<BodyId, std::shared_ptr<const BodyDefinition>> bodies;
    std::vector<JointDefinition> joints;
  };

  /// Each answers the calls that it knows.
  std::optional<nlohmann::json> change(const std::string& what, JsonFields& fields);
  std::optional<nlohmann::json> move(const std::string& what, JsonFields& fields);
  std::optional<nlohmann::json> ask(const std::string& what, JsonFields& fields);
  std::optional<nlohmann::json> remember(const std::string& what, JsonFields& fields);

  BodyId add_body(JsonFields& fields);
  JointId add_joint(JsonFields& fields);
  void restore(const Snapshot& snapshot);
  Shape read_shape(JsonFields& fields);
  void drop_unnamed_shapes();
  nlohmann::json touches() const;

  Scene scene_;  ///< settings and named shapes
  SceneBuilder builder_;
  World world_;
  std::size_t named_shapes_ = 0;
  /// As they were added.
  std::map<BodyId, std::shared_ptr<const BodyDefinition>> bodies_;
  std::map<std::int64_t, Snapshot> snapshots_;
  std::int64_t last_snapshot_ = 0;
};

}  // namespace tactus::io
