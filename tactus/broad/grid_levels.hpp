#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/broad.hpp"

namespace tactus::detail {

/// Survey of all boxes in one pass: where they are, and how many there are of each size.
struct BoxSurvey {
  /// Binary exponents of a double, as biased in its bits.
  static constexpr std::size_t kExponents = 2048;
  static constexpr std::uint16_t kUnbounded = 0xffff;
  /// Boxes with coordinates above it count as unbounded: sums of others do not overflow.
  static constexpr double kFarthest = 1e300;

  std::vector<std::uint16_t> exponent;  ///< of each box's longest side; kUnbounded
  std::array<std::uint32_t, kExponents> count;
  std::array<double, kExponents> longest;  ///< side of those of this exponent
  std::uint32_t bounded;
  Vec3 lower, upper;  ///< of the lower corners of bounded boxes

  void take(std::span<const BroadEntry> entries);
};

/// One grid: the boxes of a range of sizes.
struct GridLevel {
  std::uint32_t first_exponent, last_exponent;
  std::uint32_t count;                ///< boxes
  double reach;                       ///< no side of them is longer
  Vec3 origin;                        ///< no lower corner is below
  double farthest;                    ///< extent of the lower corners along the longest axis
  double side, inverse;               ///< of a cell, and its reciprocal
  std::array<std::int64_t, 3> cells;  ///< along the axes
  bool hashed;                        ///< cells lie in a table by their hash
  std::uint32_t mask;                 ///< of the table's places
  std::uint32_t base, places;         ///< in the list of all grids' places
  std::uint32_t begin, end;           ///< in the list of all grids' boxes

  /// Never falls when `x` grows, which is all that the search relies on: rounding cannot lose a
  /// pair.
  std::int64_t cell(double x, int axis) const {
    const double place = (x - origin[axis]) * inverse;
    if (hashed) {
      const auto whole = static_cast<std::int64_t>(place);
      return whole - (static_cast<double>(whole) > place ? 1 : 0);
    }
    // Coordinates outside of the grid belong to its outermost cells.
    if (!(place > 0.0)) return 0;
    const auto last = cells[static_cast<std::size_t>(axis)] - 1;
    return place >= static_cast<double>(last) ? last : static_cast<std::int64_t>(place);
  }
  /// A dense grid of cells as long as `new_side` at least, as many as can be afforded.
  void spread(const BoxSurvey& survey, double new_side);
  /// The side itself, or the least that a table of cells admits: a box reaches the neighbours of
  /// its cell alone, and cells are counted exactly.
  double least_side(double wanted) const;
  /// Occupied cells alone, in a table.
  void hash(double new_side);
};

/// The levels from the smallest boxes to the largest. Which sizes share a grid follows from a model
/// of the cost: comparisons in the cells that a box can reach, and the visits of these cells; a
/// dynamic program takes the cheapest partition of the sizes into ranges.
std::vector<GridLevel> choose_levels(const BoxSurvey& survey);

}  // namespace tactus::detail
