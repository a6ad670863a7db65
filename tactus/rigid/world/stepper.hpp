#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/contact/impact_phase.hpp"
#include "tactus/rigid/motion/moving_bodies.hpp"
#include "tactus/rigid/solver/contact_solver.hpp"
#include "tactus/rigid/world/touch_events.hpp"
#include "tactus/rigid/world/world_parts.hpp"

namespace tactus::detail {

/// Moves the bodies of a world by a step: finds contacts, and solves impacts, joints and contacts
/// substep by substep; detects anew where bodies have left the way that was predicted.
class Stepper {
 public:
  /// `parts` must outlive it.
  explicit Stepper(WorldParts& parts) : parts_(parts) {}

  /// Brings bodies back into a periodic space.
  void wrap();
  /// By how many periods, for each body, by the last `wrap`.
  std::vector<Periods>& wrapped() { return wrapped_; }
  /// Where ranks share a world: brings bodies and pairs to those that are to have them.
  void hand_out();
  /// Does the step up to the velocities at its end. `touches` notes what a detection within the
  /// step has found, but for the last one. Returns for how many substeps that one holds. Throws
  /// StepFault.
  int run(TouchEvents& touches, StepStatistics& statistics);
  /// By how much the last `run` has changed the energy of what swings on joints, relative to it; on
  /// all ranks.
  double swing_error() const { return swing_error_; }
  /// Blows that impacts of the step have given the walls that keep a force.
  std::span<const Blow> blows() const { return impacts_.blows(); }
  /// As the last substep has left it.
  const ContactSolver& solver() const { return solver_; }

 private:
  void distribute(double time, std::vector<Carried>& held, bool within_step);
  void detect(double time, std::vector<Carried>& held, bool within_step,
              StepStatistics& statistics);
  void group();
  void prepare_step(double time);
  void solve(int substep, double elapsed);
  void store();
  void to_end();
  bool follows_swings() const;
  void leave_out_pushed();
  double find_swing_error(std::span<const Carried> held) const;
  template <class Act>
  void with_joints(const Act& act);

  WorldParts& parts_;
  Columns columns_;
  ContactSolver solver_;
  MovingBodies moving_;
  ImpactPhase impacts_;
  std::vector<Periods> wrapped_;
  std::vector<Rolling> rolling_;  ///< by body
  double swing_error_ = 0.0;
};

}  // namespace tactus::detail
