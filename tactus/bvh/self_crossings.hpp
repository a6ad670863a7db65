#pragma once

#include <vector>

#include "tactus/bvh/near_leaves.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::bvh {

/// Pairs of triangles of one surface that meet and have no corner in common, ascending, the lower
/// index first. Vertices at one place are one corner. `looked`: receives the number of pairs of
/// nodes that were looked at.
///
/// Triangles round one corner are never compared with each other, however many they are: those of
/// corners of many triangles get hierarchies of their own, in which a node whose triangles all have
/// a corner in common is left out against itself. Each pair is decided exactly. Allocates.
std::vector<TrianglePair> self_crossings(const TriangleMesh& mesh, std::int64_t* looked = nullptr);

}  // namespace tactus::detail::bvh
