#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/solver/contact_constraint.hpp"
#include "tactus/rigid/solver/solver_blocks.hpp"
#include "tactus/rigid/solver/sweep.hpp"
#include "tactus/rigid/solver/sweep_groups.hpp"
#include "tactus/rigid/solver/turn_sharing.hpp"

namespace tactus::detail {

/// In place of what a sweep could call for the bodies of slabs.
inline void nothing(SolverBlocks::Range /*slabs*/) {}

/// Sequential-impulse solver for all patches of a step, one substep at a time.
///
/// Per substep the caller integrates outside forces into the velocities, lets impacts happen, gives
/// the bodies the impulses of the last substep (their sum by body is `SolverBody::impulse`),
/// calls `solve`, moves the bodies, and calls `relax`. `solve` lets overlapping contacts push as
/// damped springs; `relax` removes the velocity that the push left. A gap closes at most to zero
/// within a substep. Friction keeps to the Coulomb disc at every point; rolling and torsional
/// resistance are bounded by the patch's normal force. Sweeps go through the patches in blocks
/// (solver_blocks.hpp), on all threads, several at once (sweep_groups.hpp). Cost: linear in the
/// points. Source: catto2024solver2d, macklin2019smallsteps.
class ContactSolver {
 public:
  /// From now on the bodies are shared with other ranks; null: with none. Must outlive the use.
  void share(TurnSharing* sharing) { sharing_ = sharing; }
  TurnSharing* sharing() const { return sharing_; }
  /// Takes over the patches of a step with the impulses to start from, times `scale`; the bodies,
  /// which stand in these columns, are pushed by them.
  void prepare(std::span<const ContactPatch> patches, std::span<const PatchImpulses> impulses,
               double scale, std::span<SolverBody> bodies, const Columns& columns,
               const WorldSettings& settings);
  std::span<ContactConstraint> constraints() { return constraints_; }
  std::span<const ContactConstraint> constraints() const { return constraints_; }
  const SolverBlocks& blocks() const { return blocks_; }
  /// From now on the patch is solved elsewhere, in its constraint alone: sweeps leave it out.
  void hand_over(std::uint32_t patch) {
    handed_over_[patch] = 1;
    groups_.leave_out(patch, true);
  }
  bool is_handed_over(std::uint32_t patch) const { return handed_over_[patch] != 0; }
  /// Brings what sweeps have changed of a patch into its constraint; gives a constraint that was
  /// placed anew to the sweeps, one after the other.
  void read(std::uint32_t patch) {
    if (handed_over_[patch] == 0) groups_.read(patch, constraints_[patch]);
  }
  void write(std::uint32_t patch, std::span<const SolverBody> bodies) {
    if (handed_over_[patch] == 0) groups_.write(constraints_[patch], patch, bodies);
  }
  /// Reads all, and hands out their impulses times `scale`.
  void store(std::span<PatchImpulses> impulses, double scale);
  /// Does the patch push its bodies?
  bool pushes(std::uint32_t patch) const {
    if (handed_over_[patch] != 0) return constraints_[patch].pushes();
    return left_out_[patch] == 0 && (constraints_[patch].rolling_impulse != Vec3{} ||
                                     constraints_[patch].adheres || groups_.pushes(patch));
  }
  /// Sweeps leave out a patch that cannot touch and does not push, until it is told otherwise.
  void leave_out(std::uint32_t patch, bool out) {
    left_out_[patch] = out;
    groups_.leave_out(patch, out || handed_over_[patch] != 0);
  }
  bool is_left_out(std::uint32_t patch) const { return left_out_[patch] != 0; }
  /// A copy of all that sweeps hold of a patch and of those beside it: `restore` brings it back,
  /// the last saved first.
  SweepGroups::Copy save(std::uint32_t patch) const { return groups_.save(patch); }
  void restore(const SweepGroups::Copy& copy) { groups_.restore(copy); }
  /// A patch says of the rolling of its bodies.
  struct RollingPart {
    bool creeps = false, pushes = false;
    bool passive = false;  ///< does no work but by slipping
    double work = 0.0;     ///< as of Rolling
    /// To a body of which a patch creeps.
    void add_to(Rolling& body) const;
  };
  static RollingPart rolling_part(const ContactConstraint& c, std::span<const SolverBody> bodies);
  /// Finds for each body whether it rolls. After `store`.
  void mark_rolling(std::span<const SolverBody> bodies, std::vector<Rolling>& rolling) const;
  const SweepRates& rates() const { return rates_; }
  /// Sweeps. Before the first and after the last patch of their bodies, `begin` and `end` are
  /// called for ranges of slabs (`SolverBlocks::begun`), on all threads: while a thread has these
  /// bodies at hand.
  template <class Begin, class End>
  void solve(std::span<SolverBody> bodies, const Begin& begin, const End& end) {
    sweep(sweeps().solve, bodies, begin, end);
  }
  template <class Begin, class End>
  void relax(std::span<SolverBody> bodies, const Begin& begin, const End& end) {
    sweep(sweeps().relax, bodies, begin, end);
  }

 private:
  template <class Begin, class End>
  void sweep(Sweeps::Sweep kind, std::span<SolverBody> bodies, const Begin& begin, const End& end) {
    if (sharing_ != nullptr) {
      const SolverBlocks::Range all{0, blocks_.slabs()};
      begin(all);
      for_each_turn(
          [&](std::size_t part) {
            kind(rates_, groups_.list(part), bodies.data(), constraints_.data());
          },
          bodies);
      end(all);
      return;
    }
    blocks_.for_each_part(
        [&](std::size_t part) {
          begin(blocks_.begun(part));
          kind(rates_, groups_.list(part), bodies.data(), constraints_.data());
          end(blocks_.ended(part));
        },
        max_threads_);
  }

  /// Part by part, with the bodies handed on after each turn.
  template <class Sweep>
  void for_each_turn(const Sweep& sweep, std::span<SolverBody> bodies) {
    sharing_->before(bodies);
    blocks_.for_each_turn(
        turn_count_, sweep, [&](std::uint32_t turn) { sharing_->after(turn, bodies); },
        max_threads_);
  }

  SweepRates rates_;
  TurnSharing* sharing_ = nullptr;
  std::uint32_t turn_count_ = 0;  ///< of all ranks
  int max_threads_ = 0;
  std::vector<ContactConstraint> constraints_;
  std::vector<char> left_out_, handed_over_, pinched_;  ///< by patch
  SolverBlocks blocks_;
  SweepGroups groups_;
};

}  // namespace tactus::detail
