#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math/vec3.hpp"

namespace tactus {

/// Which vertices of a hull can be the farthest in which directions: the sphere of directions cut
/// into cells, each with the list of its candidates.
///
/// Directions are stretched by the half extents of the hull's box. Up to `kChamberVertices`
/// vertices, the cells are the 48 chambers told apart by the signs and the order of magnitude of
/// the three components; beyond, the two halves of an octahedron are unfolded to squares and cut
/// into one to four cells per vertex. All directions of a cell are positive combinations of its
/// corners, and a vertex is left out only where another one is farther at every corner, by more
/// than rounding can hide: the answer has the same bits as a scan over all vertices, whatever the
/// hull. Cost of a query: as a rule three to eight products (and one division for large hulls).
/// Source: ours; docs/algorithms/support.md.
class DirectionMap {
 public:
  /// Hulls with fewer vertices get no map: a scan is as fast.
  static constexpr std::size_t kFewestVertices = 13;
  static constexpr std::size_t kChamberVertices = 128;

  DirectionMap() = default;
  /// `vertices` of a convex hull. Empty below `kFewestVertices`. Cost: some 1 us per vertex.
  explicit DirectionMap(std::span<const Vec3> vertices);

  bool empty() const { return candidates_.empty(); }

  /// Index of the farthest vertex along n, the lowest among equals. `vertices` are those of the
  /// construction.
  std::uint32_t farthest(const Vec3* vertices, const Vec3& n) const {
    const std::size_t c = cell(n);
    const std::uint32_t* next = candidates_.data() + first_[c];
    const std::uint32_t* end = candidates_.data() + first_[c + 1];
    std::uint32_t best = *next;
    double best_value = dot(vertices[best], n);
    while (++next != end) {
      const double value = dot(vertices[*next], n);
      best = value > best_value ? *next : best;
      best_value = value > best_value ? value : best_value;
    }
    return best;
  }

  /// Candidates for the direction n, ascending.
  std::span<const std::uint32_t> candidates(const Vec3& n) const {
    const std::size_t c = cell(n);
    return {candidates_.data() + first_[c], first_[c + 1] - first_[c]};
  }
  /// Size in memory.
  std::size_t bytes() const { return (first_.size() + candidates_.size()) * sizeof(std::uint32_t); }

 private:
  std::size_t cell(const Vec3& n) const {
    const Vec3 d = component_product(scale_, n);
    const Vec3 m = component_abs(d);
    if (side_ == 0) {
      return static_cast<std::size_t>(d.x < 0.0) | static_cast<std::size_t>(d.y < 0.0) << 1 |
             static_cast<std::size_t>(d.z < 0.0) << 2 | static_cast<std::size_t>(m.x < m.y) << 3 |
             static_cast<std::size_t>(m.y < m.z) << 4 | static_cast<std::size_t>(m.x < m.z) << 5;
    }
    const double half = 0.5 * static_cast<double>(side_);
    const double to_cells = half / ((m.x + m.y) + m.z);
    const std::size_t half_space = d.z < 0.0 ? side_ : 0;
    return (half_space + index((d.x + d.y) * to_cells + half)) * side_ +
           index((d.x - d.y) * to_cells + half);
  }
  // Within the square whatever t is, not a number included.
  std::size_t index(double t) const {
    const auto last = static_cast<double>(side_ - 1);
    t = t > 0.0 ? t : 0.0;
    t = t < last ? t : last;
    return static_cast<std::size_t>(static_cast<std::int64_t>(t));
  }

  Vec3 scale_;
  std::size_t side_ = 0;              ///< cells along a square's side; 0: chambers
  std::vector<std::uint32_t> first_;  ///< of each cell in `candidates_`, and the end
  std::vector<std::uint32_t> candidates_;
};

}  // namespace tactus
