#pragma once

#include <span>
#include <vector>

#include "tactus/dynamics/contact/contact_constraint.hpp"
#include "tactus/dynamics/contact/solver_blocks.hpp"

namespace tactus::detail {

/// Sequential-impulse solver for all patches of a step, one substep at a time.
///
/// Per substep the caller integrates outside forces into the velocities, lets impacts happen, gives
/// the bodies the impulses of the last substep (their sum by body is `push` of their constraints),
/// calls `solve`, moves the bodies, and calls `relax`. `solve` lets overlapping contacts push as
/// damped springs; `relax` removes the velocity that the push left. A gap closes at most to zero
/// within a substep. Friction keeps to the Coulomb disc at every point; rolling and torsional
/// resistance are bounded by the patch's normal force. Sweeps go through the patches in blocks
/// (solver_blocks.hpp), on all threads. Cost: linear in the points. Source: catto2024solver2d,
/// macklin2019smallsteps.
class ContactSolver {
 public:
  /// Takes over the patches of a step with the impulses to start from, times `scale`.
  void prepare(std::span<const ContactPatch> patches, std::span<const PatchImpulses> impulses,
               double scale, std::span<const SolverBody> bodies, const WorldSettings& settings);
  std::span<ContactConstraint> constraints() { return constraints_; }
  std::span<const ContactConstraint> constraints() const { return constraints_; }
  const SolverBlocks& blocks() const { return blocks_; }
  /// Does the patch push its bodies?
  bool pushes(std::uint32_t patch) const {
    return left_out_[patch] == 0 && constraints_[patch].pushes();
  }
  /// Sweeps leave out the patches that are marked, until the next call: those that cannot touch,
  /// and do not push.
  void leave_out(std::span<const char> patches, std::span<const SolverBody> bodies);
  void solve(std::span<SolverBody> bodies);
  void relax(std::span<SolverBody> bodies);

 private:
  enum class Mode { push, rigid };
  struct Swept;

  using Patches = std::span<const std::uint32_t>;

  /// Calls `sweep(patches)` with some patches that share no moving body, in the order of the
  /// blocks, until every patch was swept.
  template <class Sweep>
  void sweep(const Sweep& sweep);
  void begin_substep(ContactConstraint& c, std::span<const SolverBody> bodies) const;
  static void end_substep(ContactConstraint& c, std::span<SolverBody> bodies);
  template <Mode Kind>
  void iterate(Patches patches, std::span<SolverBody> bodies);
  void solve_normal(Swept& s, int k, Mode mode) const;
  static void solve_rolling(Swept& s);

  double substep_ = 0.0, substep_rate_ = 0.0;
  double bias_rate_ = 0.0, mass_scale_ = 0.0, impulse_scale_ = 0.0;  ///< of the contact spring
  int max_threads_ = 0;
  std::vector<ContactConstraint> constraints_;
  std::vector<char> left_out_;  ///< by patch
  SolverBlocks blocks_;
};

}  // namespace tactus::detail
