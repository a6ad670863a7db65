#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"
#include "tactus/mesh/support/point_boxes.hpp"
#include "tactus/mesh/support/vertex_groups.hpp"

namespace tactus::detail {

/// Which vertices of a hull can be the farthest in which directions: the sphere of directions cut
/// into cells, each with the list of its candidates.
///
/// Up to `kGroupedVertices` all vertices are candidates. Beyond, directions are stretched by the
/// half extents of the hull's box. Up to `kChamberVertices` vertices, the cells are the 48 chambers
/// told apart by the signs and the order of magnitude of the three components; beyond, the two
/// halves of an octahedron are unfolded to squares and cut into a half to one cell per vertex. All
/// directions of a cell are positive combinations of its corners, and a vertex is left out only
/// where another one is farther at every corner, by more than rounding can hide: the answer has the
/// same bits as a scan over all vertices, whatever the hull.
///
/// Large hulls are seldom in the cache, so that memory is what their searches wait for. Lists of
/// the squares hold coordinates rounded to 16 bits, next to each other; the few candidates that
/// these do not decide are compared in double precision. Their vertices are kept once more, ordered
/// by place.
///
/// The rim of a prism has a candidate for every direction near its axis: cells of which too many
/// vertices remain have no list, and boxes about all vertices are searched for them. So the lists
/// grow as the vertices do.
///
/// Cost of a query: as a rule three to ten products (and one division for large hulls). Source:
/// ours; docs/algorithms/support.md.
class DirectionMap {
 public:
  static constexpr std::size_t kGroupedVertices = 32;
  static constexpr std::size_t kChamberVertices = 128;

  struct Found {
    const Vec3* point;
    std::uint32_t vertex;
  };

  DirectionMap() = default;
  /// `vertices` of a convex hull. Cost: some 1 us per vertex.
  explicit DirectionMap(std::span<const Vec3> vertices);

  bool empty() const { return side_ == 0 && lists_.empty() && groups_.empty(); }

  /// Is this the map of a small hull, all of whose vertices are candidates?
  bool small() const { return !groups_.empty(); }
  const VertexGroups& groups() const { return groups_; }

  /// Is this the map of a large hull, of squares?
  bool large() const { return side_ != 0; }

  /// Where a direction lies in the squares.
  struct Place {
    Vec3 direction;  ///< stretched, its absolute coordinates add up to one
    std::size_t cell;
  };
  /// Needs `large`. Sends for the memory that the search from there needs: two searches can wait
  /// for theirs together.
  Place place(const Vec3& n) const;
  /// As `farthest`, from the place of n.
  Found farthest_from(const Place& place, const Vec3* vertices, const Vec3& n) const;

  /// The farthest vertex along n, the lowest index among equals, and its coordinates. `vertices`
  /// are those of the construction; the map must not be empty.
  [[gnu::always_inline]] Found farthest(const Vec3* vertices, const Vec3& n) const {
    if (small()) {
      const std::uint32_t vertex = groups_.farthest(n);
      return {vertices + vertex, vertex};
    }
    if (large()) return farthest_from(place(n), vertices, n);
    const unsigned c = chamber(n);
    const std::uint32_t* next = lists_.data() + lists_[c];
    const std::uint32_t* end = lists_.data() + lists_[c + 1];
    std::uint32_t best = *next;
    double best_value = dot(vertices[best], n);
    while (++next != end) {
      const std::uint32_t vertex = *next;
      const double value = dot(vertices[vertex], n);
      best = value > best_value ? vertex : best;
      best_value = value > best_value ? value : best_value;
    }
    return {vertices + best, best};
  }

  /// Number of candidates for the direction n; 0 where boxes of vertices are asked.
  std::size_t candidates(const Vec3& n) const;
  /// Size in memory.
  std::size_t bytes() const;

 private:
  // Four candidates, the last one repeated where there are fewer. The hull's box is 65535 units
  // wide.
  struct alignas(32) Block {
    std::uint16_t x[4], y[4], z[4];
    std::uint16_t corner[4];  ///< in `corners_`, modulo 65536
  };
  // A vertex.
  struct alignas(32) Corner {
    Vec3 point;
    std::uint32_t vertex;
  };

  unsigned chamber(const Vec3& n) const {
    const Vec3 d = component_product(scale_, n);
    const Vec3 m = component_abs(d);
    return static_cast<unsigned>(d.x < 0.0) | static_cast<unsigned>(d.y < 0.0) << 1u |
           static_cast<unsigned>(d.z < 0.0) << 2u | static_cast<unsigned>(m.x < m.y) << 3u |
           static_cast<unsigned>(m.y < m.z) << 4u | static_cast<unsigned>(m.x < m.z) << 5u;
  }
  void make_chambers(std::span<const Vec3> stretched, double margin);
  void make_squares(std::span<const Vec3> vertices, std::span<const Vec3> stretched, double margin);

  VertexGroups groups_;
  Vec3 scale_;
  std::size_t side_ = 0;  ///< cells along a square's side; 0: chambers
  float margin_ = 0.0f;   ///< what rounding of the blocks' coordinates can hide
  /// Chambers: where each one's list begins, the end of the last, and the lists.
  std::vector<std::uint32_t> lists_;
  /// Squares: four times the first block of each cell, plus the entries of its last block that are
  /// repetitions; and the end.
  std::vector<std::uint32_t> first_;
  std::vector<Block> blocks_;
  std::vector<Corner> corners_;
  PointBoxes boxes_;                 ///< about all vertices, where a cell has no list
  std::vector<std::uint16_t> page_;  ///< of each block's corners, 65536 each; empty: all 0
};

}  // namespace tactus::detail
