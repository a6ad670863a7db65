#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/motion/sleep.hpp"
#include "tactus/rigid/ranks/rank_region.hpp"

namespace tactus::detail {

/// Groups of bodies that reach over several ranks: what each rank knows of them is joined by the
/// bodies that others know, too.
class RankedSleep final : public GroupSharing {
 public:
  explicit RankedSleep(RankRegion& region) : region_(region) {}

  /// The bodies of the next calls.
  void set_bodies(std::span<const Body> bodies) { bodies_ = bodies; }
  /// Adds what the other ranks have disturbed. Is there anything on any of them?
  bool share_disturbed(std::vector<std::uint32_t>& disturbed);
  void share_marks(DisjointSets& groups, std::span<char> marked) override;

 private:
  RankRegion& region_;
  std::span<const Body> bodies_;
};

}  // namespace tactus::detail
