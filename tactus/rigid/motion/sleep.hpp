#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/core/disjoint_sets.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Joins groups of bodies that reach beyond those that are known here.
class GroupSharing {
 public:
  GroupSharing() = default;
  GroupSharing(const GroupSharing&) = delete;
  GroupSharing& operator=(const GroupSharing&) = delete;
  virtual ~GroupSharing() = default;
  /// Marks the groups, each by its first body, of which any part elsewhere is marked.
  virtual void share_marks(DisjointSets& groups, std::span<char> marked) = 0;
};

/// Which bodies sleep. Moving bodies that touch or are jointed make a group, which falls asleep and
/// wakes as a whole. Cost of a group's change: linear in bodies and links.
class Sleep {
 public:
  /// Two bodies that touch or are jointed: positions in the list of bodies.
  struct Link {
    std::uint32_t a, b;
  };

  /// Wakes the groups of these bodies, and of those that they touch or are jointed to.
  void wake(std::span<Body> bodies, std::span<const Link> links,
            std::span<const std::uint32_t> disturbed);
  /// After a step: notes for how long the bodies have been slow. A group whose bodies all have for
  /// long enough falls asleep, unless a body that is led along touches it.
  void settle(std::span<Body> bodies, std::span<const Link> links, const WorldSettings& settings);

  /// Groups reach beyond these bodies; null: they do not. Must outlive the use.
  void share(GroupSharing* sharing) { sharing_ = sharing; }

 private:
  void find_groups(std::span<const Body> bodies, std::span<const Link> links);

  GroupSharing* sharing_ = nullptr;
  DisjointSets groups_;       ///< of bodies
  std::vector<char> marked_;  ///< by the first body of a group
};

/// Can the body move, or push, one that sleeps? It is awake, or led along.
bool stirs(const Body& body);

}  // namespace tactus::detail
