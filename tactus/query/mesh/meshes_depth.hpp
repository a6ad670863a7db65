#pragma once

#include <optional>

#include "tactus/query/mesh/mesh_depth.hpp"

namespace tactus::detail {

/// Depth of two meshes whose surfaces meet, or of which one lies inside the other; points are in
/// the frame of A. `pose` is that of B in it; `options.max_iterations` bounds each walk over what
/// meets. Allocates.
MeshDepth meshes_depth(const Mesh& a, const Mesh& b, const Pose& pose, const DepthEffort& effort,
                       const QueryOptions& options);

/// A point of one mesh that lies inside of the other.
struct HeldPoint {
  Vec3 point;         ///< frame of A
  bool of_a = false;  ///< else of B
};

/// A point of a component of one that lies inside the other, provided that the surfaces do not
/// meet: one of each component is asked. `pose` is that of B in A's frame. Exact for the rounded
/// point. Cost: some microseconds for each component that is in the ball around the other body.
std::optional<HeldPoint> held_point(const Mesh& a, const Mesh& b, const Pose& pose);

}  // namespace tactus::detail
