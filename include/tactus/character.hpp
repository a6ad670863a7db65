#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tactus/body.hpp"
#include "tactus/math.hpp"
#include "tactus/world.hpp"

namespace tactus {

/// How a character walks. Any consistent units; the defaults suit metres, kilograms and seconds.
struct CharacterSettings {
  Vec3 up{0.0, 0.0, 1.0};  ///< not zero; of any length
  /// Kept from all bodies, length, > 0. A way leaves at least three quarters of it, unless it began
  /// with less; bumps of the ground below the last quarter are not felt.
  double gap = 0.01;
  /// Steps up to this height are climbed, and down to it the ground is followed, length, >= 0.
  double step_height = 0.35;
  /// Steepest ground that carries, radians, in [0, pi/2); the character slides down from steeper
  /// one.
  double max_slope = 0.87;
  /// Presses on moving bodies that it stands on, >= 0.
  double mass = 70.0;
  /// Pushes moving bodies that are in its way by at most this force in all, >= 0.
  double max_force = 500.0;
  /// In the air the level velocity turns towards the wanted one by at most this much per time, >=
  /// 0.
  double air_acceleration = 5.0;
  friend bool operator==(const CharacterSettings&, const CharacterSettings&) = default;
};

/// Throws InvalidInput naming the field.
void validate(const CharacterSettings& settings);

/// Orders of a character.
struct CharacterInput {
  Vec3 velocity;  ///< wanted, against the ground; of it the level part counts
  /// Speed against the ground at which it takes off, where it has ground under it; 0: it stays.
  double jump = 0.0;
  friend bool operator==(const CharacterInput&, const CharacterInput&) = default;
};

/// Kinds of what carries a character.
enum class CharacterSupport : std::uint8_t {
  ground,  ///< on which it can walk
  slope,   ///< too steep: it slides
  air,     ///< nothing
};
std::string_view to_string(CharacterSupport support);

/// Report of what a character does in the step that comes.
struct CharacterReport {
  /// At the end of the step.
  CharacterSupport support = CharacterSupport::air;
  BodyId ground = kNoBody;  ///< the body below it, of ground or slope
  Vec3 ground_point;        ///< world, on that body
  Vec3 ground_normal;       ///< unit, up from it
  Vec3 ground_velocity;     ///< of the ground that carried it at the start, its belt included
  Vec3 ground_spin;         ///< angular velocity of that ground
  Vec3 way;                 ///< of the whole step
  double climbed = 0.0;     ///< height of a step that was climbed
  bool hindered = false;    ///< something was in the way
  /// It overlaps a body, out of which no way was found; or bodies that move leave it no room.
  bool stuck = false;
};

/// Moves a kinematic body as a character: with a wanted velocity along the ground, past what is in
/// its way.
///
/// Call `update` before each step of the world. The character slides along walls, along the crease
/// of two and stops in the corner of three; climbs steps and walks up slopes, slides down from
/// those that are too steep; follows the ground down; rides on kinematic and moving bodies that
/// move, turn (along the arc) or run (`SurfaceVelocity`); is pushed aside by kinematic bodies;
/// pushes moving ones by a bounded force. It never turns: which way it faces is the caller's. An
/// overlap in which it was set down is undone first, by the shortest ways out.
///
/// The way is proved free by conservative casts against all bodies, at the poses that they will
/// have: at the end of the step no fixed or kinematic body is nearer than three quarters of `gap`,
/// unless one was before, or the character is stuck; and no speed takes it through a wall. Of
/// moving bodies velocities at the start of the step are predicted; what else happens to them is
/// met in the next one. Sensors, and bodies whose filter does not agree, are not in its way; a
/// `one_way` body is where the character comes from its side.
///
/// All state is that of the body: pose and velocity, which is saved with its world. So is the
/// velocity in the air; the ground is found anew. The same calls give the same bits. The body may
/// be a sensor, which moving bodies do not meet, or not: then they bounce off it, and it bears what
/// falls on it. Cost: a look at all bodies, then some ten queries for each that is near.
/// Source: design; docs/guide/characters.md.
/// @code{.cpp}
/// World world;
/// BodyDefinition floor{HalfSpace({0, 0, 1}, 0.0)};
/// floor.type = BodyType::fixed;
/// world.add(floor);
/// const BodyId body = world.add({.shape = Capsule(0.3, 1.0),
///                                .pose = Pose::translation({0, 0, 0.81}),
///                                .type = BodyType::kinematic});
/// CharacterController walker(world, body);
/// while (world.time() < 2.0) {
///   walker.update({.velocity = {1.5, 0, 0}});
///   world.step();
/// }
/// assert(std::fabs(world.body(body).center_of_mass().x - 3.0) < 0.1);
/// @endcode
class CharacterController {
 public:
  /// The world and its body must outlive it. Throws InvalidInput: `id` where there is no such body
  /// or it is not kinematic, `shape` where it is not convex, `world` for one that repeats, and as
  /// `validate`.
  CharacterController(World& world, BodyId body, const CharacterSettings& settings = {});

  BodyId body() const noexcept { return body_; }
  const CharacterSettings& settings() const noexcept { return settings_; }
  /// From the next update on. Throws InvalidInput as `validate`.
  void set_settings(const CharacterSettings& settings);

  /// Finds the way of the next step, and gives the body the velocity that leads it there; climbs
  /// are done at once. Kinematic bodies among `waiting` have the velocities of the last step, and
  /// get those of the next one later, as characters that are updated after this one: they count as
  /// standing, so that each of them can stay where it is. Throws InvalidInput (`velocity`, `jump`)
  /// for what is not finite, a negative jump, and `id` when the body is gone.
  const CharacterReport& update(const CharacterInput& input, std::span<const BodyId> waiting = {});
  /// Report of the last update.
  const CharacterReport& report() const noexcept { return report_; }

 private:
  World* world_;
  BodyId body_;
  CharacterSettings settings_;
  CharacterReport report_;
};

}  // namespace tactus
