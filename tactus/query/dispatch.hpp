#pragma once

#include "tactus/query/plan/pair_context.hpp"

namespace tactus::detail {

/// The path that overlap, distance and contacts share: the function that the row of the pair names.
/// `r`: as it is made.
void answer_pair(const PairContext& pair, DistanceResult& r);
inline DistanceResult answer_pair(const PairContext& pair) {
  DistanceResult r;
  answer_pair(pair, r);
  return r;
}

/// As `distance`, for open meshes too: where a bare surface meets a body, what separates them.
inline DistanceResult bare_distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                    const Pose& pose_b, const QueryOptions& options = {},
                                    QueryCache* cache = nullptr) {
  return answer_pair({{a, pose_a}, {b, pose_b}, options, Ask::distance, cache});
}

/// As `contacts`.
ContactsResult find_contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             ManifoldSink& sink, const QueryOptions& options, QueryCache* cache);

}  // namespace tactus::detail
