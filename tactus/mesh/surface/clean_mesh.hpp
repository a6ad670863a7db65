#pragma once

#include <cstddef>

#include "tactus/mesh.hpp"

namespace tactus::detail {

/// Counts of the defects of a mesh that were mended.
struct CleanReport {
  std::size_t merged_vertices = 0;        ///< with the same coordinates as an earlier one
  std::size_t degenerate_triangles = 0;   ///< without area: taken out
  std::size_t duplicate_triangles = 0;    ///< the same three vertices as another one: taken out
  std::size_t unreferenced_vertices = 0;  ///< taken out
  std::size_t turned_triangles = 0;       ///< their sense did not agree with their neighbours'
  std::size_t turned_components = 0;      ///< closed ones that were inside out
  bool changed() const {
    return merged_vertices + degenerate_triangles + duplicate_triangles + unreferenced_vertices +
               turned_triangles + turned_components >
           0;
  }
};

/// Merges vertices with equal coordinates (-0 and 0 are equal; the first stays), takes out
/// triangles without area (decided exactly), repeated triangles, and vertices that no triangle
/// names. Of triangles with the same corners the first of the sense in the majority stays; one of
/// either sense where neither is: they are the sides of a sheet without thickness, and winding
/// numbers are what they were. What remains keeps its order. May leave no triangle. Cost: sorting.
CleanReport clean_mesh(TriangleMesh& mesh);

/// Turns triangles so that neighbours across an edge of two sides agree, and closed components so
/// that their volume is positive; an open component keeps the sense of its first triangle. An edge
/// of three or more sides joins nothing. A surface that cannot be oriented (a Moebius strip) keeps
/// edges where the sense flips: `make_topology(mesh).twisted_edges` tells. Cost: that of
/// `make_topology`.
CleanReport orient_mesh(TriangleMesh& mesh);

}  // namespace tactus::detail
