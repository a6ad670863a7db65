#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tactus/ccd.hpp"
#include "tactus/ccd/box_tree.hpp"

namespace tactus::detail {

/// How a face ends that lies in the place of a cell on a way.
enum class HashEnd : std::uint8_t {
  collision,  ///< it lies there by another cell, which shares the place
  repeated,   ///< an earlier cell of the way has told of it
  apart,      ///< the boxes do not meet
  missed,     ///< the way does not pass through its box
  kept
};
constexpr std::string_view to_string(HashEnd end) {
  constexpr std::string_view kNames[] = {"collision", "repeated", "apart", "missed", "kept"};
  return kNames[static_cast<std::size_t>(end)];
}

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
  using Cell = std::array<std::int64_t, 3>;
  struct Range {
    Cell low, high;
  };
  /// In place of an observer where nobody observes.
  struct Unwatched {
    void way(std::span<const Cell>) const {}
    void found(std::uint32_t, const Cell&, HashEnd) const {}
  };

  /// `cell`: side of the cells; 0 takes the mean side of the boxes.
  explicit MovingHash(std::span<const SweptBox> faces, double cell = 0.0);

  /// Calls `take(i)` for each face whose box the way from `start` to `end` meets. `box`: of the
  /// way, grown by what else it must reach. `watch` is told of the cells and of each face in their
  /// places.
  template <class Take, class Watch = Unwatched>
  void find(const Vec3& start, const Vec3& end, const SweptBox& box, HashStages& counts,
            const Take& take, const Watch& watch = {}) const {
    if (entries_.empty()) return;
    std::vector<Cell> way;
    cells_of_way(start, end, box, way);
    watch.way(way);
    for (std::size_t k = 0; k < way.size(); ++k) {
      const std::size_t place = place_of(way[k]);
      for (std::uint32_t e = first_[place]; e < first_[place + 1]; ++e) {
        const std::uint32_t face = entries_[e];
        // Two cells of a face may share a place.
        if (e > first_[place] && entries_[e - 1] == face) continue;
        ++counts.found;
        if (!covers(ranges_[face], way[k])) {
          ++counts.collisions;
          watch.found(face, way[k], HashEnd::collision);
          continue;
        }
        const bool before = is_covered_before(ranges_[face], way, k);
        if (before || !meet(faces_[face], box)) {
          watch.found(face, way[k], before ? HashEnd::repeated : HashEnd::apart);
          continue;
        }
        ++counts.boxes;
        if (!passes(start, end, faces_[face], box)) {
          watch.found(face, way[k], HashEnd::missed);
          continue;
        }
        ++counts.paths;
        watch.found(face, way[k], HashEnd::kept);
        take(face);
      }
    }
  }

  double cell() const { return cell_; }
  /// Corner of the cell (0, 0, 0).
  const Vec3& origin() const { return origin_; }
  std::size_t places() const { return mask_ + 1; }
  /// Cells that a face covers.
  const Range& range(std::uint32_t face) const { return ranges_[face]; }

 private:
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
