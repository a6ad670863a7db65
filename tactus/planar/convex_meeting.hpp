#pragma once

#include "tactus/planar/meeting.hpp"

namespace tactus::detail {

/// How two small convex regions meet. `overlap`: the boundaries cross at two places.
enum class ConvexMeeting : std::uint8_t { unknown, apart, overlap };

/// Between the edges of two pieces in a run.
constexpr std::uint32_t kRunGap = 0xffffffffU;

/// Meeting of two small convex regions, as by find_meeting and a walk along the crossings, from the
/// heights of all corners over all edges. Finds the corners near an edge of the other, and of an
/// overlap the edges of each one inside the other, in order, with a gap at the end. `unknown` where
/// a height is within its rounding, no corner lies in the other, or the boundaries may cross at
/// more than two places. Cost: O(n m), two heights at a time.
ConvexMeeting find_convex_meeting(const MovedPair& pair, double threshold,
                                  std::vector<NearCorner>& near, std::vector<std::uint32_t>& run_a,
                                  std::vector<std::uint32_t>& run_b);

}  // namespace tactus::detail
