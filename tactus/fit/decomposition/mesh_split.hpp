#pragma once

#include <vector>

#include "tactus/fit/plain/convex_cell.hpp"
#include "tactus/mesh.hpp"

namespace tactus::detail::fit {

/// A surface on either side of a plane.
struct SplitMesh {
  TriangleMesh below, above;  ///< normal . x <= offset, and >=
};

/// Cuts the triangles of a surface at a plane; corners within `tolerance` of it count as on it and
/// belong to both sides. A cut edge gets one new vertex, the same in both halves and for all its
/// triangles, so that the halves' hulls have the same points in the plane. No caps are made: the
/// hull of a half does not need them, and they would need a closed surface. A triangle that lies in
/// the plane goes to `below`. Cost: linear, but for a table of the cut edges.
SplitMesh split_mesh(const TriangleMesh& mesh, const Plane& plane, double tolerance);

/// The parts of a surface that hang together by common vertices, in the order of their first
/// triangles.
std::vector<TriangleMesh> connected_parts(const TriangleMesh& mesh);

}  // namespace tactus::detail::fit
