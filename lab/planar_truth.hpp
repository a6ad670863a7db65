#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tactus/planar.hpp"

/// References for answers in the plane, on whole coordinates: straight from the definitions,
/// without trees, without rounding where something is decided, and without a line of the library's
/// own.
namespace tactus::detail::lab {

/// Coordinates of magnitude up to 2^61.
struct GridPoint {
  std::int64_t x = 0, y = 0;
  friend bool operator==(const GridPoint&, const GridPoint&) = default;
};
using GridRing = std::vector<GridPoint>;
/// An outer contour and its holes, of either winding.
using GridRings = std::vector<GridRing>;

/// A touch of a circle, in units of the grid.
struct TrueTouch {
  TouchKind kind = TouchKind::segment;
  std::size_t segment = 0;
  long double x = 0, y = 0, distance = 0, part = 0;
  /// Within `unsure` of the reach, or of such a kind only if a touch is found that is so near it.
  bool optional = false, kind_optional = false;
};

/// All local minima of the distance from `centre` within `reach`, in the order of segments.
std::vector<TrueTouch> true_touches(const GridRing& ring, bool closed, const GridPoint& centre,
                                    long double reach, long double unsure);

/// The disc's interior meets the curve, exactly. Coordinates of up to 53 bits.
bool true_circle_overlap(const GridRing& ring, bool closed, const GridPoint& centre,
                         std::int64_t radius);

/// No two segments have a point in common, but neighbours the corner between them.
bool is_simple(const GridRing& ring);

/// Whether the interiors have a point in common, exactly. `small`: all coordinates have at most 17
/// bits and a sign, which is quicker.
bool true_overlap(const GridRings& a, const GridRings& b, bool small);

/// Least distance of two boundaries that do not cross, to some roundings of extended precision.
long double true_distance(const GridRings& a, const GridRings& b);

/// Length of the least translation of B after which the interiors are disjoint, regularised: the
/// distance of the origin from what the differences of all pairs of triangles leave free. Infinite
/// where that is more than `bound`. `small` as above.
long double true_depth(const GridRings& a, const GridRings& b, long double bound, bool small);

/// Triangles that fill the region: greedily chosen diagonals. Throws std::logic_error when their
/// areas do not sum up to that of the region.
std::vector<std::array<GridPoint, 3>> triangles_of(const GridRings& rings);

}  // namespace tactus::detail::lab
