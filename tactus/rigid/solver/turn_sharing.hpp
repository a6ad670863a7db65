#pragma once

#include <cstdint>
#include <span>

#include "tactus/rigid/solver/contact_constraint.hpp"

namespace tactus::detail {

class SolverBlocks;

/// Hands on the bodies that patches of several ranks push, turn by turn: in no turn is a body
/// pushed by two ranks.
class TurnSharing {
 public:
  TurnSharing() = default;
  TurnSharing(const TurnSharing&) = delete;
  TurnSharing& operator=(const TurnSharing&) = delete;
  virtual ~TurnSharing() = default;

  /// For the patches of a step, as they were arranged; returns the number of turns of all ranks.
  virtual std::uint32_t begin(const SolverBlocks& blocks, std::span<const ContactPatch> patches,
                              std::span<const SolverBody> bodies) = 0;
  /// A patch starts with an impulse: its bodies have it after `end_pushes`, together with those of
  /// all patches of all ranks, added up turn by turn in the order of patches. From several threads.
  virtual void push(std::uint32_t patch, const ContactConstraint::Impulse& impulse) = 0;
  virtual void end_pushes(std::span<SolverBody> bodies) = 0;
  /// Numbers by body, of the patches of this rank: all who know a body have the sum of those of all
  /// ranks after it. Sums end at 255.
  virtual void add_up(std::span<std::uint8_t> counts) = 0;
  /// Does it hold on this rank, or on any other one?
  virtual bool any(bool here) = 0;
  /// Before the first turn: all who know a body have it alike.
  virtual void before(std::span<const SolverBody> bodies) = 0;
  /// After a turn: who sweeps a body next has it as the turn has left it; after the last turn all
  /// who know it.
  virtual void after(std::uint32_t turn, std::span<SolverBody> bodies) = 0;
};

}  // namespace tactus::detail
