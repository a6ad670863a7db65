#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/rigid/contact/contact_step.hpp"

namespace tactus::detail {

/// Detects patches again whose bodies have moved since: all stale ones at the start of a substep,
/// and one before each impact. The solver goes on with what is found.
class ContactRefresh {
 public:
  /// A patch whose bodies have moved against each other by less than this part of the size is never
  /// stale.
  static constexpr double kStaleRim = 0.00025;

  /// `step` must outlive it.
  explicit ContactRefresh(const ContactStep& step) : step_(step) {}

  /// Is the patch to be detected again at the start of the substep?
  bool is_stale(std::uint32_t patch) const;
  /// Detects patches again at the start of a substep, in parallel: no body changes meanwhile.
  void at_start(std::span<const std::uint32_t> patches);
  /// The solver's sweeps go on with the patch as `at_start` has found it.
  void take_over(std::size_t index, std::uint32_t patch) { take_over(patch, before_[index]); }
  /// Detects a patch again at a time within the substep, where its bodies have moved since. Did it?
  bool at(std::uint32_t patch, double time);

 private:
  bool turns(const ContactConstraint& c) const;
  void detect_again(std::uint32_t patch, double time, bool with_impulses,
                    std::vector<Manifold>& scratch);
  void judge(std::uint32_t patch, double time);
  void detect_rolling(std::uint32_t patch, std::vector<Manifold>& scratch);
  void take_over(std::uint32_t patch, const ContactConstraint::Impulse& before);

  const ContactStep& step_;
  std::vector<ContactConstraint::Impulse> before_;  ///< what stale patches did until now
  std::vector<Manifold> scratch_;
};

}  // namespace tactus::detail
