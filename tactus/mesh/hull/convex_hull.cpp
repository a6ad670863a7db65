#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/mesh.hpp"
#include "tactus/mesh/hull/horizon_hull.hpp"
#include "tactus/mesh/hull/hull_faces.hpp"
#include "tactus/mesh/hull/hull_observer.hpp"
#include "tactus/mesh/hull/hull_of_many.hpp"
#include "tactus/mesh/hull/hull_points.hpp"
#include "tactus/mesh/hull/quickhull.hpp"
#include "tactus/mesh/hull/surface_walk.hpp"

namespace tactus {
using namespace detail;
namespace {

using detail::HullTriangle;
using detail::Polygons;
using Index = std::uint32_t;
using Polygon = std::vector<Index>;

// Points, faces or vertices per chunk of a parallel loop.
constexpr std::size_t kGrain = 4096;

constexpr Index kNone = detail::kNoIndex;

// Corners of the hull of exactly coplanar points, without points on its edges. Exact: the plane is
// seen along a coordinate axis along which the triangle `a`, `b`, `c` keeps an area. Source:
// andrew1979hull (monotone chain).
Polygon planar_hull(std::span<const Vec3> points, const Vec3& a, const Vec3& b, const Vec3& c,
                    HullObserver* observer) {
  const auto orient_along = [](int axis, const Vec3& p, const Vec3& q, const Vec3& r) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return orient2d(p[u], p[v], q[u], q[v], r[u], r[v]);
  };
  int axis = 0;
  while (orient_along(axis, a, b, c) == 0) ++axis;

  Polygon order(points.size());
  for (Index i = 0; i < order.size(); ++i) order[i] = i;
  // In a plane that the axis pierces, the lexicographic order of space is one along a direction,
  // too.
  std::sort(order.begin(), order.end(), [&](Index i, Index j) {
    if (points[i] == points[j]) return i < j;
    return detail::lexicographic(points[i], points[j]);
  });
  order.erase(std::unique(order.begin(), order.end(),
                          [&](Index i, Index j) { return points[i] == points[j]; }),
              order.end());
  if (observer != nullptr) observer->order(order);

  Polygon hull;
  const auto extend = [&](bool upper, std::size_t kept, Index i) {
    const std::size_t before = hull.size();
    while (hull.size() > kept &&
           orient_along(axis, points[hull[hull.size() - 2]], points[hull.back()], points[i]) <= 0) {
      hull.pop_back();
    }
    hull.push_back(i);
    if (observer != nullptr) observer->chain({upper, i, before + 1 - hull.size(), hull});
  };
  for (const Index i : order) extend(false, 1, i);
  const std::size_t lower = hull.size();
  for (std::size_t i = order.size() - 1; i-- > 0;) extend(true, lower, order[i]);
  hull.pop_back();  // the start, met again
  return hull;
}

// Side of a face, waiting for its opposite: from the lower to the higher vertex if `forward`.
struct Side {
  Index higher;  // vertex
  Index face;
  bool forward;
};

// Fills `hull.edges`: each pair of opposite sides once, from the lower to the higher vertex; an
// edge of a flat hull has no opposite and keeps its direction.
void connect_edges(ConvexHull& hull, int max_threads) {
  std::vector<Index> bucket(hull.vertices.size() + 1, 0);
  const auto for_each_side = [&](auto&& take) {
    for (Index f = 0; f < hull.faces.size(); ++f) {
      const auto corners = hull.corners(hull.faces[f]);
      for (std::size_t i = 0; i < corners.size(); ++i) {
        const Index tail = corners[i], head = corners[i + 1 == corners.size() ? 0 : i + 1];
        take(std::min(tail, head), Side{std::max(tail, head), f, tail < head});
      }
    }
  };
  for_each_side([&](Index lower, const Side&) { ++bucket[lower + 1]; });
  for (std::size_t i = 1; i < bucket.size(); ++i) bucket[i] += bucket[i - 1];
  std::vector<Side> sides(hull.face_vertices.size());
  std::vector<Index> end(bucket.begin(), bucket.end() - 1);
  for_each_side([&](Index lower, const Side& side) { sides[end[lower]++] = side; });

  const std::size_t per_edge = hull.dimension == 3 ? 2 : 1;
  hull.edges.resize(sides.size() / per_edge);
  parallel_for(
      hull.vertices.size(), kGrain,
      [&](std::size_t first, std::size_t last) {
        for (std::size_t lower = first; lower < last; ++lower) {
          const auto begin = sides.begin() + bucket[lower];
          std::sort(begin, sides.begin() + bucket[lower + 1], [](const Side& a, const Side& b) {
            return a.higher != b.higher ? a.higher < b.higher : a.forward && !b.forward;
          });
          for (std::size_t i = bucket[lower]; i < bucket[lower + 1]; i += per_edge) {
            const auto tail = static_cast<Index>(lower);
            hull.edges[i / per_edge] =
                sides[i].forward
                    ? ConvexHull::Edge{tail, sides[i].higher, sides[i].face,
                                       sides[i + per_edge - 1].face}
                    : ConvexHull::Edge{sides[i].higher, tail, sides[i].face, sides[i].face};
          }
        }
      },
      max_threads);
}

void connect_neighbors(ConvexHull& hull) {
  hull.neighbor_first.assign(hull.vertices.size() + 1, 0);
  for (const ConvexHull::Edge& e : hull.edges) {
    ++hull.neighbor_first[e.tail + 1];
    ++hull.neighbor_first[e.head + 1];
  }
  for (std::size_t i = 1; i < hull.neighbor_first.size(); ++i) {
    hull.neighbor_first[i] += hull.neighbor_first[i - 1];
  }
  hull.neighbors.resize(2 * hull.edges.size());
  std::vector<Index> end(hull.neighbor_first.begin(), hull.neighbor_first.end() - 1);
  for (const ConvexHull::Edge& e : hull.edges) {
    hull.neighbors[end[e.tail]++] = e.head;
    hull.neighbors[end[e.head]++] = e.tail;
  }
}

Polygon sorted_corners(const Polygons& faces, std::size_t points) {
  std::vector<bool> is_corner(points, false);
  for (const Index i : faces.corners) is_corner[i] = true;
  Polygon corners;
  for (Index i = 0; i < points; ++i) {
    if (is_corner[i]) corners.push_back(i);
  }
  return corners;
}

// The compact layout of a hull with the given vertices (ascending) and faces (in order).
ConvexHull assemble(int dimension, std::span<const Vec3> points, std::span<const Vec3> scaled,
                    Polygon source, const Polygons& polygons, int max_threads) {
  ConvexHull hull;
  hull.dimension = dimension;
  hull.source = std::move(source);
  std::vector<Index> renumbered(points.size(), kNone);
  hull.vertices.reserve(hull.source.size());
  for (const Index i : hull.source) {
    renumbered[i] = static_cast<Index>(hull.vertices.size());
    hull.vertices.push_back(points[i]);
  }
  hull.faces.resize(polygons.size());
  hull.face_vertices.resize(polygons.corners.size());
  parallel_for(
      polygons.size(), kGrain,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t f = begin; f < end; ++f) {
          const auto polygon = polygons[f];
          ConvexHull::Face& face = hull.faces[f];
          face.first = polygons.first[f];
          face.count = static_cast<Index>(polygon.size());
          face.normal = normalized(
              accurate_cross(scaled[polygon[0]], scaled[polygon[1]], scaled[polygon[2]]));
          face.offset = dot(face.normal, points[polygon[0]]);
          for (std::size_t k = 0; k < polygon.size(); ++k) {
            hull.face_vertices[face.first + k] = renumbered[polygon[k]];
            face.offset = std::max(face.offset, dot(face.normal, points[polygon[k]]));
          }
        }
      },
      max_threads);
  if (dimension == 1) hull.edges.push_back({0, 1, 0, 0});
  if (dimension >= 2) connect_edges(hull, max_threads);
  connect_neighbors(hull);
  return hull;
}

std::size_t hash_of(const Vec3& p) {
  std::uint64_t hash = 0;
  for (const double x : {p.x, p.y, p.z}) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 32u;
  }
  return static_cast<std::size_t>(hash);
}

// Equal points are to be represented by the first of them: others may have become corners.
void take_first_of_equals(std::span<const Vec3> points, std::vector<HullTriangle>& triangles) {
  std::vector<bool> is_corner(points.size(), false);
  for (const HullTriangle& t : triangles) {
    for (const Index i : t.corner) is_corner[i] = true;
  }
  // Corners by place, in a table with open addressing.
  const auto corners =
      static_cast<std::size_t>(std::count(is_corner.begin(), is_corner.end(), true));
  std::size_t capacity = 16;
  while (capacity < 2 * corners) capacity *= 2;
  std::vector<Index> table(capacity, kNone);
  const auto slot_of = [&](const Vec3& p) {
    std::size_t slot = hash_of(p) & (capacity - 1);
    while (table[slot] != kNone && !(points[table[slot]] == p)) slot = (slot + 1) & (capacity - 1);
    return slot;
  };
  for (Index i = 0; i < points.size(); ++i) {
    if (is_corner[i]) table[slot_of(points[i])] = i;
  }
  std::vector<std::pair<Index, Index>> renamed;  // corner, an earlier point at the same place
  for (Index i = 0; i < points.size(); ++i) {
    if (is_corner[i]) continue;
    const Index corner = table[slot_of(points[i])];
    if (corner != kNone && i < corner) renamed.emplace_back(corner, i);
  }
  if (renamed.empty()) return;
  std::sort(renamed.begin(), renamed.end());
  for (HullTriangle& t : triangles) {
    for (Index& i : t.corner) {
      const auto first = std::lower_bound(renamed.begin(), renamed.end(), std::pair{i, Index{0}});
      if (first != renamed.end() && first->first == i) i = first->second;
    }
  }
}

std::vector<HullTriangle> triangulate(std::span<const Vec3> points,
                                      const std::array<Index, 4>& simplex,
                                      const HullOptions& options, HullObserver* observer) {
  if (observer != nullptr) return detail::quickhull(points, simplex, observer);
  if (options.method == HullMethod::horizon) {
    if (detail::inner_point(points, simplex)) return detail::horizon_hull(points, simplex);
    std::vector<Vec3> fat(points.begin(), points.end());
    detail::fatten(fat);
    return detail::horizon_hull(fat, simplex);
  }
  return detail::hull_of_many(points, simplex, options.max_threads);
}

ConvexHull find_hull(std::span<const Vec3> points, const HullOptions& options,
                     HullObserver* observer) {
  detail::check_points(points);
  const std::vector<Vec3> scaled = detail::rescaled(points);
  const detail::StartSimplex simplex = detail::find_simplex(scaled);
  const auto& [a, b, c, d] = simplex.point;
  switch (simplex.dimension) {
    case 0:
      return assemble(0, points, scaled, {a}, {}, 1);
    case 1:
      return assemble(1, points, scaled, {std::min(a, b), std::max(a, b)}, {}, 1);
    case 2: {
      Polygons face;
      face.corners = planar_hull(scaled, scaled[a], scaled[b], scaled[c], observer);
      std::rotate(face.corners.begin(), std::min_element(face.corners.begin(), face.corners.end()),
                  face.corners.end());
      face.first.push_back(static_cast<Index>(face.corners.size()));
      return assemble(2, points, scaled, sorted_corners(face, points.size()), face, 1);
    }
    default: {
      std::vector<HullTriangle> triangles = triangulate(scaled, simplex.point, options, observer);
      take_first_of_equals(scaled, triangles);
      const Polygons faces = detail::hull_faces(scaled, triangles, options.max_threads);
      return assemble(3, points, scaled, sorted_corners(faces, points.size()), faces,
                      options.max_threads);
    }
  }
}

}  // namespace

ConvexHull convex_hull(std::span<const Vec3> points, const HullOptions& options) {
  return find_hull(points, options, nullptr);
}

ConvexHull detail::observed_hull(std::span<const Vec3> points, HullObserver& observer) {
  return find_hull(points, {.max_threads = 1}, &observer);
}

}  // namespace tactus
