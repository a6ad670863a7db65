#pragma once

#include <cstdint>

#include "tactus/query/plan/leaf.hpp"

namespace tactus::detail {

/// A pair of a batch and where its answer goes.
struct LeafPair {
  const PlacedShape* a;
  const PlacedShape* b;
  DistanceResult* out;
};

/// Pairs whose leaf is also there for several pairs at once, one in each lane of a register.
enum class LaneKind : std::uint8_t { spheres, sphere_box, box_sphere, capsules, none };
inline constexpr int kLaneKinds = 4;
/// Pairs taken at once at most; `LaneLeaves::lanes` by this processor.
inline constexpr unsigned kMostLanes = 4;

inline LaneKind lane_kind(const Shape& a, const Shape& b) {
  static constexpr LaneKind kKinds[kLeafTypes][kLeafTypes] = {
      {LaneKind::spheres, LaneKind::sphere_box, LaneKind::none},
      {LaneKind::box_sphere, LaneKind::none, LaneKind::none},
      {LaneKind::none, LaneKind::none, LaneKind::capsules},
  };
  const auto type_a = static_cast<unsigned>(a.type()), type_b = static_cast<unsigned>(b.type());
  return type_a < kLeafTypes && type_b < kLeafTypes ? kKinds[type_a][type_b] : LaneKind::none;
}

/// The answers of `lanes` pairs of one kind, with the bits of `kLeaves`: the same operations in the
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
