// Curves over an axis, for the drawing examples.
#pragma once

#include <string>
#include <vector>

#include "docs/figures/svg.hpp"

namespace svg {

/// A frame on the page with values along both of its sides.
struct Chart {
  Point corner;  ///< upper left, pixels
  double width, height;
  double x_low, x_high, y_low, y_high;

  Point operator()(double x, double y) const {
    return {corner.x + width * (x - x_low) / (x_high - x_low),
            corner.y + height * (y_high - y) / (y_high - y_low)};
  }
  /// The curve of a function from one end to the other.
  template <class Function>
  Line curve(const Function& f, int pieces = 240) const {
    Line line;
    for (int k = 0; k <= pieces; ++k) {
      const double x = x_low + (x_high - x_low) * k / pieces;
      line.push_back((*this)(x, f(x)));
    }
    return line;
  }
  void level(std::FILE* out, double y, const char* color) const {
    draw_line(out, (*this)(x_low, y), (*this)(x_high, y), color, 1.0);
  }
  void frame(std::FILE* out, const std::string& x_name, const std::string& y_name) const {
    const Point low = (*this)(x_low, y_low), right = (*this)(x_high, y_low);
    draw_line(out, low, (*this)(x_low, y_high), kInk, 1.0);
    draw_line(out, low, right, kInk, 1.0);
    draw_text(out, {right.x, right.y + 28.0}, x_name, kInk, "end");
    draw_text(out, {corner.x, corner.y - 8.0}, y_name);
  }
  void tick_x(std::FILE* out, double x, const std::string& name) const {
    const Point p = (*this)(x, y_low);
    draw_line(out, p, {p.x, p.y + 4.0}, kInk, 1.0);
    draw_text(out, {p.x, p.y + 16.0}, name, kInk, "middle");
  }
  void tick_y(std::FILE* out, double y, const std::string& name) const {
    const Point p = (*this)(x_low, y);
    draw_line(out, p, {p.x - 4.0, p.y}, kInk, 1.0);
    draw_text(out, {p.x - 7.0, p.y + 4.0}, name, kInk, "end");
  }
};

}  // namespace svg
