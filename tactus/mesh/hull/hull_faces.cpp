#include "tactus/mesh/hull/hull_faces.hpp"

#include <algorithm>

#include "tactus/core.hpp"
#include "tactus/math/predicates.hpp"

namespace tactus::detail {
namespace {

using Index = std::uint32_t;

constexpr std::size_t kGrain = 4096;

std::size_t next(std::size_t corner) { return corner == 2 ? 0 : corner + 1; }

// Corner of `triangle` that it does not share with its neighbour `t`.
Index corner_opposite(const HullTriangle& triangle, Index t) {
  std::size_t side = 0;
  while (triangle.neighbor[side] != t) ++side;
  return triangle.corner[next(next(side))];
}

// Three bits per triangle: the edges beyond which the neighbour lies in another plane.
std::vector<std::uint8_t> find_borders(std::span<const Vec3> points,
                                       std::span<const HullTriangle> triangles, int max_threads) {
  std::vector<std::uint8_t> borders(triangles.size());
  parallel_for(
      triangles.size(), kGrain,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
          const auto& [a, b, c] = triangles[t].corner;
          unsigned bits = 0;
          for (std::size_t side = 0; side < 3; ++side) {
            const HullTriangle& beyond = triangles[triangles[t].neighbor[side]];
            const Index opposite = corner_opposite(beyond, static_cast<Index>(t));
            const bool apart = orient3d(points[a], points[b], points[c], points[opposite]) != 0;
            bits |= static_cast<unsigned>(apart) << side;
          }
          borders[t] = static_cast<std::uint8_t>(bits);
        }
      },
      max_threads);
  return borders;
}

// Walks around the faces of a triangulated surface.
struct Tracer {
  std::span<const HullTriangle> triangles;
  std::span<const std::uint8_t> borders;
  // Edges between faces that start at each vertex. They meet in threes or more exactly at the
  // extreme points: a vertex with two of them lies inside an edge of the hull, one with none inside
  // a face.
  std::vector<Index> degree;
  std::vector<bool> done;  // triangles whose face was traced
  std::vector<Index> stack;

  bool is_border(Index t, std::size_t side) const { return ((borders[t] >> side) & 1u) != 0; }

  void mark_face(Index start) {
    done[start] = true;
    stack.assign(1, start);
    while (!stack.empty()) {
      const Index t = stack.back();
      stack.pop_back();
      for (std::size_t side = 0; side < 3; ++side) {
        const Index beyond = triangles[t].neighbor[side];
        if (is_border(t, side) || done[beyond]) continue;
        done[beyond] = true;
        stack.push_back(beyond);
      }
    }
  }

  // The loop of extreme corners that starts with a border edge of a triangle.
  void trace(Index start, std::size_t start_side, std::vector<Index>& corners) const {
    Index t = start;
    std::size_t side = start_side;
    do {
      const Index tail = triangles[t].corner[side];
      if (degree[tail] >= 3) corners.push_back(tail);
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
};

Polygons trace_faces(std::size_t points, std::span<const HullTriangle> triangles,
                     std::span<const std::uint8_t> borders) {
  Tracer tracer{triangles,
                borders,
                std::vector<Index>(points, 0),
                std::vector<bool>(triangles.size(), false),
                {}};
  for (Index t = 0; t < triangles.size(); ++t) {
    for (std::size_t side = 0; side < 3; ++side) {
      if (tracer.is_border(t, side)) ++tracer.degree[triangles[t].corner[side]];
    }
  }
  Polygons faces;
  faces.first.reserve(triangles.size() + 1);
  faces.corners.reserve(3 * triangles.size());
  for (Index start = 0; start < triangles.size(); ++start) {
    // A triangle without a border lies inside a face that others trace.
    if (tracer.done[start] || borders[start] == 0) continue;
    tracer.mark_face(start);
    std::size_t side = 0;
    while (!tracer.is_border(start, side)) ++side;
    const auto begin = static_cast<std::ptrdiff_t>(faces.corners.size());
    tracer.trace(start, side, faces.corners);
    const auto corner = faces.corners.begin() + begin;
    std::rotate(corner, std::min_element(corner, faces.corners.end()), faces.corners.end());
    faces.first.push_back(static_cast<Index>(faces.corners.size()));
  }
  return faces;
}

// Lexicographic order: by the first corner into buckets, within them by comparing.
Polygons sorted(const Polygons& faces, std::size_t points, int max_threads) {
  std::vector<Index> bucket(points + 1, 0);
  for (std::size_t f = 0; f < faces.size(); ++f) ++bucket[faces[f].front() + 1];
  for (std::size_t i = 1; i < bucket.size(); ++i) bucket[i] += bucket[i - 1];
  std::vector<Index> order(faces.size());
  {
    std::vector<Index> end(bucket.begin(), bucket.end() - 1);
    for (Index f = 0; f < faces.size(); ++f) order[end[faces[f].front()]++] = f;
  }
  parallel_for(
      points, kGrain,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          std::sort(order.begin() + bucket[i], order.begin() + bucket[i + 1],
                    [&](Index x, Index y) {
                      return std::lexicographical_compare(faces[x].begin(), faces[x].end(),
                                                          faces[y].begin(), faces[y].end());
                    });
        }
      },
      max_threads);
  Polygons result;
  result.first.reserve(faces.first.size());
  result.corners.reserve(faces.corners.size());
  for (const Index f : order) {
    result.corners.insert(result.corners.end(), faces[f].begin(), faces[f].end());
    result.first.push_back(static_cast<Index>(result.corners.size()));
  }
  return result;
}

}  // namespace

Polygons hull_faces(std::span<const Vec3> points, std::span<const HullTriangle> triangles,
                    int max_threads) {
  const std::vector<std::uint8_t> borders = find_borders(points, triangles, max_threads);
  return sorted(trace_faces(points.size(), triangles, borders), points.size(), max_threads);
}

}  // namespace tactus::detail
