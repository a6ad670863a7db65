#pragma once

#include <utility>
#include <vector>

#include "tactus/planar.hpp"

namespace tactus::detail::contour {

/// A segment of one of several closed lines.
struct SegmentOf {
  std::size_t line = 0, segment = 0;
  friend bool operator==(const SegmentOf&, const SegmentOf&) = default;
};

/// All pairs of segments of the closed lines that have a point in common, other than neighbours
/// that share their corner alone. Exact. In a fixed order. Cost: linear in the segments where they
/// are evenly spread.
std::vector<std::pair<SegmentOf, SegmentOf>> crossings_of(
    const std::vector<std::vector<Vec2>>& lines);

/// Exact: does the closed line wind an odd number of times around the point?
bool encloses(const std::vector<Vec2>& line, const Vec2& p);

}  // namespace tactus::detail::contour
