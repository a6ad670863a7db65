#pragma once

#include "tactus/query.hpp"
#include "tactus/query/way/shortest_way.hpp"
#include "tactus/shape/parts.hpp"

namespace tactus::detail {

/// Polytopes of blocked translations that hold all that are shorter than `wanted`; empty where the
/// search does not reach it. `axes`: the frame of the translations, about `world`. `known`: the
/// length of one that is free.
std::vector<Certificate::Cover> cover_shifts(ProvedShifts& blocked, const Pose& axes, double wanted,
                                             double known, double rounding, const Vec3& world);

/// Polytopes of translations that prove a depth of at least `wanted` for a part A that is a mesh
/// and a part B, another mesh or a convex body, in the given poses: `Certificate::covers`, empty
/// where the search does not reach it. `known`: the length of a translation that frees them.
/// `world`: what the poses are about. Cost: that of the query.
std::vector<Certificate::Cover> cover_depth(const Part& a, const Pose& pose_a, const Part& b,
                                            const Pose& pose_b, double wanted, double known,
                                            const Vec3& world);

}  // namespace tactus::detail
