#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tactus/rigid/ranks/keyed_pushes.hpp"
#include "tactus/rigid/solver/contact_solver.hpp"
#include "tactus/rigid/solver/turn_sharing.hpp"

namespace tactus::detail {

/// Hands on the velocities of bodies that several ranks know, between the turns of a sweep: who has
/// swept a body tells the rank that sweeps it next, before that turn, and after the last turn all
/// who know it. Who sweeps which body when is told once, when a step is prepared.
class RankedTurns final : public TurnSharing {
 public:
  explicit RankedTurns(RankRegion& region) : region_(region) {}

  std::uint32_t begin(const SolverBlocks& blocks, std::span<const ContactPatch> patches,
                      std::span<const SolverBody> bodies) override;
  void push(std::uint32_t patch, const ContactConstraint::Impulse& impulse) override;
  void end_pushes(std::span<SolverBody> bodies) override;
  void add_up(std::span<std::uint8_t> counts) override;
  bool any(bool here) override;
  void before(std::span<const SolverBody> bodies) override;
  void after(std::uint32_t turn, std::span<SolverBody> bodies) override;
  /// Bodies and contacts of what is prepared next; they must outlive the use.
  void set(std::span<const Body> bodies, const ContactSet& contacts) {
    bodies_ = bodies;
    contacts_ = &contacts;
  }
  /// As the solver does, by the patches of all ranks. After its `store`.
  void mark_rolling(const ContactSolver& solver, std::span<const SolverBody> bodies,
                    std::vector<Rolling>& rolling);
  /// The bodies of joints and those that contacts of these push, with 1: the rank that solves the
  /// joints tells all who know them.
  void share_pushed(std::span<char> pushed);
  /// All who know these bodies have them as that rank has left them.
  void share_joined(std::span<SolverBody> bodies);

 private:
  /// Bodies of a turn, in the order of the message, for one neighbour.
  using Bodies = std::vector<std::uint32_t>;
  /// Bodies that are told and heard after a turn, by ranks: those alone with whom there is
  /// anything.
  struct Turn {
    std::vector<int> to, from;
    std::vector<Bodies> told, heard;
  };
  /// Impulses of a body, which sweeps seldom change.
  struct ImpulsesOfBody {
    Vec3 linear, angular;
  };
  /// A body is swept in a turn by a rank.
  struct Stop {
    std::uint32_t body, turn;
    int rank;
    friend auto operator<=>(const Stop&, const Stop&) = default;
  };
  std::vector<Stop> own_stops(std::span<const ContactPatch> patches,
                              std::span<const SolverBody> bodies) const;
  void add_stops_of_others(std::vector<Stop>& stops);
  void hand_on(const Stop& stop, std::uint32_t turn, int to);

  /// When a patch is swept.
  struct Key {
    std::uint32_t turn = 0;
    PatchName patch;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  /// A patch says of the rolling of its bodies.
  struct RollingPart {
    PatchName patch;
    ContactSolver::RollingPart part;
  };

  RankRegion& region_;
  std::span<const Body> bodies_;
  const ContactSet* contacts_ = nullptr;
  const SolverBlocks* blocks_ = nullptr;
  std::vector<Turn> shares_;
  Bodies handed_on_;                     ///< bodies of any turn
  std::vector<ImpulsesOfBody> seen_;     ///< by body: of these, before the sweep
  std::vector<KeyedPush<Key>> started_;  ///< by patch
  std::vector<char> starts_;             ///< by patch: with an impulse
  Bodies joined_;                        ///< of joints, and pushed with them; unknown ones too
  std::vector<std::string> messages_;
};

}  // namespace tactus::detail
