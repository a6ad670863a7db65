#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "tactus/world.hpp"

namespace tactus {

/// How an impulse-based world moves. Any consistent units.
struct ImpulseSettings {
  Vec3 gravity{0.0, 0.0, -9.81};  ///< acceleration
  double time_step = 1.0 / 60.0;  ///< time per step(), > 0; no accuracy depends on it
  /// Height to which micro-collisions throw a resting body, relative to the size of the smaller
  /// body, in (0, 0.01]. Smaller ones rest more quietly and take more collisions, as its root.
  double micro_height = 1e-5;
  /// Events per step(), >= 1: moments at which a pair of bodies is looked at.
  std::int64_t max_events = 1000000;
  /// As `WorldSettings::periodic`: bodies come back into the box at the end of a step, and none may
  /// be on a way longer than a period before it.
  std::array<std::optional<PeriodicAxis>, 3> periodic = {};
};

/// Throws InvalidInput naming the field.
void validate(const ImpulseSettings& settings);

/// A collision.
struct Impact {
  double time = 0.0;                          ///< of the world
  BodyId body_a = kNoBody, body_b = kNoBody;  ///< body_a < body_b
  /// World; of the point that approached fastest, unit, from A to B. Across the face of a periodic
  /// world as seen from A, which is brought back at the end of the step.
  Vec3 point, normal;
  double approach = 0.0;  ///< speed of that point towards the other body, > 0
  Vec3 impulse;           ///< on B, of all points that touched
  double energy = 0.0;    ///< of motion, gained by both bodies; negative: lost
  bool micro = false;     ///< a micro-collision
  friend bool operator==(const Impact&, const Impact&) = default;
};

/// Statistics of a step of an impulse-based world. Penetration is the deepest that was seen (bodies
/// that overlapped at the start; none else do); contacts count pairs that collided.
struct ImpulseStatistics : StepStatistics {
  std::int64_t events = 0;         ///< moments at which a pair was looked at
  std::int64_t impacts = 0;        ///< collisions, micro-collisions included
  std::int64_t micro_impacts = 0;  ///< micro-collisions alone
  double energy_lost = 0.0;        ///< by all collisions that lost some
  double energy_gained = 0.0;      ///< by micro-collisions, from the reserves
  double reserve = 0.0;            ///< energy that micro-collisions could still give back
  double advanced = 0.0;           ///< time by which the world has moved on
  /// `iteration_limit` when `max_events` ended the step before its time; the world is at the
  /// moment it reached.
  Status status = Status::converged;
};

/// Rigid bodies that fly freely between collisions, and nothing else: no contact lasts.
///
/// A body moves along an exact parabola and turns as a free top until it meets another one. The
/// next contact of every near pair is bounded from below by the distance and a bound of the motion,
/// so that no contact is passed by, however fast and thin the bodies are, non-convex meshes
/// included; collisions come in the order of their times, equal ones by ids. Each changes the
/// velocities by an impulse within Coulomb's cone with restitution by work, which loses energy or
/// keeps it. What rests is thrown up by micro-collisions of `micro_height`, which give back no more
/// than what earlier collisions of the pair have taken (a pair that is put down touching starts
/// with the energy of two such throws). So the energy of motion and gravity together with
/// `ImpulseStatistics::reserve` never grows, kinematic bodies apart. Rolling and torsional friction
/// have no part in it. Sums of surfaces as in `World`. A constant force bends the parabola of its
/// body; its work is not counted as energy. Bodies with a constant torque or a damping are refused
/// (`torque`, `linear_damping`, `angular_damping`): no flight of theirs is that of a free top.
/// Spaces may be periodic, as in `World`.
///
/// The same calls give the same bits, after save and restore too. Materials, gravity and bodies may
/// change between steps. Cost: per event a distance query; resting contacts collide every few
/// milliseconds, so that piles are slow: `World` is made for them. Source: mirtich1996thesis,
/// lennerz2002; docs/algorithms/impulse-dynamics.md.
/// @code{.cpp}
/// ImpulseWorld world;
/// world.add({.shape = HalfSpace({0, 0, 1}, 0.0), .type = BodyType::fixed});
/// BodyDefinition ball{.shape = Sphere(0.5), .pose = Pose::translation({0, 0, 1.5})};
/// ball.material.restitution = 1.0;
/// world.add(ball);
/// while (world.impacts().empty()) world.advance_to_next_impact();
/// assert(std::fabs(world.time() - std::sqrt(2.0 / 9.81)) < 1e-9);  // it has fallen by 1
/// @endcode
class ImpulseWorld final : public RigidWorld {
 public:
  /// Throws InvalidInput for bad settings.
  explicit ImpulseWorld(const ImpulseSettings& settings = {});
  ~ImpulseWorld() override;
  ImpulseWorld(ImpulseWorld&&) noexcept;
  ImpulseWorld& operator=(ImpulseWorld&&) noexcept;

  const ImpulseSettings& settings() const;
  /// From the next step on. Throws InvalidInput for bad settings and for another `periodic`;
  /// nothing has then changed.
  void set_settings(const ImpulseSettings& settings);

  const ImpulseStatistics& step() override;
  /// Advances to the next collision that is no micro-collision, by `settings().time_step` at most.
  /// Counts as a step.
  const ImpulseStatistics& advance_to_next_impact();
  const ImpulseStatistics& statistics() const override;
  /// Time since the world was made.
  double time() const override;

  /// The collisions of the last step in their order, the last 100,000 of them at most.
  std::span<const Impact> impacts() const;
  /// One for each pair that collided in the last step, by ids: where it did so last, and the sum of
  /// the impulses.
  std::span<const Contact> contacts() const override;
  double contact_time() const override;

 private:
  void check_body(const Body& body) const override;
  void forget(std::span<const BodyId> ids) override;
  /// Each pair has one point, whose `normal_impulse` is the momentum of its reserve.
  void save_pairs(WorldState& state) const override;
  void check_pairs(const WorldState& state) const override;
  void restore_pairs(const WorldState& state) override;

  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace tactus
