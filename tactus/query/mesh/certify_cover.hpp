#pragma once

#include "tactus/query.hpp"
#include "tactus/shape/parts.hpp"

namespace tactus::detail {

/// Polytopes of translations that prove a depth of at least `wanted` for a part A that is a mesh
/// and a part B, another mesh or a convex body, in the given poses: `Certificate::covers`, empty
/// where the search does not reach it. `known`: the length of a translation that frees them.
/// `world`: what the poses are about. Cost: that of the query.
std::vector<Certificate::Cover> cover_depth(const Part& a, const Pose& pose_a, const Part& b,
                                            const Pose& pose_b, double wanted, double known,
                                            const Vec3& world);

}  // namespace tactus::detail
