#include "tactus/mesh/convex_hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "tactus/core/error.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/mesh/quickhull.hpp"

namespace tactus {
namespace {

using detail::HullTriangle;
using Index = std::uint32_t;
using Polygon = std::vector<Index>;

constexpr Index kNone = std::numeric_limits<Index>::max();
// A triangulated hull has up to twice as many triangles as points, and all have 32-bit numbers.
constexpr std::size_t kMostPoints = kNone / 2;
// Coordinates smaller than this part of the largest count as zero. All others are multiples of
// 2^-302, so that the predicates' products of three differences are multiples of 2^-906: far from
// underflow, which makes every decision exact, and therefore consistent with all others.
constexpr double kNegligible = 0x1p-250;

std::size_t next(std::size_t corner) { return corner == 2 ? 0 : corner + 1; }

void check(std::span<const Vec3> points) {
  if (points.empty()) throw InvalidInput("vertices", "must not be empty");
  if (points.size() > kMostPoints) throw InvalidInput("vertices", "too many points");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_finite(points[i])) {
      throw InvalidInput("vertices[" + std::to_string(i) + "]", "must be finite");
    }
  }
}

// The points times a power of two, so that the largest coordinate is between 1/2 and 1: exact, but
// for what is negligible.
std::vector<Vec3> rescaled(std::span<const Vec3> points) {
  double largest = 0.0;
  for (const Vec3& p : points) largest = std::max(largest, max_abs(p));
  int exponent = 0;
  std::frexp(largest, &exponent);
  const auto rescale = [exponent](double x) {
    const double scaled = std::ldexp(x, -exponent);
    return std::fabs(scaled) < kNegligible ? 0.0 : scaled;
  };
  std::vector<Vec3> result;
  result.reserve(points.size());
  for (const Vec3& p : points) result.push_back({rescale(p.x), rescale(p.y), rescale(p.z)});
  return result;
}

bool lexicographic(const Vec3& a, const Vec3& b) {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

// As many affinely independent points as there are, far apart as far as rounding tells.
struct Simplex {
  int dimension = 0;
  std::array<Index, 4> point{};
};

// The point with the largest value, if it passes the exact test; else the first that does; else
// kNone.
template <class Value, class Test>
Index farthest(std::span<const Vec3> points, Value value, Test independent) {
  Index best = 0;
  double best_value = -1.0;
  for (Index i = 0; i < points.size(); ++i) {
    const double v = value(points[i]);
    if (v > best_value) {
      best_value = v;
      best = i;
    }
  }
  if (independent(points[best])) return best;
  for (Index i = 0; i < points.size(); ++i) {
    if (independent(points[i])) return i;
  }
  return kNone;
}

Simplex find_simplex(std::span<const Vec3> points) {
  Simplex simplex;
  const auto [low, high] = std::minmax_element(points.begin(), points.end(), lexicographic);
  const Vec3 a = *low;
  // minmax_element gives the last of the largest; equal points are to be represented by the first.
  const Vec3 b = *std::find(points.begin(), points.end(), *high);
  simplex.point[0] = static_cast<Index>(low - points.begin());
  if (a == b) return simplex;
  simplex.dimension = 1;
  simplex.point[1] =
      static_cast<Index>(std::find(points.begin(), points.end(), b) - points.begin());

  const Index third = farthest(
      points, [&](const Vec3& p) { return squared_norm(cross(b - a, p - a)); },
      [&](const Vec3& p) { return !collinear(a, b, p); });
  if (third == kNone) return simplex;
  simplex.dimension = 2;
  simplex.point[2] = third;

  const Vec3 c = points[third];
  const Vec3 normal = cross(b - a, c - a);
  const Index fourth = farthest(
      points, [&](const Vec3& p) { return std::fabs(dot(normal, p - a)); },
      [&](const Vec3& p) { return orient3d(a, b, c, p) != 0; });
  if (fourth == kNone) return simplex;
  simplex.dimension = 3;
  simplex.point[3] = fourth;
  if (orient3d(a, b, c, points[fourth]) > 0) std::swap(simplex.point[0], simplex.point[1]);
  return simplex;
}

// Corners of the hull of exactly coplanar points, without points on its edges. Exact: the plane is
// seen along a coordinate axis along which the triangle `a`, `b`, `c` keeps an area. Source:
// andrew1979hull (monotone chain).
Polygon planar_hull(std::span<const Vec3> points, const Vec3& a, const Vec3& b, const Vec3& c) {
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
    return lexicographic(points[i], points[j]);
  });
  order.erase(std::unique(order.begin(), order.end(),
                          [&](Index i, Index j) { return points[i] == points[j]; }),
              order.end());

  Polygon hull;
  const auto extend = [&](std::size_t kept, Index i) {
    while (hull.size() > kept &&
           orient_along(axis, points[hull[hull.size() - 2]], points[hull.back()], points[i]) <= 0) {
      hull.pop_back();
    }
    hull.push_back(i);
  };
  for (const Index i : order) extend(1, i);
  const std::size_t lower = hull.size();
  for (std::size_t i = order.size() - 1; i-- > 0;) extend(lower, order[i]);
  hull.pop_back();  // the start, met again
  return hull;
}

// Corner of `triangle` that it does not share with its neighbour `t`.
Index corner_opposite(const HullTriangle& triangle, Index t) {
  std::size_t side = 0;
  while (triangle.neighbor[side] != t) ++side;
  return triangle.corner[next(next(side))];
}

// Number of each triangle's face: exactly coplanar neighbours share one.
std::vector<Index> group_coplanar(std::span<const Vec3> points,
                                  const std::vector<HullTriangle>& triangles) {
  std::vector<Index> group(triangles.size(), kNone);
  std::vector<Index> stack;
  Index groups = 0;
  for (Index start = 0; start < triangles.size(); ++start) {
    if (group[start] != kNone) continue;
    group[start] = groups;
    stack.assign(1, start);
    const auto& [a, b, c] = triangles[start].corner;
    while (!stack.empty()) {
      const Index t = stack.back();
      stack.pop_back();
      for (const Index neighbor : triangles[t].neighbor) {
        if (group[neighbor] != kNone) continue;
        const Index opposite = corner_opposite(triangles[neighbor], t);
        if (orient3d(points[a], points[b], points[c], points[opposite]) != 0) continue;
        group[neighbor] = groups;
        stack.push_back(neighbor);
      }
    }
    ++groups;
  }
  return group;
}

// The faces, each as the loop of its extreme corners. Edges between faces meet in threes or more
// exactly at the extreme points: a vertex with two of them lies inside an edge of the hull, one
// with none inside a face.
std::vector<Polygon> merge_coplanar(std::span<const Vec3> points,
                                    const std::vector<HullTriangle>& triangles) {
  const std::vector<Index> group = group_coplanar(points, triangles);
  const auto is_border = [&](Index t, std::size_t side) {
    return group[triangles[t].neighbor[side]] != group[t];
  };
  std::vector<Index> degree(points.size(), 0);
  Index groups = 0;
  for (Index t = 0; t < triangles.size(); ++t) {
    groups = std::max(groups, group[t] + 1);
    for (std::size_t side = 0; side < 3; ++side) {
      if (is_border(t, side)) ++degree[triangles[t].corner[side]];
    }
  }

  std::vector<Polygon> faces(groups);
  for (Index start = 0; start < triangles.size(); ++start) {
    Polygon& face = faces[group[start]];
    for (std::size_t start_side = 0; start_side < 3 && face.empty(); ++start_side) {
      if (!is_border(start, start_side)) continue;
      Index t = start;
      std::size_t side = start_side;
      do {
        const Index tail = triangles[t].corner[side];
        if (degree[tail] >= 3) face.push_back(tail);
        // Turn about the head of this border edge to the next one.
        const Index head = triangles[t].corner[next(side)];
        side = next(side);
        while (!is_border(t, side)) {
          t = triangles[t].neighbor[side];
          side = 0;
          while (triangles[t].corner[side] != head) ++side;
        }
      } while (t != start || side != start_side);
    }
  }
  return faces;
}

struct DirectedEdge {
  Index tail, head, face;
};

// Fills `hull.edges`: each pair of opposite directed edges once, from the lower to the higher
// vertex; an edge of a flat hull has no opposite.
void connect_edges(ConvexHull& hull) {
  std::vector<DirectedEdge> sides;
  sides.reserve(hull.face_vertices.size());
  for (Index f = 0; f < hull.faces.size(); ++f) {
    const auto corners = hull.corners(hull.faces[f]);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      sides.push_back({corners[i], corners[i + 1 == corners.size() ? 0 : i + 1], f});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const DirectedEdge& a, const DirectedEdge& b) {
    const auto key = [](const DirectedEdge& e) {
      return std::array{std::min(e.tail, e.head), std::max(e.tail, e.head), e.tail};
    };
    return key(a) < key(b);
  });
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const DirectedEdge& side = sides[i];
    if (hull.dimension == 3) ++i;
    hull.edges.push_back({side.tail, side.head, side.face, sides[i].face});
  }
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

// The compact layout of a hull with the given vertices (ascending) and faces, in an order that
// depends on them alone.
ConvexHull assemble(int dimension, std::span<const Vec3> points, std::span<const Vec3> scaled,
                    Polygon source, std::vector<Polygon> polygons) {
  ConvexHull hull;
  hull.dimension = dimension;
  hull.source = std::move(source);
  std::vector<Index> renumbered(points.size(), kNone);
  for (const Index i : hull.source) {
    renumbered[i] = static_cast<Index>(hull.vertices.size());
    hull.vertices.push_back(points[i]);
  }
  for (Polygon& polygon : polygons) {
    std::rotate(polygon.begin(), std::min_element(polygon.begin(), polygon.end()), polygon.end());
  }
  std::sort(polygons.begin(), polygons.end());
  for (const Polygon& polygon : polygons) {
    ConvexHull::Face face;
    face.first = static_cast<Index>(hull.face_vertices.size());
    face.count = static_cast<Index>(polygon.size());
    face.normal =
        normalized(accurate_cross(scaled[polygon[0]], scaled[polygon[1]], scaled[polygon[2]]));
    face.offset = dot(face.normal, points[polygon[0]]);
    for (const Index i : polygon) {
      hull.face_vertices.push_back(renumbered[i]);
      face.offset = std::max(face.offset, dot(face.normal, points[i]));
    }
    hull.faces.push_back(face);
  }
  if (dimension == 1) hull.edges.push_back({0, 1, 0, 0});
  connect_edges(hull);
  connect_neighbors(hull);
  return hull;
}

Polygon sorted_corners(const std::vector<Polygon>& faces) {
  Polygon corners;
  for (const Polygon& face : faces) corners.insert(corners.end(), face.begin(), face.end());
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

}  // namespace

ConvexHull convex_hull(std::span<const Vec3> points) {
  check(points);
  const std::vector<Vec3> scaled = rescaled(points);
  const Simplex simplex = find_simplex(scaled);
  const auto& [a, b, c, d] = simplex.point;
  switch (simplex.dimension) {
    case 0:
      return assemble(0, points, scaled, {a}, {});
    case 1:
      return assemble(1, points, scaled, {std::min(a, b), std::max(a, b)}, {});
    case 2: {
      std::vector<Polygon> face = {planar_hull(scaled, scaled[a], scaled[b], scaled[c])};
      Polygon corners = sorted_corners(face);
      return assemble(2, points, scaled, std::move(corners), std::move(face));
    }
    default: {
      std::vector<Polygon> faces = merge_coplanar(scaled, detail::quickhull(scaled, simplex.point));
      Polygon corners = sorted_corners(faces);
      return assemble(3, points, scaled, std::move(corners), std::move(faces));
    }
  }
}

}  // namespace tactus
