#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tactus/dynamics/world.hpp"
#include "tactus/shape/bounds.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus::io {

/// A shape that bodies share, possibly at different scales.
struct SceneShape {
  std::string name;
  Shape shape;
};

/// How a body is drawn; it never enters the physics.
struct Appearance {
  std::string color;     ///< `#rrggbb`, or empty for the color of its shape
  double opacity = 1.0;  ///< in (0, 1]
};

/// A body of a scene, ready for the world: `definition.id` is its place in the list plus one.
struct SceneBody {
  std::string name;              ///< as messages call it: its own name, or where it came from
  std::size_t shape = 0;         ///< in Scene::shapes
  double scale = 1.0;            ///< of that shape
  std::uint64_t first_step = 0;  ///< the body enters the world before this step
  BodyDefinition definition;
  Appearance appearance;
};

/// Where the player's camera starts.
struct View {
  Vec3 from, to;
};

/// What is kept of a run.
struct RecordingSettings {
  double duration = 10.0;                   ///< simulated time of the whole run
  std::uint64_t steps = 600;                ///< the same in steps
  std::uint64_t steps_per_picture = 2;      ///< 30 pictures per second at 60 steps
  std::uint64_t pictures_per_contacts = 3;  ///< contacts are kept with every third picture
  std::optional<View> view;
};

/// What a finished run must have reached; a bound that is not given is not judged.
struct Goal {
  std::optional<double> rms_speed;         ///< over the last second, in body sizes per time
  std::optional<double> mean_penetration;  ///< over touching pairs, relative to body size
  std::optional<Aabb> inside;              ///< no centre of mass outside
};

/// A scene file, read and checked.
struct Scene {
  std::string title;
  WorldSettings world;
  std::uint64_t step_rate = 60;  ///< steps per unit of time; world.time_step is its inverse
  std::vector<SceneShape> shapes;
  std::vector<SceneBody> bodies;
  RecordingSettings recording;
  Goal goal;
  /// Equal for scenes whose runs give the same bits: all of the file but title, recording and goal.
  std::uint64_t fingerprint = 0;
};

/// Reads a scene from JSON; the fields are described in `scenes/scene.schema.json` and
/// docs/guide/scenes.md. File references are relative to `folder`. Throws InvalidInput with the
/// path of the field (`generators[0].shapes[2].scale`) and FileError for a mesh file. Cost: that of
/// the hulls.
Scene scene_from_json(const nlohmann::json& document, const std::filesystem::path& folder);

/// Reads a scene file (`//` comments allowed). Throws FileError when it cannot be read, and
/// InvalidInput with the file's name and line for a syntax error.
Scene read_scene(const std::filesystem::path& file);

/// Depth over the smaller body's size from which two bodies count as overlapping at the start; less
/// is a touching pair whose coordinates were rounded.
inline constexpr double kStartOverlap = 1e-4;

/// The world with the bodies that are there at the start. Throws InvalidInput when two of them
/// overlap by more than kStartOverlap, naming both and the depth, and when the world refuses a
/// body.
World build_world(const Scene& scene);

/// Adds the bodies that enter before `step`; call it before each step.
void add_entering_bodies(const Scene& scene, std::uint64_t step, World& world);

/// The world at `state`, saved from a run of the same scene. Throws InvalidInput when the state
/// does not fit the scene.
World continue_world(const Scene& scene, const WorldState& state);

}  // namespace tactus::io
