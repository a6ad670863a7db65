#pragma once

#include <cstdint>
#include <vector>

#include "tactus/dynamics/body.hpp"
#include "tactus/query/result.hpp"

namespace tactus {

/// One contact point between two bodies, as detected in the last step.
struct Contact {
  BodyId body_a = kNoBody, body_b = kNoBody;  ///< body_a < body_b
  Vec3 point;                                 ///< world, midway between the two surfaces
  Vec3 normal;                                ///< unit, world, from A to B
  double depth = 0.0;                         ///< negative for a gap
  double normal_impulse = 0.0;                ///< of the last substep, >= 0, on B along the normal
  Vec3 friction_impulse;                      ///< of the last substep, world, on B
};

/// What a contact point hands on to the next step.
struct ContactPointMemory {
  std::uint64_t feature = 0;    ///< of ContactPoint
  Vec3 position;                ///< at detection, in A's frame
  double normal_impulse = 0.0;  ///< of the last substep
  Vec3 friction_impulse;        ///< world frame
  friend bool operator==(const ContactPointMemory&, const ContactPointMemory&) = default;
};

/// What a contact patch hands on to the next step.
struct ManifoldMemory {
  std::int32_t part_a = -1, part_b = -1;  ///< parts of compounds
  std::uint32_t first = 0, count = 0;     ///< in WorldState::points
  Vec3 rolling_impulse;                   ///< angular, world frame
  friend bool operator==(const ManifoldMemory&, const ManifoldMemory&) = default;
};

/// A pair of bodies whose boxes overlap: its query cache, and its patches if it touches.
struct PairMemory {
  BodyId body_a = kNoBody, body_b = kNoBody;  ///< body_a < body_b
  QueryCache cache;
  std::uint32_t first = 0, count = 0;  ///< in WorldState::manifolds
  friend bool operator==(const PairMemory&, const PairMemory&) = default;
};

/// All of a world that changes with time, as plain data: a world that holds the same bodies and
/// settings and is given this state continues with the same bits. Bodies by id, pairs by both ids.
struct WorldState {
  std::uint64_t step = 0;
  BodyId next_id = 1;
  std::vector<BodyMotion> bodies;
  std::vector<PairMemory> pairs;
  std::vector<ManifoldMemory> manifolds;
  std::vector<ContactPointMemory> points;
  friend bool operator==(const WorldState&, const WorldState&) = default;
};

/// Throws InvalidInput naming the list and entry: bodies or pairs not in ascending order, counts
/// that point outside the lists, numbers that are not finite, an orientation that is not unit.
void validate(const WorldState& state);

/// FNV-1a over the bit patterns of all fields in order; negative zero counts as zero.
std::uint64_t hash(const WorldState& state);

}  // namespace tactus
