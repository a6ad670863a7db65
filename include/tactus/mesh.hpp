#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/math.hpp"

namespace tactus {

/// Indexed triangle surface. Plain data; `validate` says whether it can be used.
struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// Throws InvalidInput naming the element: no vertex (`vertices`), a coordinate that is not finite
/// (`vertices[i]`), no triangle (`triangles`), an index out of range (`triangles[i]`).
void validate(const TriangleMesh& mesh);

/// Boundary of the convex hull of a point set, with adjacency, in a compact read-only layout.
///
/// `dimension` 3: `faces` are the polygons (exactly coplanar triangles merged), counter-clockwise
/// seen from outside, every vertex an extreme point. 2 (flat): one polygon, listed once, with its
/// normal either way. 1: two vertices. 0: one vertex. Vertices that are not extreme points of the
/// set are left out; order follows the input. Who takes a hull throws InvalidInput, with the list
/// and the place, where the lists do not fit each other.
struct ConvexHull {
  /// A polygon, counter-clockwise seen from outside.
  struct Face {
    std::uint32_t first = 0;  ///< first entry in `face_vertices`
    std::uint32_t count = 0;  ///< number of corners
    Vec3 normal;              ///< outward unit normal
    double offset = 0.0;      ///< normal . x <= offset for every vertex x, up to rounding
  };
  /// An edge and the faces that it lies between.
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
constexpr std::string_view to_string(HullMethod method) {
  constexpr std::string_view kNames[] = {"quickhull", "horizon"};
  return detail::name_in(kNames, method);
}

/// Options of `convex_hull`; the defaults serve.
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
/// @code{.cpp}
/// const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}};
/// const ConvexHull hull = convex_hull(points);
/// assert(hull.vertices.size() == 4);  // the last point lies inside
/// @endcode
ConvexHull convex_hull(std::span<const Vec3> points, const HullOptions& options = {});

/// The convex hull of some of the points, and how much it leaves out.
struct LimitedHull {
  ConvexHull hull;
  double error = 0.0;  ///< no point is farther from the hull than this; 0 when all are inside
};

/// A hull with at most `max_vertices` vertices, all of them points of the set: grown by the point
/// that is the farthest from the face below it, again and again, until the number is reached or
/// nothing is outside. `hull.source` counts in `points`. The hull lies inside of the full one, and
/// `error` bounds the distance between the two from above: the largest distance of a point that was
/// left out, plus what rounding may hide of it.
///
/// Throws InvalidInput as `convex_hull` does, and `max_vertices` when it is below dimension + 1 of
/// the set. Cost: a pass over the points outside for each vertex, mostly over few of them.
LimitedHull limited_hull(std::span<const Vec3> points, std::uint32_t max_vertices);

/// Result of a check of a convex hull: where the points lie, and what is wrong with it.
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

/// Volume integrals of a body of unit density, in the body's own frame.
struct MassProperties {
  double volume = 0.0;
  Vec3 center;   ///< centre of mass
  Mat3 inertia;  ///< about the centre of mass, axes of the body's frame
};

/// Integrals over the inside of a closed surface, exact up to rounding (signed: an inside-out mesh
/// has negative volume and inertia). A volume that is zero up to rounding gives 0, inertia 0 and
/// the vertices' mean. The mesh must be valid; whether it is closed is not checked. Cost: one pass
/// over the triangles. Source: tonon2005tetrahedron (signed tetrahedra, about the vertices' mean,
/// so that far-off coordinates cost nothing).
MassProperties mass_properties(const TriangleMesh& mesh);
/// A hull of dimension below 3 has volume 0 and inertia 0 about its vertices' mean.
MassProperties mass_properties(const ConvexHull& hull);

}  // namespace tactus
