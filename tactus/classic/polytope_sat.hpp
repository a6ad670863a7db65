#pragma once

#include "tactus/narrow/formula/sat.hpp"
#include "tactus/narrow/pair/convex_pair.hpp"

namespace tactus::detail {

/// Largest product of the numbers of edges that the separating axes of two polytopes are served
/// for: two hulls of 80 to 90 vertices, one to two milliseconds.
inline constexpr std::size_t kMostEdgePairs = 65536;

/// True when both cores are polytopes, at least one of them a solid, with at most `kMostEdgePairs`
/// pairs of edges.
bool has_polytope_axes(const Core& a, const Core& b);

/// Separating axes of two polytope cores for which `has_polytope_axes`: the face normals of both
/// and the common normals of the pairs of edges whose arcs on the Gauss sphere cross, which are the
/// normals of the facets of A - B. Every axis counts with its support values over all vertices.
///
/// separation < 0 (overlap): minus the depth, exact to `cso.error_bound`. separation > 0: proves
/// that the cores are apart; a lower bound of the distance, which is attained where the nearest
/// features are a face and anything, or two edges. The first axis with a separation beyond `enough`
/// ends the search. Cost: product of the numbers of edges. Source: gottschalk1996obbtree;
/// gregorius2013sat (Gauss map); tolerance of the arc test: docs/algorithms/separating-axes.md.
BoxAxes separate_polytopes(const Cso& cso, double enough = std::numeric_limits<double>::infinity());

/// The answer that rests on these axes alone: overlapping cores have their exact depth; of
/// separated ones only the sign is proved, the bracket reaches from the largest gap to the distance
/// of two points, and the status is `iteration_limit` unless these meet.
ConvexAnswer answer_by_polytope_axes(const Cso& cso, const ConvexOptions& options);

}  // namespace tactus::detail
