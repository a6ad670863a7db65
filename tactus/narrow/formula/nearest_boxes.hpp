#pragma once

#include "tactus/narrow/formula/sat.hpp"

namespace tactus::detail {

/// Nearest points of two boxes that are apart, in A's frame: n, value, witnesses and uniqueness of
/// `f`.
///
/// A point of one box is projected onto the other one and back; the pair of edges that both points
/// lie on, or the line along a coordinate in which one of them is free, is minimised at once where
/// projections alone would creep. Two of three random pairs need one round, one of twenty more than
/// three. The direction follows from the features (face normal, common normal of two edges, across
/// an edge), so that it is exact at gaps of any size, and is the proof: true only when the gap that
/// it separates, over all corners, and the length between the witnesses agree within rounding.
/// False, `f` without meaning, for boxes that meet or nearly do, and after some rounds. Cost: some
/// 300 instructions a round. Source: cheney1959proximity (alternating projections); the exact steps
/// and the proof are ours.
bool nearest_points(const BoxPair& boxes, ClosedForm& f);

}  // namespace tactus::detail
