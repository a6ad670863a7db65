#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/mesh.hpp"

namespace tactus::detail {

// Ways to find a hull's farthest vertex along a direction, beside DirectionMap, which is the
// default: measured against each other in docs/algorithms/support.md.

/// By looking at all vertices: the lowest index among equals. Exact, also for points that are not
/// extreme. Cost: one product per vertex. `vertices` must not be empty.
inline std::uint32_t farthest_by_scan(std::span<const Vec3> vertices, const Vec3& n) {
  std::uint32_t best = 0;
  double best_value = dot(vertices[0], n);
  for (std::uint32_t i = 1; i < vertices.size(); ++i) {
    const double value = dot(vertices[i], n);
    if (value > best_value) {
      best_value = value;
      best = i;
    }
  }
  return best;
}

/// By steepest ascent along edges from the vertex `start` (out of range: 0). Exact up to rounding:
/// where neighbours are equally far within rounding, it may stay below the farthest one by as much.
/// Every step gains, so it ends. Cost: some six products per step; one step from the right vertex,
/// about the root of the number of vertices from a wrong one. Source: cameron1997enhancing;
/// huotari2011.
std::uint32_t farthest_by_climbing(const ConvexHull& hull, const Vec3& n, std::uint32_t start);

/// Start vertices for climbing: the farthest ones along 26 directions, the neighbours of the centre
/// in a grid of three by three by three.
class StartGrid {
 public:
  explicit StartGrid(const ConvexHull& hull);
  std::uint32_t start(const Vec3& n) const;

 private:
  std::array<std::uint32_t, 27> vertex_{};
};

/// The hierarchy of Dobkin and Kirkpatrick: hulls of ever fewer vertices, each made by leaving an
/// independent set of low degree out of the one before, so that the farthest vertex of a level is
/// near that of the coarser one. Exact up to rounding, like climbing, which finishes each level.
/// Cost: logarithmic. Source: dobkin1990hierarchy; huotari2011.
class VertexHierarchy {
 public:
  /// Cost: some ten hulls of the same size.
  explicit VertexHierarchy(const ConvexHull& hull);
  std::uint32_t farthest(const ConvexHull& hull, const Vec3& n) const;
  std::size_t levels() const { return levels_.size() + 1; }

 private:
  struct Level {
    ConvexHull hull;
    std::vector<std::uint32_t> finer;  ///< number of each vertex in the next finer level
  };
  std::vector<Level> levels_;  ///< from coarse to fine, without the hull itself
};

}  // namespace tactus::detail
