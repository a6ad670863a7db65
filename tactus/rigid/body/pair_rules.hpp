#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tactus/world.hpp"

namespace tactus::detail {

/// Two bodies by id, first < second.
using IdPair = std::pair<BodyId, BodyId>;

/// Is either body of a pair among these, which are in order?
template <class AnyPair>
bool names_one_of(const AnyPair& pair, std::span<const BodyId> bodies) {
  return std::binary_search(bodies.begin(), bodies.end(), pair.body_a) ||
         std::binary_search(bodies.begin(), bodies.end(), pair.body_b);
}

/// Rules of a world for pairs: bodies that must not touch, and surfaces by their kinds.
class PairRules {
 public:
  /// `a` and `b` differ.
  void exclude(BodyId a, BodyId b);
  /// Pairs that joints keep from touching, sorted.
  void set_jointed(std::vector<IdPair> pairs);
  /// Without `surface`: the rule of `combine` again.
  void set_surface(std::uint32_t kind_a, std::uint32_t kind_b,
                   const std::optional<SurfacePair>& surface);

  /// None where it is empty.
  void set_contact_rule(ContactRule rule) { rule_ = std::move(rule); }

  /// Do filters and exclusions let two bodies touch, one of which can move, or one alone is a
  /// sensor? `a` comes before `b`.
  bool may_touch(const Body& a, const Body& b) const;
  /// May two bodies touch, as `may_touch`, and push each other? Sensors do not push.
  bool may_push(const Body& a, const Body& b) const;
  /// Friction and restitution between two surfaces: the pair's own, else `combine`; symmetric.
  SurfacePair surface(const Material& a, const Material& b) const;
  /// The least restitution that is set for two kinds of surface; 1 where none is.
  double least_restitution() const;
  /// Terms of a patch of two bodies of this size: their surface pair, unless a one-way body or
  /// the contact rule has it otherwise.
  ContactTerms terms(const FoundContact& contact, double size) const;

 private:
  void find_untouchable();

  std::vector<IdPair> excluded_, jointed_, untouchable_;                     ///< all sorted
  std::map<std::pair<std::uint32_t, std::uint32_t>, SurfacePair> surfaces_;  ///< first <= second
  ContactRule rule_;
};

}  // namespace tactus::detail
