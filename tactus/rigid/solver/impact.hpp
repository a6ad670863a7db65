#pragma once

#include "tactus/rigid/solver/contact_constraint.hpp"

namespace tactus::detail {

/// Largest speed at which a point of the patch that touches approaches; negative if none does.
double approach_speed(const ContactConstraint& c, const SolverBody& a, const SolverBody& b);

/// An impact of two bodies in all points of a patch that touch, at this moment's velocities. First
/// their approach is stopped, by normal impulses and friction within the Coulomb disc; then the
/// normal impulses act once more, `restitution` times as strong, with the friction that they allow.
/// This restitution is scaled down where it would do more work than restitution^2 times what the
/// normal impulses took away before, or the whole impact did, so that friction never adds energy.
/// One point that sticks is solved exactly, others by sweeps to 1e-12 of the approach.
/// Source: stronge2000impact (energetic restitution).
void collide(const ContactConstraint& c, SolverBody& a, SolverBody& b, double restitution);

}  // namespace tactus::detail
