#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tactus/mesh/hull/convex_hull.hpp"

namespace tactus {

/// What a check of a convex hull found.
struct HullCheck {
  std::uint64_t inside = 0;    ///< points strictly inside (dimension 3)
  std::uint64_t boundary = 0;  ///< points exactly on the boundary, the vertices among them
  std::uint64_t outside = 0;   ///< points not in the hull
  std::string problem;         ///< the first thing that is wrong; empty when nothing is

  bool ok() const { return problem.empty(); }
};

/// Proves by exact predicates, and without the search that found it, that `hull` is the convex hull
/// of `points`: the vertices are points of the set, each in one corner of a face at least; the
/// faces are flat, strictly convex polygons; every side meets exactly one other, as `edges` says;
/// the surface is connected, of genus 0, and strictly convex at every edge; an inner point lies
/// below all faces, and a line from it meets one face alone; then the surface is the boundary of a
/// convex body, of which all vertices are extreme. A walk leads to the face above each point, which
/// tells whether the point is inside.
///
/// Of a hull so thin that no double lies strictly inside of it all faces are compared with all
/// points instead. Cost: about as much as the hull; points times faces for such a thin one.
/// `max_threads` as in parallel_for. Source: mehlhorn1999checking.
HullCheck check_hull(std::span<const Vec3> points, const ConvexHull& hull, int max_threads = 0);

}  // namespace tactus
