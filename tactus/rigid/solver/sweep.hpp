#pragma once

#include "tactus/rigid/solver/sweep_groups.hpp"

namespace tactus::detail {

/// The contact spring of a substep: a damped spring, solved implicitly, as velocity bias, softened
/// mass and leak of the impulse.
struct SweepRates {
  double substep_rate = 0.0;  ///< substeps per time
  double bias_rate = 0.0;
  double mass_scale = 0.0;
  double impulse_scale = 0.0;
};

/// One sweep of sequential impulses over the patches of a list that are not left out: in every
/// patch friction and rolling first, the normal last, since not to penetrate is worth most. In
/// `solve` points that overlap act as springs; `relax` takes away the velocity that this left, lets
/// friction follow the load, and ends the substep. Patches without load to start from are swept by
/// themselves until they settle. `constraints`: of all patches; those that resist turning carry
/// that impulse.
struct Sweeps {
  using Sweep = void (*)(const SweepRates& rates, SweepList& list, SolverBody* bodies,
                         ContactConstraint* constraints);
  Sweep solve, relax;
};

/// In as many lanes as the processor has, and in two. They give the same bits.
const Sweeps& sweeps();
const Sweeps& sweeps_in_two_lanes();

}  // namespace tactus::detail
