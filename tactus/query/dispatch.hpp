#pragma once

#include "tactus/narrow/convex_pair.hpp"
#include "tactus/narrow/manifold.hpp"
#include "tactus/query/result.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus::detail {

/// How far a query goes: the whole answer, or until the sign of the distance is proved.
enum class Ask : std::uint8_t { distance, sign };

/// Receives contact patches; a query without one (null) makes none.
struct ManifoldSink {
  std::span<Manifold> out;
  int count = 0;
  bool truncated = false;
};

/// The path that overlap, distance and contacts share: dispatch by the pair table, recursion over
/// compounds.
DistanceResult answer_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           const QueryOptions& options, QueryCache* cache, Ask ask,
                           ManifoldSink* sink);

/// The patches of (B, A) from those of (A, B).
void swap_roles(Manifold& manifold);

}  // namespace tactus::detail
