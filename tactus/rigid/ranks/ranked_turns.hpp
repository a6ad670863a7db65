#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tactus/rigid/ranks/region.hpp"
#include "tactus/rigid/solver/turn_sharing.hpp"

namespace tactus::detail {

/// Hands on the velocities of bodies that several ranks know, after each turn of a sweep: who has
/// swept a body in the turn tells all who know it. Which bodies these are is told once, when a step
/// is prepared.
class RankedTurns final : public TurnSharing {
 public:
  explicit RankedTurns(Region& region) : region_(region) {}

  std::uint32_t begin(const SolverBlocks& blocks, std::span<const ContactPatch> patches,
                      std::span<const SolverBody> bodies) override;
  void after(std::uint32_t turn, std::span<SolverBody> bodies) override;
  /// Ids of the bodies, in their order.
  void set_bodies(std::span<const Body> bodies) { ids_ = bodies; }

 private:
  /// Bodies of a turn, in the order of the message, for one neighbour.
  using Bodies = std::vector<std::uint32_t>;
  struct Turn {
    std::vector<Bodies> told, heard;  ///< by neighbour
  };

  Region& region_;
  std::span<const Body> ids_;
  std::vector<Turn> turns_;
  std::vector<std::string> messages_;
};

}  // namespace tactus::detail
