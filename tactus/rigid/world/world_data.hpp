#pragma once

#include <span>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/rigid/contact/contact_set.hpp"
#include "tactus/rigid/contact/impact_phase.hpp"
#include "tactus/rigid/joint/joint_set.hpp"
#include "tactus/rigid/motion/moving_bodies.hpp"
#include "tactus/rigid/motion/sleep.hpp"
#include "tactus/rigid/solver/contact_solver.hpp"
#include "tactus/rigid/world/rigid_world.hpp"
#include "tactus/rigid/world/substep_choice.hpp"
#include "tactus/world.hpp"

namespace tactus {

/// Everything that a world holds beside its bodies.
struct World::Data {
  Data(Common& world, const WorldSettings& wanted)
      : common(world), settings(wanted), joints(world.space), contact_set(wanted.max_threads) {}

  Common& common;
  WorldSettings settings;
  detail::SubstepChoice choice;
  detail::JointSet joints;
  JointId next_joint = 1;
  detail::ContactSet contact_set;
  detail::ContactSolver solver;
  detail::MovingBodies moving;
  detail::ImpactPhase impacts;
  detail::Sleep sleep;
  std::vector<Contact> contacts;
  std::vector<detail::Periods> wrapped;  ///< of each body, by the last `wrap`
  /// `touched` of this step, sorted at its end; `known`: those of the step before.
  std::vector<TouchingPair> touched, touching, known, begun, ended;
  StepStatistics statistics;

  /// State before the present step, of all that it changes: `undo` brings it back, bit for bit.
  struct Before {
    bool whole = false;  ///< all of it was noted; nothing has been changed before
    std::vector<BodyMotion> motions;
    struct Forces {
      Vec3 force, torque;
    };
    std::vector<Forces> forces;  ///< of the bodies
    double stiffening = 1.0;
    std::uint64_t step_count = 0;
    std::vector<detail::Periods> wrapped;  ///< at the start of the step
    std::vector<Contact> contacts;
    std::vector<TouchingPair> touching, known, begun, ended;
  };
  Before before;

  void begin();
  void advance();
  void undo() noexcept;
  void swap_reports() noexcept;
  void require_finite() const;
  void find_untouchable();
  std::vector<detail::Carried> carried();
  void drop_forces();
  void check_motion() const;
  void wrap();
  bool may_sleep() const { return settings.sleep_time > 0.0; }
  std::vector<detail::Sleep::Link> links() const;
  void wake(std::span<const std::uint32_t> disturbed);
  void wake_forced();
  bool wake_reached();
  void detect(double time);
  void group();
  void prepare_step(double time);
  void solve(int substep, double elapsed);
  void store();
  void note_touches();
  void find_touches();
  void to_end();
  /// Two things that do not depend on each other.
  template <class One, class Other>
  void at_once(const One& one, const Other& other) const {
    parallel_for(
        2, 1,
        [&](std::size_t begin, std::size_t /*end*/) {
          if (begin == 0)
            one();
          else
            other();
        },
        settings.max_threads);
  }
  void collect_contacts();
  void measure();
  void restore_joints(const WorldState& state);
};

}  // namespace tactus
