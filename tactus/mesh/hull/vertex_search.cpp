#include "tactus/mesh/hull/vertex_search.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

// Vertices with more neighbours are not left out, so that few edges must be mended.
constexpr std::size_t kMostNeighbors = 8;
// The hierarchy ends at this size, where a scan is as fast.
constexpr std::size_t kCoarsest = 12;
// Components of a unit vector above this are nearer to 1 than to 0 among the 26 directions.
constexpr double kGridThreshold = 0.41;

int grid_step(double x) { return x > kGridThreshold ? 2 : (x < -kGridThreshold ? 0 : 1); }

// Vertices that remain when a greedy independent set of low degree is left out.
std::vector<std::uint32_t> without_independent_set(const ConvexHull& hull) {
  std::vector<bool> next_to_left_out(hull.vertices.size(), false);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t v = 0; v < hull.vertices.size(); ++v) {
    const auto neighbors = hull.neighbors_of(v);
    if (!next_to_left_out[v] && neighbors.size() <= kMostNeighbors) {
      for (const std::uint32_t u : neighbors) next_to_left_out[u] = true;
    } else {
      kept.push_back(v);
    }
  }
  return kept;
}

}  // namespace

std::uint32_t farthest_by_climbing(const ConvexHull& hull, const Vec3& n, std::uint32_t start) {
  std::uint32_t best = start < hull.vertices.size() ? start : 0;
  double best_value = dot(hull.vertices[best], n);
  for (bool moved = true; moved;) {
    moved = false;
    for (const std::uint32_t next : hull.neighbors_of(best)) {
      const double value = dot(hull.vertices[next], n);
      if (value > best_value) {
        best_value = value;
        best = next;
        moved = true;
      }
    }
  }
  return best;
}

StartGrid::StartGrid(const ConvexHull& hull) {
  for (std::size_t i = 0; i < vertex_.size(); ++i) {
    const auto step = static_cast<int>(i);
    const int x = step / 9 - 1, y = step / 3 % 3 - 1, z = step % 3 - 1;
    const Vec3 n{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
    vertex_[i] = farthest_by_scan(hull.vertices, n);
  }
}

std::uint32_t StartGrid::start(const Vec3& n) const {
  const int step = 9 * grid_step(n.x) + 3 * grid_step(n.y) + grid_step(n.z);
  return vertex_[static_cast<std::size_t>(step)];
}

VertexHierarchy::VertexHierarchy(const ConvexHull& hull) {
  const ConvexHull* fine = &hull;
  std::vector<Level> from_fine;
  while (fine->vertices.size() > kCoarsest) {
    const std::vector<std::uint32_t> kept = without_independent_set(*fine);
    if (kept.size() < 4 || kept.size() == fine->vertices.size()) break;
    std::vector<Vec3> points;
    points.reserve(kept.size());
    for (const std::uint32_t v : kept) points.push_back(fine->vertices[v]);
    Level level{convex_hull(points), {}};
    level.finer.reserve(level.hull.source.size());
    for (const std::uint32_t i : level.hull.source) level.finer.push_back(kept[i]);
    from_fine.push_back(std::move(level));
    fine = &from_fine.back().hull;
  }
  levels_.assign(std::make_move_iterator(from_fine.rbegin()),
                 std::make_move_iterator(from_fine.rend()));
}

std::uint32_t VertexHierarchy::farthest(const ConvexHull& hull, const Vec3& n) const {
  if (levels_.empty()) return farthest_by_climbing(hull, n, 0);
  std::uint32_t vertex = farthest_by_scan(levels_.front().hull.vertices, n);
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    vertex = levels_[i].finer[vertex];
    vertex = farthest_by_climbing(i + 1 < levels_.size() ? levels_[i + 1].hull : hull, n, vertex);
  }
  return vertex;
}

}  // namespace tactus::detail
