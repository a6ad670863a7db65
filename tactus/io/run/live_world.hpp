#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/io.hpp"

namespace tactus::io {

/// A moment of a live run: all that its future depends on, and the acts that led there. Moments
/// share scenes and acts that have not changed between them.
class LiveMoment {
 public:
  std::uint64_t step() const { return state_.step; }
  /// Bytes of the state and of the list of acts; what moments share is not counted.
  std::size_t bytes() const;

 private:
  friend class LiveWorld;

  struct Act {
    std::uint64_t step = 0;  ///< the act came before this one
    std::shared_ptr<const nlohmann::json> what;
  };
  struct Pull {
    BodyId body = kNoBody;
    Vec3 point, to;
  };

  std::shared_ptr<const nlohmann::json> document_;
  std::shared_ptr<const Scene> scene_;
  WorldState state_;
  std::optional<Pull> pull_;
  std::vector<Act> acts_;
};

/// A scene's world that is acted on while it runs. Every act is kept with the step before which it
/// came, so that the line of the run replays to the same bits.
class LiveWorld {
 public:
  /// The scene as `read_scene` takes it; files that it names lie in `folder`. Throws InvalidInput
  /// and FileError as `read_scene` and `build_world` do.
  explicit LiveWorld(std::string_view scene, const std::filesystem::path& folder = {});
  LiveWorld(nlohmann::json scene, const std::filesystem::path& folder);

  const Scene& scene() const { return *scene_; }
  const RigidWorld& world() const { return *world_; }
  std::size_t bodies() const { return world_->bodies().size(); }

  /// Does what one JSON object says, before the next step:
  /// - `{"do":"set", gravity, substeps, friction, restitution}`: of the world and of all bodies;
  /// - `{"do":"push", body, impulse, point}`: momentum at a world point;
  /// - `{"do":"pull", body, point, to}`: from now on a spring draws `point` (body's frame) to `to`
  ///   (world), without exceeding kPullSpeed; the next `pull` replaces it;
  /// - `{"do":"release"}` ends it;
  /// - `{"do":"add", like, pose, linear_velocity, angular_velocity}`: a copy of the body `like`.
  /// Bodies are named by their ids. Throws InvalidInput with the field; nothing has then changed.
  void act(std::string_view text);
  void perform(const nlohmann::json& act);

  const StepStatistics& step();

  /// `restore` of the moment goes on from here with the same bits, and `line` then tells the acts
  /// that led here, whatever was done in between.
  LiveMoment save() const;
  /// Goes back, or forth, to a moment of this run. Throws InvalidInput (`moment`) where it is one
  /// of another world; nothing has then changed.
  void restore(const LiveMoment& moment);

  std::uint64_t state_hash() const { return world_->state_hash(); }
  /// The run so far as one line of JSON, without the line's end: scene, steps, acts and the hash of
  /// the state. Cost: linear in the number of acts.
  std::string line() const;

 private:
  using Pull = LiveMoment::Pull;

  void change_settings(const nlohmann::json& act);
  void add_body(const nlohmann::json& act);
  BodyId body_of(const nlohmann::json& act, const char* field) const;
  void pull(const Pull& by);

  std::shared_ptr<const nlohmann::json> document_;
  std::shared_ptr<const Scene> scene_;
  std::unique_ptr<RigidWorld> world_;
  std::optional<Pull> pull_;
  std::vector<LiveMoment::Act> acts_;
};

/// State at the end of a replay.
struct LiveReplay {
  std::uint64_t steps = 0;
  std::size_t bodies = 0;
  std::uint64_t hash = 0;
  std::optional<std::uint64_t> expected;  ///< the hash that the line names
};

/// Runs the line of a live run anew, of rigid bodies or (`deformables`) of soft ones. Throws
/// InvalidInput with the field. Cost: that of the steps.
LiveReplay replay_live(std::string_view line, const std::filesystem::path& folder = {});

/// A hash as 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace tactus::io
