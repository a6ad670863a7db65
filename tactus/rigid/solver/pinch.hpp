#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/rigid/solver/contact_constraint.hpp"

namespace tactus::detail {

/// Finds the patches of bodies that are pinched between two others that nothing moves, as a ball
/// between a press and a wall: those that overlap while the others close in on them, and those that
/// overlap deeply. No impulse solves them. Each side would push ever harder against the other one,
/// and shoot the body out where they are not quite opposed; so such patches stop approaches alone,
/// and forget their impulses from one substep to the next.
///
/// Sets `pinched` to one for each patch of a pinched body with such a partner, zero for all others.
/// All patches of a body with partners that do not move are known to the same rank. Cost: linear in
/// the patches.
void find_pinched(std::span<const ContactPatch> patches, std::span<const SolverBody> bodies,
                  std::vector<char>& pinched);

}  // namespace tactus::detail
