#include "tactus/rigid/world/stepper.hpp"

#include <cmath>
#include <utility>

#include "tactus/rigid/body/body_access.hpp"
#include "tactus/rigid/body/step_fault.hpp"

namespace tactus::detail {

void Stepper::wrap() {
  if (!parts_.common.space.any()) return;
  parts_.common.space.set_time(parts_.time());
  wrapped_.assign(parts_.common.bodies.size(), {});
  bool any = false;
  for (std::size_t i = 0; i < wrapped_.size(); ++i) {
    wrapped_[i] = parts_.common.space.bring_back(parts_.common.bodies[i]);
    any = any || wrapped_[i] != Periods{};
  }
  if (!any) return;
  parts_.contact_set.wrap(parts_.common.bodies, wrapped_);
  parts_.joints.wrap(parts_.common.bodies, wrapped_);
}

/// Does what joints do to bodies: on one of several ranks, which tells the others.
template <class Act>
void Stepper::with_joints(const Act& act) {
  if (!parts_.ranks) {
    act();
  } else if (!parts_.joints.joints().empty()) {
    if (parts_.ranks->region.solves_joints()) act();
    parts_.ranks->turns.share_joined(moving_.solver_bodies());
  }
}

/// Brings bodies and pairs to the ranks that are to have them.
void Stepper::distribute(double time, std::vector<Carried>& held, bool within_step) {
  parts_.ranks->region.set_jointed(parts_.joints.bodies());
  parts_.ranks->region.distribute({parts_.common.bodies, parts_.contact_set, moving_,
                                   parts_.settings, time, within_step, held});
  parts_.joints.find_again(parts_.common.bodies);
}

void Stepper::hand_out() {
  if (!parts_.ranks) return;
  std::vector<Carried> held(parts_.common.bodies.size(), Carried::no);
  distribute(parts_.settings.time_step, held, false);
}

/// Finds the contacts for what is left of the step; `held` goes with the bodies where these have
/// other places in their list after it.
void Stepper::detect(double time, std::vector<Carried>& held, bool within_step,
                     StepStatistics& statistics) {
  do {
    if (parts_.ranks) distribute(time, held, within_step);
    parts_.contact_set.set_now(parts_.time() + (parts_.settings.time_step - time));
    parts_.together([&] {
      parts_.contact_set.detect(parts_.common.bodies, parts_.settings, parts_.common.rules, time);
    });
    if (parts_.ranks) parts_.ranks->seams.judge(parts_.contact_set, parts_.common.bodies);
    statistics.broad_ms += parts_.contact_set.broad_ms();
    statistics.narrow_ms += parts_.contact_set.narrow_ms();
  } while (wake_reached(parts_));
}

/// Groups the bodies by the parts of the solver's sweeps; apart stand those that no part has for
/// itself: of joints, of patches that push these, and of patches that reach far.
void Stepper::group() {
  std::vector<char> apart(parts_.common.bodies.size(), 0);
  parts_.joints.mark(apart);
  parts_.joints.take_contacts(solver_, moving_.solver_bodies(), apart);
  if (parts_.ranks && !parts_.joints.joints().empty()) parts_.ranks->turns.share_pushed(apart);
  for (const std::uint32_t i : solver_.blocks().far_patches()) {
    const ContactPatch& patch = parts_.contact_set.patches()[i];
    apart[patch.body_a] = apart[patch.body_b] = 1;
  }
  moving_.group(solver_.blocks(), columns_, apart);
}

/// Prepares what is left of the step for the contacts that were found.
void Stepper::prepare_step(double time) {
  const WorldSettings& stepping = parts_.choice.stepping();
  const double scale = static_cast<double>(parts_.settings.substeps) / stepping.substeps;
  moving_.load(parts_.common.bodies, stepping, time);
  if (parts_.ranks) {
    columns_.place(parts_.common.bodies, stepping, parts_.ranks->region.width());
    parts_.ranks->turns.set(parts_.common.bodies, parts_.contact_set);
  } else {
    columns_.place(parts_.common.bodies, stepping);
  }
  solver_.share(parts_.ranks ? &parts_.ranks->turns : nullptr);
  solver_.prepare(parts_.contact_set.patches(), std::as_const(parts_.contact_set).impulses(), scale,
                  moving_.solver_bodies(), columns_, stepping);
  group();
  impacts_.prepare(parts_.common.bodies, moving_, parts_.contact_set, solver_, stepping);
  parts_.joints.load(moving_, stepping, scale);
}

/// The rest of a substep after its impacts; bodies that do not stand apart also get the velocities
/// of the next one. `elapsed`: since `prepare_step`.
void Stepper::solve(int substep, double elapsed) {
  const int substeps = parts_.choice.stepping().substeps;
  const bool near_end = substep + 3 >= substeps, last = substep + 1 == substeps;
  const MovingBodies::Slabs apart = moving_.apart();
  const auto warm_start = [&](MovingBodies::Slabs slabs) { moving_.warm_start(slabs, near_end); };
  const auto integrate = [&](MovingBodies::Slabs slabs) { moving_.integrate_positions(slabs); };
  const auto end = [&](MovingBodies::Slabs slabs) {
    moving_.end_substep(slabs, near_end, elapsed);
  };
  const auto go_on = [&](MovingBodies::Slabs slabs) {
    end(slabs);
    if (!last) moving_.integrate_velocities(slabs);
  };
  warm_start(apart);
  with_joints([&] {
    parts_.joints.start(moving_);
    parts_.joints.solve(moving_, solver_);
  });
  if (parts_.ranks) moving_.begin_contacts(apart);
  solver_.solve(moving_.solver_bodies(), warm_start, integrate);
  integrate(apart);
  with_joints([&] { parts_.joints.relax(moving_, solver_); });
  if (parts_.ranks) moving_.begin_contacts(apart);
  solver_.relax(moving_.solver_bodies(), nothing, go_on);
  end(apart);
}

void Stepper::store() {
  moving_.store(parts_.common.bodies);
  const double scale =
      static_cast<double>(parts_.choice.stepping().substeps) / parts_.settings.substeps;
  solver_.store(parts_.contact_set.impulses(), scale);
  parts_.joints.store(scale);
  if (parts_.ranks) parts_.joints.take_memory(parts_.ranks->of_joint_rank(parts_.joints.memory()));
  parts_.together([&] { parts_.require_finite(); });
}

/// Shall the energy of what swings on joints choose the substeps?
bool Stepper::follows_swings() const {
  return parts_.settings.load_overlap > 0.0 && !parts_.joints.joints().empty();
}

/// Contacts and impacts since `prepare_step` may have changed the energy of what swings.
void Stepper::leave_out_pushed() {
  if (!follows_swings()) return;
  std::vector<Carried> pushed(parts_.common.bodies.size(), Carried::no);
  const auto patches = parts_.contact_set.patches();
  const auto constraints = solver_.constraints();
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (!constraints[i].struck && constraints[i].load == 0.0) continue;
    pushed[patches[i].body_a] = pushed[patches[i].body_b] = Carried::by_contacts;
  }
  if (parts_.ranks) share_carried(parts_.ranks->region, parts_.common.bodies, pushed);
  parts_.joints.leave_out_energy(pushed);
}

/// The error of energy of what swings, which one rank knows.
double Stepper::find_swing_error(std::span<const Carried> held) const {
  if (!follows_swings()) return 0.0;
  if (!parts_.ranks) return parts_.joints.energy_error(parts_.common.bodies, held);
  const bool known = parts_.ranks->region.solves_joints();
  return parts_.ranks->exchange.most(known ? parts_.joints.energy_error(parts_.common.bodies, held)
                                           : 0.0);
}

/// Brings the velocities to the end of the step.
void Stepper::to_end() {
  const std::vector<Carried> held = parts_.carried();
  parts_.joints.note_pulls(moving_);
  if (parts_.ranks)
    parts_.ranks->turns.mark_rolling(solver_, moving_.solver_bodies(), rolling_);
  else
    solver_.mark_rolling(moving_.solver_bodies(), rolling_);
  moving_.to_end(held, rolling_);
  with_joints([&] { parts_.joints.to_end(moving_, held); });
  moving_.store_velocities(parts_.common.bodies);
  swing_error_ = find_swing_error(held);
}

int Stepper::run(TouchEvents& touches, StepStatistics& statistics) {
  std::vector<Carried> held = parts_.carried();
  impacts_.forget_blows();
  detect(parts_.settings.time_step, held, false, statistics);
  prepare_step(parts_.settings.time_step);
  if (follows_swings()) parts_.joints.note_energy(parts_.common.bodies, held, parts_.settings);
  moving_.to_middle(held);
  with_joints([&] { parts_.joints.to_middle(moving_, held); });
  const int substeps = parts_.choice.stepping().substeps;
  const double substep = parts_.settings.time_step / substeps;
  int prepared = 0;
  for (int i = 0; i < substeps; ++i) {
    if (parts_.any(moving_.strayed())) {
      moving_.take_back_velocities(moving_.in_slabs());
      store();
      leave_out_pushed();
      touches.note(parts_.common.bodies, parts_.contact_set, solver_);
      std::vector<Carried> unused(parts_.common.bodies.size(), Carried::no);
      detect(substep * (substeps - i), unused, true, statistics);
      prepare_step(substep * (substeps - i));
      prepared = i;
    }
    parts_.joints.note_springs(moving_);
    if (i == prepared) moving_.integrate_velocities(moving_.in_slabs());
    moving_.integrate_velocities(moving_.apart());
    if (parts_.ranks)
      parts_.ranks->impacts.run(impacts_);
    else
      impacts_.run();
    solve(i, substep * (i + 1 - prepared));
  }
  store();
  parts_.together([&] { parts_.joints.require_held(parts_.common.bodies); });
  leave_out_pushed();
  to_end();
  statistics.substeps = substeps;
  return substeps - prepared;
}

}  // namespace tactus::detail
