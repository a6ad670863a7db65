#pragma once

#include <memory>
#include <vector>

#include "tactus/rigid/contact/contact_set.hpp"
#include "tactus/rigid/joint/joint_set.hpp"
#include "tactus/rigid/motion/sleep.hpp"
#include "tactus/rigid/ranks/ranks.hpp"
#include "tactus/rigid/world/rigid_world.hpp"
#include "tactus/rigid/world/substep_choice.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

#ifdef TACTUS_WITHOUT_RANKS
/// Stands for the ranks in builds where there is never more than one, as in WebAssembly: what would
/// be done for others is left out of the code.
struct NoRanks {
  constexpr explicit operator bool() const { return false; }
  constexpr Ranks* get() const { return nullptr; }
  Ranks* operator->() const { return get(); }
};
using RanksPointer = NoRanks;
#else
using RanksPointer = std::unique_ptr<Ranks>;
#endif

/// The parts of a world that last from step to step: bodies, joints, contacts, sleep, and how
/// finely it steps.
struct WorldParts {
  WorldParts(WorldBodies& world, const WorldSettings& wanted)
      : common(world), settings(wanted), joints(world.space), contact_set(wanted.max_threads) {}

  WorldBodies& common;
  WorldSettings settings;
  SubstepChoice choice;
  JointSet joints;
  ContactSet contact_set;
  Sleep sleep;
  RanksPointer ranks;  ///< where other ranks have a part of the world

  /// Simulated time of the steps that are done.
  double time() const { return static_cast<double>(common.step_count) * settings.time_step; }
  bool may_sleep() const { return settings.sleep_time > 0.0; }
  /// Does a part of a step that may fail; on all ranks, where it fails on one.
  template <class Act>
  void together(const Act& act) {
    if (ranks)
      agree(ranks->exchange, act);
    else
      act();
  }
  /// Does it hold here, or on any other rank?
  bool any(bool here) const { return ranks ? ranks->exchange.any(here) : here; }
  /// After joints have changed: bodies that they hold together do not touch.
  void find_untouchable() { common.rules.set_jointed(joints.untouchable()); }
  /// For each body: do contacts, limits or motors carry it, or what it hangs on?
  std::vector<Carried> carried();
  /// Throws StepFault for a body that the step could not follow.
  void check_motion() const;
  /// Throws StepFault for what the step has made of the world, where that is no number: joints and
  /// contacts are looked at first, which the bodies follow.
  void require_finite() const;
};

// Which bodies wake, with all that they touch or are jointed to.

/// Wakes the groups of these bodies. Are there any, on any rank?
bool wake(WorldParts& parts, std::vector<std::uint32_t> disturbed);
/// Forces of this step wake what they act on.
void wake_forced(WorldParts& parts);
/// Wakes what other bodies may touch within the step. Did any sleep?
bool wake_reached(WorldParts& parts);
/// At the end of a step: what has been slow for long enough falls asleep.
void fall_asleep(WorldParts& parts);

}  // namespace tactus::detail
