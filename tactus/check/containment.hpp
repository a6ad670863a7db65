#pragma once

#include "tactus/check/rounding.hpp"
#include "tactus/shape/parts.hpp"

namespace tactus::detail {

/// True when no component of one part lies inside the other; the pieces of both must be apart. Only
/// a closed mesh has an inside: one each edge of which is met as often in one sense as in the
/// other, places of vertices compared by their coordinates. Whether a component lies inside is told
/// by the winding number about one vertex of each component (for convex parts, about one point):
/// the sum of the triangles' solid angles, signs by exact predicates. Cost: triangles of one times
/// components of the other.
bool none_inside(const Pair& pair, const Part& a, const Part& b);

/// Does the mesh wind around the point (the mesh's frame), in whichever sense? The point must not
/// lie on a triangle. False for meshes that are not closed.
bool winds_around(const TriangleMesh& mesh, const Vec3& point);

/// Every edge has as many sides of one sense as of the other.
bool is_closed(const TriangleMesh& mesh);

}  // namespace tactus::detail
