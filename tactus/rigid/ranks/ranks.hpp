#pragma once

#include <span>
#include <utility>
#include <vector>

#include "tactus/rigid/ranks/agree.hpp"
#include "tactus/rigid/ranks/rank_region.hpp"
#include "tactus/rigid/ranks/ranked_impacts.hpp"
#include "tactus/rigid/ranks/ranked_seams.hpp"
#include "tactus/rigid/ranks/ranked_sink.hpp"
#include "tactus/rigid/ranks/ranked_sleep.hpp"
#include "tactus/rigid/ranks/ranked_state.hpp"
#include "tactus/rigid/ranks/ranked_turns.hpp"

namespace tactus::detail {

/// One rank's part of a world that several ranks share, beside the world's own parts.
struct Ranks {
  Ranks(Exchange& between, std::span<const Body> bodies, const WorldSettings& settings)
      : exchange(between), region(between, bodies, settings) {}
  /// Shares a world of which each rank holds a part.
  Ranks(Exchange& between, std::span<const Body> part, BodyTable all, const WorldSettings& settings)
      : exchange(between), region(between, part, std::move(all), settings) {}

  /// A list that all have, as the rank that solves the joints has it.
  template <class T>
  std::vector<T> of_joint_rank(const std::vector<T>& mine) {
    if (mine.empty()) return mine;
    Parcel parcel;
    if (region.solves_joints()) parcel.add_list(mine);
    return ParcelReader(exchange.gather(parcel.take())[RankRegion::kJointRank])
        .template read_list<T>();
  }

  Exchange& exchange;
  RankRegion region;
  RankedTurns turns{region};
  RankedSeams seams{region};
  RankedImpacts impacts{region, seams};
  RankedSleep sleep{region};
  RankedSink sink{region};
};

/// Marks the bodies that contacts carry on any rank that knows them.
void share_carried(RankRegion& region, std::span<const Body> bodies, std::span<Carried> carried);
}  // namespace tactus::detail
