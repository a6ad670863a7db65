#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tactus/fit.hpp"

/// Outlines in pictures. Pixel (i, j) is the square [i, i + 1] x [j, j + 1], row j counted from
/// y = 0; the inside lies where the cross product with the direction of an outline is positive.
namespace tactus::detail::contour {

/// Grey values that tell the shapes of a picture from its background.
struct GreyLevels {
  double threshold = 0.0;   ///< grey value between both sides
  double background = 0.0;  ///< most frequent grey value around the shapes
  double foreground = 0.0;  ///< most frequent grey value of the shapes
};

/// Otsu's threshold, unless one is given, and the levels of both sides. Of a picture with one value
/// alone all is inside, unless that value is what the foreground is not (transparent).
/// Throws InvalidInput (`image`): such a value; (`threshold`): one of its sides has no pixels.
/// Source: otsu1979threshold.
GreyLevels grey_levels(const GreyImage& image, const TraceOptions& options);

/// A picture as coverage: 0 outside of the shapes, 1 inside, with a margin of background.
class Picture {
 public:
  /// Pixels around the picture that may be asked for.
  static constexpr int kMargin = 12;

  /// With `y_up`, row 0 is the last one of the image.
  Picture(const GreyImage& image, const GreyLevels& levels, bool y_up);

  int width() const { return width_; }
  int height() const { return height_; }
  /// Coverage that divides inside and outside.
  double threshold() const { return threshold_; }

  float at(int x, int y) const { return values_[index(x, y)]; }
  bool inside(int x, int y) const { return at(x, y) >= limit_; }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y + kMargin) * stride_ + static_cast<std::size_t>(x + kMargin);
  }

  int width_, height_;
  std::size_t stride_;
  double threshold_;
  float limit_;
  std::vector<float> values_;
};

}  // namespace tactus::detail::contour
