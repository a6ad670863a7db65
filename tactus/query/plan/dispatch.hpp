#pragma once

#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/narrow/pair/convex_pair.hpp"
#include "tactus/narrow/pair/manifold.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// How far a query goes.
enum class Ask : std::uint8_t {
  distance,          ///< the whole answer; of surfaces that meet, what separates them
  sign,              ///< until the sign of the distance is proved
  signed_distance,   ///< as `distance`, but an open mesh, which has no inside, is refused
  unsigned_distance  ///< as `distance`, but 0 where a pair with an open mesh meets
};

/// Receives contact patches; a query without one (null) makes none.
struct ManifoldSink {
  std::span<Manifold> out;
  int count = 0;
  bool truncated = false;
};

/// The path that overlap, distance and contacts share: dispatch by the pair table, recursion over
/// compounds.
DistanceResult answer_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           const QueryOptions& options, WarmStart* cache, Ask ask,
                           ManifoldSink* sink);

/// What a search reads and leaves in a cache; null without one.
inline WarmStart* state_of(QueryCache* cache) {
  return cache != nullptr ? &cache->state() : nullptr;
}

/// What `distance` answers, of open meshes too: what separates a bare surface from what it meets.
inline DistanceResult bare_distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                    const Pose& pose_b, const QueryOptions& options = {},
                                    WarmStart* cache = nullptr) {
  return answer_pair(a, pose_a, b, pose_b, options, cache, Ask::distance, nullptr);
}

/// As `contacts`.
ContactsResult find_contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             std::span<Manifold> out, const QueryOptions& options,
                             WarmStart* cache);

/// The patches of (B, A) from those of (A, B).
void swap_roles(Manifold& manifold);

}  // namespace tactus::detail
