#pragma once

#include "tactus/fit/contour/picture.hpp"

namespace tactus::detail::contour {

/// The side of a pixel inside the shapes towards one outside.
struct Crack {
  std::int32_t x = 0, y = 0;  ///< the pixel inside
  std::int32_t side = 0;      ///< the pixel outside: 0 at +x, 1 at +y, 2 at -x, 3 at -y
};

inline constexpr int kStepX[4] = {1, 0, -1, 0}, kStepY[4] = {0, 1, 0, -1};

/// One closed outline as the cracks that it passes, the inside at the left.
struct Outline {
  std::vector<Crack> cracks;
  std::size_t shape = 0;    ///< the connected set of pixels inside that it bounds
  double twice_area = 0.0;  ///< of the polygon of cracks; negative for a hole
};

/// All outlines. Pixels that meet at a corner alone are one shape where the rule says so. Two
/// outlines bound the same shape exactly when the pixels at their left are connected.
/// Cost: linear in the pixels.
std::vector<Outline> outlines_of(const Picture& picture, SaddleRule rule);

/// Where the grey values, linear between the centres of the two pixels, pass the threshold. Never a
/// pixel's centre; polygons through these places don't cross or touch.
/// Source: lorensen1987marching (in the plane).
Vec2 crossing(const Picture& picture, const Crack& crack);

}  // namespace tactus::detail::contour
