#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/ccd.hpp"
#include "tactus/ccd/box_tree.hpp"

namespace tactus::detail {

/// Cells of a grid in a table of fixed size: moving faces are entered by the box that holds them at
/// the start and at the end, moving points are sought along their way. What the cells of a way hold
/// is filtered by the moving box, then by the way itself, axis by axis. Each pair is found once: in
/// the first cell of the way that the face's box covers. No pair that can touch is left out: ways
/// are widened by more than their rounding.
/// Source: knoblauch2005, section 3.3 (hash and filters); the way runs through slabs of cells
/// rather than from cell to cell (there after Amanatides and Woo), so that it cannot slip through
/// between two of them.
class MovingHash {
 public:
  /// `cell`: side of the cells; 0 takes the mean side of the boxes.
  explicit MovingHash(std::span<const SweptBox> faces, double cell = 0.0);

  /// Calls `take(i)` for each face whose box the way from `start` to `end` meets. `box`: of the
  /// way, grown by what else it must reach.
  template <class Take>
  void find(const Vec3& start, const Vec3& end, const SweptBox& box, HashStages& counts,
            const Take& take) const {
    if (entries_.empty()) return;
    std::vector<Cell> way;
    cells_of_way(start, end, box, way);
    for (std::size_t k = 0; k < way.size(); ++k) {
      const std::size_t place = place_of(way[k]);
      for (std::uint32_t e = first_[place]; e < first_[place + 1]; ++e) {
        const std::uint32_t face = entries_[e];
        // Two cells of a face may share a place.
        if (e > first_[place] && entries_[e - 1] == face) continue;
        ++counts.found;
        if (!covers(ranges_[face], way[k])) {
          ++counts.collisions;
          continue;
        }
        if (is_covered_before(ranges_[face], way, k) || !meet(faces_[face], box)) continue;
        ++counts.boxes;
        if (!passes(start, end, faces_[face], box)) continue;
        ++counts.paths;
        take(face);
      }
    }
  }

  double cell() const { return cell_; }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Range {
    Cell low, high;
  };

  Cell cell_of(const Vec3& p) const;
  std::size_t place_of(const Cell& c) const;
  void cells_of_way(const Vec3& start, const Vec3& end, const SweptBox& box,
                    std::vector<Cell>& way) const;
  static Range common(const Range& x, const Range& y);
  static bool covers(const Range& r, const Cell& c);
  static bool is_covered_before(const Range& r, std::span<const Cell> way, std::size_t k);
  static bool passes(const Vec3& start, const Vec3& end, const SweptBox& face, const SweptBox& way);

  std::span<const SweptBox> faces_;
  Vec3 origin_;
  double cell_ = 1.0;
  std::size_t mask_ = 0;
  Range whole_ = {};  ///< of all faces
  std::vector<Range> ranges_;
  std::vector<std::uint32_t> first_;    ///< of each place, into `entries_`
  std::vector<std::uint32_t> entries_;  ///< faces, place by place
};

}  // namespace tactus::detail
