#pragma once

#include "tactus/query/plan/leaf.hpp"

namespace tactus::detail {

/// A pair of a batch and where its answer goes.
struct LeafPair {
  const PlacedShape* a;
  const PlacedShape* b;
  DistanceResult* out;
};

/// Kinds of leaves that are there for lanes.
inline constexpr int kLaneKinds = 4;
/// Pairs taken at once at most; `LaneLeaves::lanes` by this processor.
inline constexpr unsigned kMostLanes = 4;

/// The answers of `lanes` pairs of one kind, with the bits of the leaf: the same operations in the
/// same order, one pair in each lane, without branches. Returns a bit for each pair that is left to
/// its own leaf, whose place then holds nothing: what has no closed form or needs a case of its
/// own.
struct LaneLeaves {
  unsigned lanes;
  unsigned (*of[kLaneKinds])(const LeafPair* pairs);
};
/// The leaves for this processor: four lanes with AVX2, else two.
const LaneLeaves& lane_leaves();
/// The leaves of two lanes, which every processor has.
const LaneLeaves& two_lanes();

}  // namespace tactus::detail
