#pragma once

#include "tactus/query/check.hpp"

namespace tactus::detail {

/// Re-proves the bracket of a pair of which one body at least is a mesh and none a half-space or a
/// compound, triangle by triangle, without any hierarchy: `lower` above zero by a separating
/// direction for each triangle (or pair of them), `lower` below zero by showing in the same way
/// that the bodies are apart after a shift by it along the normal. Poses are relative to a common
/// origin, and so are the result's points; `slack` is the rounding of a length between them.
/// The upper bound of a depth is not judged (`upper_only`), and of pairs of meshes with very many
/// pairs of triangles the lower one isn't either. Cost: linear in the triangles or pairs.
CheckReport check_mesh(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       const DistanceResult& result, double slack);

}  // namespace tactus::detail
