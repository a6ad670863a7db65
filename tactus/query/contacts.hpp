#pragma once

#include <span>

#include "tactus/query/result.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus {

struct ContactsResult {
  DistanceResult distance;  ///< of the whole pair
  int manifolds = 0;        ///< how many entries of the caller's span were filled
  bool truncated = false;   ///< the span was too short for all patches of a compound pair
};

/// Contact patches of two placed shapes: none when they are farther apart than `options.threshold`,
/// else at least one point. A convex pair fills one manifold of up to four points; compounds fill
/// one per touching pair of parts, meshes one per normal. Every point is on the surface of its body
/// to rounding, and none is deeper than the depth along the manifold's normal. Poses that differ by
/// 1e-9 have the same points to 1e-6 of the size, unless the normal jumps
/// (docs/algorithms/contacts.md). No allocation, but for meshes.
ContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        std::span<Manifold> out, const QueryOptions& options = {},
                        QueryCache* cache = nullptr);

}  // namespace tactus
