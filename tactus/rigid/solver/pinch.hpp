#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/rigid/solver/contact_constraint.hpp"
#include "tactus/rigid/solver/turn_sharing.hpp"

namespace tactus::detail {

/// Finds the patches of bodies that are pinched between two others that nothing moves, as a ball
/// between a press and a wall: those that overlap while the others close in on them, and those that
/// overlap deeply. So is the first of several bodies in a row, which a press overlaps and the next
/// body holds. No impulse solves them. Each side would push ever harder against the other one,
/// and shoot the body out where they are not quite opposed; so such patches stop approaches alone,
/// and forget their impulses from one substep to the next.
///
/// Sets `pinched` to one for each patch of a pinched body with such a partner, zero for all others.
/// All patches of a body with partners that do not move are known to the same rank; `sharing`,
/// where other ranks have a part of the world, asks for the rest. Cost: linear in the patches.
void find_pinched(std::span<const ContactPatch> patches, std::span<const SolverBody> bodies,
                  TurnSharing* sharing, std::vector<char>& pinched);

}  // namespace tactus::detail
