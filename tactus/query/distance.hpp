#pragma once

#include "tactus/query/result.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus {

/// Signed distance of two placed shapes, with witnesses and a two-sided bound: positive apart,
/// minus the penetration depth (length of the shortest translation that separates the bodies) in
/// overlap.
///
/// Never throws, never loops without end, never returns a false bracket. A pose that is not finite
/// answers Status::invalid_input with an unbounded bracket; a pair without an answer
/// (half-space against half-space, an open mesh unless `options.signed_distance` is false)
/// Status::unsupported, one whose lengths (sizes and the gap of the
/// origins) sum up to more than 1e50 or to less than 1e-48 Status::precision_limit. With
/// `options.max_distance`, the search stops once `lower` exceeds it. Cost: constant for closed
/// forms, else some 5..30 support evaluations. No allocation, but for meshes that overlap: those
/// list the triangles that meet, and std::bad_alloc is all that can be thrown. Source: design: one
/// decision path; gilbert1988gjk, vandenbergen2001epa; docs/algorithms/decision-path.md.
DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const QueryOptions& options = {}, QueryCache* cache = nullptr);

}  // namespace tactus
