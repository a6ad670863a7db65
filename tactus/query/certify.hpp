#pragma once

#include "tactus/math.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// Completes the certificate that a query has filled for the pair of parts that decides: directions
/// for the other pairs of parts (a union is apart when all are), for ranges of triangles of meshes,
/// and what shows a depth of meshes. Allocates; asks `distance` for directions, once for each that
/// is listed and for each pair of volumes that had to be cut. What cannot be shown is left out.
/// `options` are those that the result was found with; the certificate is theirs.
void certify(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
             const DistanceResult& result, const QueryOptions& options);

/// As above, for a cast or impact: directions for intervals of time up to `time`, and the points
/// that touch at `time_upper`.
void certify(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
             const Pose& pose_b, const RigidMotion& motion_b, const CastResult& result,
             Certificate& certificate);

}  // namespace tactus::detail
