// Shared by the programs that draw: a parallel projection and a few elements of SVG.
#pragma once

#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "tactus/math.hpp"

namespace svg {

struct Point {
  double x, y;
};

/// Parallel projection, a little from above and from the side; y runs downwards as in SVG.
inline Point flat(const tactus::Vec3& p) {
  return {0.9 * p.x - 0.4 * p.y, -(0.25 * p.x + 0.35 * p.y + 0.85 * p.z)};
}

/// The projection above, moved and scaled so that points fill the middle of a panel.
class View {
 public:
  View(std::span<const tactus::Vec3> points, double width, double height) {
    Point low = flat(points[0]), high = low;
    for (const tactus::Vec3& v : points) {
      const Point p = flat(v);
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    center_ = {0.5 * (low.x + high.x), 0.5 * (low.y + high.y)};
    middle_ = {0.5 * width, 0.5 * height};
    scale_ = std::min(0.8 * width / (high.x - low.x), 0.8 * height / (high.y - low.y));
  }
  double scale() const { return scale_; }
  Point operator()(const tactus::Vec3& v) const {
    const Point p = flat(v);
    return {middle_.x + scale_ * (p.x - center_.x), middle_.y + scale_ * (p.y - center_.y)};
  }

 private:
  Point center_{}, middle_{};
  double scale_ = 1.0;
};

inline void draw_line(std::FILE* out, Point a, Point b, const char* color, double width) {
  std::fprintf(out,
               "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' stroke-width='%.1f'/>\n",
               a.x, a.y, b.x, b.y, color, width);
}

inline void draw_dot(std::FILE* out, Point p, const char* color, double radius) {
  std::fprintf(out, "<circle cx='%.1f' cy='%.1f' r='%.1f' fill='%s'/>\n", p.x, p.y, radius, color);
}

constexpr double kWidth = 720.0;  // pixels
constexpr const char* kInk = "#222";

using Line = std::vector<Point>;

inline void begin_figure(std::FILE* out, double height) {
  std::fprintf(out,
               "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' "
               "font-family='sans-serif' font-size='12'>\n<rect width='100%%' height='100%%' "
               "fill='white'/>\n",
               kWidth, height);
}
inline void begin_group(std::FILE* out, double x, double y) {
  std::fprintf(out, "<g transform='translate(%.1f %.1f)'>\n", x, y);
}
inline void end_group(std::FILE* out) { std::fprintf(out, "</g>\n"); }

inline void draw_text(std::FILE* out, Point p, const std::string& text, const char* color = kInk,
                      const char* anchor = "start") {
  std::fprintf(out, "<text x='%.1f' y='%.1f' fill='%s' text-anchor='%s'>%s</text>\n", p.x, p.y,
               color, anchor, text.c_str());
}

/// Lines of one colour in one element.
inline void draw_lines(std::FILE* out, const std::vector<Line>& lines, const char* color,
                       double width, const char* more = "fill='none'") {
  if (lines.empty()) return;
  std::fprintf(out, "<path stroke='%s' stroke-width='%.1f' %s d='", color, width, more);
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      std::fprintf(out, "%s%.1f %.1f", i == 0 ? "M" : " ", line[i].x, line[i].y);
  }
  std::fprintf(out, "'/>\n");
}

/// A translucent polygon.
inline void draw_area(std::FILE* out, const Line& corners, const char* color, double opacity) {
  std::fprintf(out, "<polygon fill='%s' fill-opacity='%.2f' points='", color, opacity);
  for (const Point& p : corners) std::fprintf(out, "%.1f,%.1f ", p.x, p.y);
  std::fprintf(out, "'/>\n");
}

inline void draw_ring(std::FILE* out, Point p, const char* color, double radius) {
  std::fprintf(
      out, "<circle cx='%.1f' cy='%.1f' r='%.1f' fill='none' stroke='%s' stroke-width='1.5'/>\n",
      p.x, p.y, radius, color);
}

inline std::string decimal(double value, int digits) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  // A typographic minus.
  return buffer[0] == '-' ? "\u2212" + std::string(buffer + 1) : buffer;
}

/// A raster of `columns` by `rows` squares, coloured by class_at(column, row); equal neighbours of
/// a row are one piece.
template <class ClassAt>
void draw_cells(std::FILE* out, int columns, int rows, int pixels,
                const std::vector<std::string>& colors, const ClassAt& class_at) {
  std::vector<std::string> paths(colors.size());
  for (int row = 0; row < rows; ++row) {
    for (int first = 0, end = 0; first < columns; first = end) {
      const int kind = class_at(first, row);
      while (end < columns && class_at(end, row) == kind) ++end;
      paths[static_cast<std::size_t>(kind)] +=
          "M" + std::to_string(first * pixels) + " " + std::to_string(row * pixels) + "h" +
          std::to_string((end - first) * pixels) + "v" + std::to_string(pixels) + "h" +
          std::to_string((first - end) * pixels) + "z";
    }
  }
  for (std::size_t i = 0; i < colors.size(); ++i) {
    if (!paths[i].empty())
      std::fprintf(out, "<path shape-rendering='crispEdges' fill='%s' d='%s'/>\n",
                   colors[i].c_str(), paths[i].c_str());
  }
}

}  // namespace svg
