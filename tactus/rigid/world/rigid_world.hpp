#pragma once

#include <vector>

#include "tactus/rigid/body/pair_rules.hpp"
#include "tactus/rigid/body/periodic.hpp"
#include "tactus/rigid/ranks/rank_region.hpp"
#include "tactus/rigid/world/body_index.hpp"
#include "tactus/world.hpp"

namespace tactus {

namespace detail {

/// The bodies of a world.
struct WorldBodies {
  std::vector<Body> bodies;  ///< by id
  BodyId next_id = 1;
  std::uint64_t step_count = 0;
  PairRules rules;
  BodyIndex index;
  PeriodicBox space;
  LockedAxes lock;               ///< of all bodies
  RankRegion* region = nullptr;  ///< of this rank, where others have a part of the world

  /// Before a call changes bodies: all ranks, which make the same call, know all of them.
  void know_all() {
    if (region == nullptr) return;
    region->know_all(bodies);
    region->look_again();
    index.clear();
  }
  /// Bodies are those that this rank knows.
  void hide() {
    if (region == nullptr || !region->shows_on_first()) return;
    region->hide(bodies);
    index.clear();
  }

  /// Bodies that this rank knows.
  std::span<const Body> known() const {
    return region == nullptr ? std::span<const Body>(bodies) : region->known(bodies);
  }

  /// The first body whose id is not below `id`.
  std::vector<Body>::iterator find(BodyId id);
  /// Throws InvalidInput (`id`) when there is none.
  Body& at(BodyId id);
  /// Throws StepFault for a body whose motion nothing could follow.
  void refuse_absurd_motion(double time_step) const;
  /// Counts, energies and speeds.
  void measure(const Vec3& gravity, StepStatistics& statistics) const;
};

}  // namespace detail

struct RigidWorld::Common : detail::WorldBodies {};

}  // namespace tactus
