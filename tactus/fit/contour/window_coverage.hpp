#pragma once

#include <span>
#include <vector>

#include "tactus/planar.hpp"

namespace tactus::detail::contour {

/// A square of pixels.
struct Window {
  int x = 0, y = 0, size = 0;  ///< its first pixel, and how many there are in a row

  bool holds(int px, int py) const { return px >= x && py >= y && px < x + size && py < y + size; }
  bool holds(const Vec2& p) const {
    return p.x >= x && p.y >= y && p.x <= x + size && p.y <= y + size;
  }
};

/// The part of each pixel of the window, row by row, that lies inside the closed polygon; exact but
/// for rounding. Counter-clockwise (positive area) counts as positive.
std::vector<double> window_coverage(const Window& window, std::span<const Vec2> polygon);

/// Closes a chain that begins and ends outside of the window around the window, its left inside.
void close_around(const Window& window, std::vector<Vec2>& chain);

}  // namespace tactus::detail::contour
