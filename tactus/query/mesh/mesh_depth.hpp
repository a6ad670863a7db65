#pragma once

#include <span>

#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/query.hpp"
#include "tactus/query/mesh/mesh_search.hpp"

namespace tactus::detail {

/// Bracket of the shortest translation that separates a mesh from another body.
struct MeshDepth {
  double least = -std::numeric_limits<double>::infinity();  ///< proved: no shorter one does;
                                                            ///< negative where they may be apart
  double most = std::numeric_limits<double>::infinity();    ///< this length along `n` does
  Vec3 n;                 ///< unit, of the other body's way out, axes of the mesh
  Vec3 point_a, point_b;  ///< point_a - point_b = most * n, axes of the mesh; see `origin`
  std::uint32_t triangle_a = bvh::MeshPairCache::kNone, triangle_b = bvh::MeshPairCache::kNone;
};

/// Of a mesh and a convex body that meets its surface in the triangles `near` (some of them, when
/// not `all`), or lies inside. Points are seen from the body's origin. `width`: of a bracket that
/// is narrow enough; `options.max_iterations` bounds each search for what meets after a shift.
/// Allocates.
MeshDepth mesh_depth(const MeshAndBody& pair, std::span<const TriangleAnswer> near, bool all,
                     double width, const QueryOptions& options);

/// What a search for triangles near a body is asked, in the caller's terms.
MeshAndBody::Options search_options(const QueryOptions& options);

}  // namespace tactus::detail
