#pragma once

#include <algorithm>
#include <span>

#include "tactus/rigid/contact/contact_set.hpp"
#include "tactus/rigid/contact/impact_log.hpp"
#include "tactus/rigid/motion/moving_bodies.hpp"
#include "tactus/rigid/solver/contact_solver.hpp"

namespace tactus::detail {

/// All that takes part in the contacts of a step: bodies where they were at its start, how they
/// move, their patches, and the solver's rows of these.
struct ContactStep {
  std::span<const Body> bodies;
  MovingBodies* moving = nullptr;
  ContactSet* contacts = nullptr;
  ContactSolver* solver = nullptr;
  const WorldSettings* settings = nullptr;
  double substep = 0.0;      ///< its length in time
  ImpactLog* log = nullptr;  ///< where somebody wants to know

  /// Slower approaches are stopped by the solver's rows, no impacts. An elastic pair never comes to
  /// rest.
  double threshold(const ContactConstraint& c) const {
    if (c.surface.restitution == 1.0) return 0.0;
    const double least = settings->restitution_threshold;
    if (c.surface.restitution > 0.0) return least;
    return std::max(least, settings->least_impact * c.size / substep);
  }
};

}  // namespace tactus::detail
