#pragma once

#include <span>

#include "tactus/rigid/ranks/rank_region.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// All of the world's state, from the parts of each rank: `own` is what this one has. On every
/// rank, or on the first one alone, where `region` saves there: the others keep their part.
WorldState gather_state(const RankRegion& region, std::span<const Body> bodies, WorldState own);

}  // namespace tactus::detail
