#pragma once

#include <span>
#include <vector>

#include "tactus/planar.hpp"

namespace tactus::detail::contour {

struct ChordDeviation {
  double distance = 0.0;
  std::size_t at = 0;
};

/// Largest distance of the points between two of the line's points from the segment that replaces
/// them, rounded up, and the first point that has it (`first` when there is none). `next` may be
/// smaller than `first` on a closed line.
ChordDeviation deviation(std::span<const Vec2> line, std::size_t first, std::size_t next);

/// The largest of all stretches between neighbours of `kept`.
double largest_deviation(std::span<const Vec2> line, bool closed,
                         const std::vector<std::size_t>& kept);

/// The fewest points of the line such that every point left out is within `error` of the segment
/// that replaces its stretch: then so is every place of the segment of the stretch. An open line
/// keeps its ends. Ties: the least sum of squared distances. Indices rise.
/// Cost: linear in the shortcuts that are short enough, at most kMostShortcuts of them; a longer
/// line gets the fewest in two rounds.
/// Source: imai1988polygonal, chan1996approximation (the cones).
std::vector<std::size_t> fewest_points(std::span<const Vec2> line, bool closed, double error);

/// At most `count` points (three at least, two of an open line) with the least error, to 1e-9 of
/// it: bisection between lines of too many points and of few enough.
std::vector<std::size_t> least_error(std::span<const Vec2> line, bool closed, std::size_t count);

}  // namespace tactus::detail::contour
