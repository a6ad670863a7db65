#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math/vec3.hpp"

namespace tactus {

/// Boundary of the convex hull of a point set, with adjacency, in a compact read-only layout.
///
/// `dimension` 3: `faces` are the polygons (exactly coplanar triangles merged), counter-clockwise
/// seen from outside, every vertex an extreme point. 2 (flat): one polygon, listed once, with its
/// normal either way. 1: two vertices. 0: one vertex. Vertices that are not extreme points of the
/// set are left out; order follows the input.
struct ConvexHull {
  struct Face {
    std::uint32_t first = 0;  ///< first entry in `face_vertices`
    std::uint32_t count = 0;  ///< number of corners
    Vec3 normal;              ///< outward unit normal
    double offset = 0.0;      ///< normal . x <= offset for every vertex x, up to rounding
  };
  struct Edge {
    std::uint32_t tail = 0,
                  head =
                      0;  ///< vertices, counter-clockwise in face `left`; dimension 3: tail < head
    std::uint32_t left = 0, right = 0;  ///< faces on either side
  };

  int dimension = 0;
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t>
      source;  ///< index of each vertex in the input, ascending; the first among equals
  std::vector<Face> faces;  ///< empty for dimension 0 and 1, one face for dimension 2
  std::vector<std::uint32_t> face_vertices;  ///< corners of all faces, one after the other
  std::vector<Edge> edges;  ///< each once, sorted (dimension 1 and 2: left == right == 0)
  std::vector<std::uint32_t>
      neighbor_first;  ///< size vertices + 1: start of each vertex's list in `neighbors`
  std::vector<std::uint32_t> neighbors;  ///< adjacent vertices along edges, ascending

  std::span<const std::uint32_t> corners(const Face& face) const {
    return {face_vertices.data() + face.first, face.count};
  }
  std::span<const std::uint32_t> neighbors_of(std::uint32_t vertex) const {
    return {neighbors.data() + neighbor_first[vertex],
            neighbor_first[vertex + 1] - neighbor_first[vertex]};
  }
};

/// How the surface of the hull is found; the result is the same, bit by bit.
enum class HullMethod {
  quickhull,  ///< the farthest point first, waiting points in lists; for all inputs
  horizon     ///< one point after the other, found by a walk over the surface: huotari2011
};

struct HullOptions {
  HullMethod method = HullMethod::quickhull;
  int max_threads = 0;  ///< the caller's included; 0 takes all processors
};

/// Convex hull of `points`. Combinatorially exact: every decision is made by exact predicates, so
/// cospherical, gridded, repeated and nearly coplanar points are right; only exactly coplanar
/// triangles are merged into one face. (Coordinates smaller than 2^-250 of the
/// largest one count as zero.) Normals are off by a few
/// ulps even on the thinnest face; `offset` is the largest normal . x over the face's corners. The
/// result depends on the points and their order alone, and is the same on every machine, for both
/// methods and any number of threads. Throws InvalidInput (`vertices`) when the set is empty or has
/// more than 7e8 points, or a coordinate is not finite (`vertices[i]`).
/// Cost: O(n log n) expected; see docs/algorithms/convex-hull.md. Memory is proportional to the
/// points.
/// Source: barber1996quickhull, huotari2011, with the predicates of shewchuk1997predicates.
ConvexHull convex_hull(std::span<const Vec3> points, const HullOptions& options = {});

}  // namespace tactus
