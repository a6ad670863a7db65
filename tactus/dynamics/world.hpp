#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tactus/dynamics/body.hpp"
#include "tactus/dynamics/contact.hpp"
#include "tactus/dynamics/settings.hpp"

namespace tactus {

/// What a step did. Counts and depths belong to the detection at its start (for bodies that meet
/// within the step, to the moment they meet), energies and speeds to its end.
struct StepStatistics {
  std::uint64_t step = 0;  ///< number of steps done
  double time = 0.0;
  int bodies = 0;                             ///< all of them
  int moving = 0;                             ///< those of type moving
  int candidate_pairs = 0;                    ///< boxes overlap, filters agree
  int contacts = 0;                           ///< pairs that touch or overlap
  int contact_points = 0;                     ///< points that touch or overlap
  double deepest_penetration = 0.0;           ///< length
  double deepest_relative_penetration = 0.0;  ///< over the size of the smaller body of its pair
  double mean_relative_penetration =
      0.0;  ///< mean over touching pairs of depth over size of the smaller body
  double kinetic_energy = 0.0;
  double potential_energy = 0.0;    ///< of gravity, zero at the origin
  double max_speed = 0.0;           ///< of a centre of mass, length per time
  double max_relative_speed = 0.0;  ///< in body sizes per time
  double rms_relative_speed = 0.0;  ///< over moving bodies, in body sizes per time
  // Wall-clock milliseconds; they never enter the state.
  double broad_ms = 0.0, narrow_ms = 0.0, solve_ms = 0.0, total_ms = 0.0;
};

/// Two bodies that overlap.
struct BodyOverlap {
  BodyId body_a = kNoBody, body_b = kNoBody;  ///< body_a < body_b
  double depth = 0.0;                         ///< length
  double relative_depth = 0.0;                ///< over the size of the smaller body
};

/// Where a ray first meets a body; when it starts inside, at distance 0 with the normal of the
/// shortest way out.
struct RayHit {
  BodyId body = kNoBody;
  double distance = 0.0;
  Vec3 point, normal;      ///< world; outward unit normal
  std::int32_t part = -1;  ///< of a compound
};

/// Rigid bodies under gravity with contacts, stepped in time.
///
/// Each step detects contacts once, then solves velocities and positions in `substeps` small steps
/// with soft, warm-started contacts, true Coulomb cones and rolling friction; bodies that meet
/// within a step are detected again at the moment they meet. Free rotation conserves energy and
/// angular momentum. The same calls give the same bits: on every run, after save and restore, and
/// with every compiler that keeps to IEEE double arithmetic. One world may be used by one thread at
/// a time; const members by many. Source: macklin2019smallsteps (substeps), catto2024solver2d (soft
/// contacts, relaxation); docs/algorithms/time-stepping.md.
class World {
 public:
  /// Throws InvalidInput for bad settings.
  explicit World(const WorldSettings& settings = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  const WorldSettings& settings() const;

  /// Adds a body and returns its id: the one given (InvalidInput `id` when taken), else the next
  /// free one. Throws InvalidInput as Body does.
  BodyId add(BodyDefinition definition);
  /// Removes a body with its contacts. Throws InvalidInput (`id`) when there is none.
  void remove(BodyId id);
  /// Two bodies that shall never touch each other, whatever their filters say; part of the set-up,
  /// not of the state.
  void exclude(BodyId a, BodyId b);

  /// All bodies, by id.
  std::span<const Body> bodies() const;
  /// Throws InvalidInput (`id`) when there is none.
  const Body& body(BodyId id) const;
  bool contains(BodyId id) const;

  /// Throws InvalidInput (`id`, or the field that is not finite).
  void set_pose(BodyId id, const Pose& pose);
  void set_velocity(BodyId id, const Vec3& linear, const Vec3& angular);
  /// Momentum given at a world point; without effect unless the body is moving.
  void apply_impulse(BodyId id, const Vec3& impulse, const Vec3& world_point);

  /// Advances by `settings().time_step`.
  const StepStatistics& step();
  const StepStatistics& statistics() const;
  double time() const;
  std::uint64_t step_count() const;

  /// Contact points of the last step, by ids, then part, then feature; gaps up to the threshold
  /// included.
  std::span<const Contact> contacts() const;

  /// Pairs that could touch and overlap deeper than `tolerance` times the size of the smaller body,
  /// by ids.
  std::vector<BodyOverlap> overlaps(double tolerance) const;

  /// Nearest body on a ray whose category is in `mask`. `direction` need not be unit;
  /// `max_distance` is a length. Throws InvalidInput for a zero direction or numbers that are not
  /// finite (an infinite `max_distance` is fine). The distance is never beyond the surface; a ray
  /// that grazes a body within rounding counts as a hit.
  std::optional<RayHit> ray_cast(const Vec3& origin, const Vec3& direction, double max_distance,
                                 std::uint64_t mask = ~std::uint64_t{0}) const;

  /// All that changes with time.
  WorldState save() const;
  /// Continues from a state saved by a world with the same bodies; bodies unknown to the state are
  /// removed. Throws InvalidInput when the state names a body that this world doesn't have, is not
  /// in order, or is not finite; the world is then unchanged.
  void restore(const WorldState& state);
  /// hash(save()), the same for all runs that agree in every bit.
  std::uint64_t state_hash() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace tactus
