#pragma once

#include <cstdint>
#include <optional>

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/query.hpp"
#include "tactus/query/mesh/mesh_search.hpp"
#include "tactus/query/mesh/meshes_depth.hpp"

namespace tactus::detail {

/// The number of a triangle in answers; -1 for none.
std::int32_t to_id(std::uint32_t triangle);

/// Does a point inside, or a pair of triangles that meet, show by more than rounding that bodies
/// overlap? It saves the search for the shortest way out: `r` receives the depth of these two, and
/// a bracket whose far end frees any bodies of their size. False where they show less than
/// rounding, and nothing but triangles of `r` is written.

/// The body's centre inside of the mesh. `axes`: pose of the mesh; `origin`: the body's position.
bool shows_overlap(const MeshAndBody& pair, const Pose& axes, const Vec3& origin,
                   DistanceResult& r);

/// Two triangles that meet, as `found`, or a point that is held. `pose` is that of B in A's frame.
bool shows_overlap(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose,
                   const bvh::MeshDistance& found, const std::optional<HeldPoint>& held,
                   DistanceResult& r);

}  // namespace tactus::detail
