#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/rigid/contact/candidate_pairs.hpp"
#include "tactus/rigid/contact/contact_state.hpp"

namespace tactus::detail {

/// Finds the pairs of a detection among those of the one before, by ids and image, and puts those
/// that rest last: of bodies that sleep or stand still.
class PairMatcher {
 public:
  /// Makes the pairs of the candidates in `state.now()`, with the caches of those in `state.old()`.
  void match(std::span<const Body> bodies, const CandidatePairs& candidates, ContactState& state,
             int max_threads);

  /// The pair as the detection before left it; null where it is new.
  const ContactPair* old_of(std::size_t pair) const { return matches_[pair]; }
  /// Pairs in the order of their patches: those that do not rest, then the others.
  std::span<const std::uint32_t> order() const { return order_; }
  std::span<const std::uint32_t> resting() const { return resting_; }

 private:
  std::vector<const ContactPair*> matches_;     ///< of each pair
  std::vector<std::uint32_t> order_, resting_;  ///< pairs: all, those that rest last; these
};

}  // namespace tactus::detail
