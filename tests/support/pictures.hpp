#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "tactus/fit.hpp"

namespace tactus::detail::test {

using Line2 = std::vector<Vec2>;

/// A picture that owns its grey values.
struct Drawing {
  int width = 0, height = 0;
  std::vector<std::uint16_t> values;

  GreyImage view() const { return {width, height, values}; }
  std::uint16_t& at(int x, int y) {
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

inline Drawing blank(int width, int height, int grey = 255) {
  Drawing d{width, height, {}};
  d.values.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                  static_cast<std::uint16_t>(257 * grey));
  return d;
}

/// Black on white, 256 steps of grey: the part of each pixel inside an odd number of closed lines.
/// Exact across; 64 lines per row of pixels down. Coordinates as the library gives them, y up.
inline Drawing draw(const std::vector<Line2>& lines, int size = 512) {
  constexpr int kLines = 64;
  Drawing d = blank(size, size);
  std::vector<double> row(static_cast<std::size_t>(size) + 1), cuts;
  for (int y = 0; y < size; ++y) {
    std::fill(row.begin(), row.end(), 0.0);
    for (int k = 0; k < kLines; ++k) {
      const double at = size - 1 - y + (k + 0.5) / kLines;
      cuts.clear();
      for (const Line2& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
          const Vec2 &a = line[i], &b = line[(i + 1) % line.size()];
          if ((a.y > at) != (b.y > at))
            cuts.push_back(a.x + (at - a.y) / (b.y - a.y) * (b.x - a.x));
        }
      }
      std::sort(cuts.begin(), cuts.end());
      for (std::size_t c = 0; c + 1 < cuts.size(); c += 2) {
        const double x0 = std::clamp(cuts[c], 0.0, 1.0 * size);
        const double x1 = std::clamp(cuts[c + 1], 0.0, 1.0 * size);
        for (int x = static_cast<int>(x0); x < size && x < x1; ++x) {
          row[static_cast<std::size_t>(x)] += std::min(x1, x + 1.0) - std::max(x0, 1.0 * x);
        }
      }
    }
    for (int x = 0; x < size; ++x) {
      const double part = row[static_cast<std::size_t>(x)] / kLines;
      d.at(x, y) = static_cast<std::uint16_t>(257 * std::lround(255.0 * (1.0 - part)));
    }
  }
  return d;
}

/// Black or white alone, by the pixels' centres.
inline Drawing draw_binary(const std::vector<Line2>& lines, int size = 512) {
  Drawing d = draw(lines, size);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const Vec2 p{x + 0.5, size - 1 - y + 0.5};
      bool odd = false;
      if (d.at(x, y) == 0 || d.at(x, y) == 65535) continue;
      for (const Line2& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
          const Vec2 &a = line[i], &b = line[(i + 1) % line.size()];
          if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) {
            odd = !odd;
          }
        }
      }
      d.at(x, y) = odd ? 0 : 65535;
    }
  }
  return d;
}

inline Line2 ellipse(const Vec2& center, double a, double b, double angle = 0.0,
                     int points = 2000) {
  Line2 line;
  for (int i = 0; i < points; ++i) {
    const double t = 2.0 * std::numbers::pi * i / points;
    const Vec2 p{a * std::cos(t), b * std::sin(t)};
    line.push_back(center + Vec2{std::cos(angle) * p.x - std::sin(angle) * p.y,
                                 std::sin(angle) * p.x + std::cos(angle) * p.y});
  }
  return line;
}

/// Straight flanks, teeth narrower at the top.
inline Line2 gear(const Vec2& center, int teeth, double inner, double outer, double angle = 0.1) {
  Line2 line;
  const double pitch = 2.0 * std::numbers::pi / teeth;
  for (int i = 0; i < teeth; ++i) {
    for (const auto& [part, radius] :
         {std::pair{0.0, inner}, {0.35, inner}, {0.5, outer}, {0.85, outer}}) {
      const double t = angle + pitch * (i + part);
      line.push_back(center + Vec2{radius * std::cos(t), radius * std::sin(t)});
    }
  }
  return line;
}

/// Lines of a letter on a square of 100 units, its origin at the lower left.
inline std::vector<Line2> letter(char name, double scale, const Vec2& offset, double angle = 0.0) {
  std::vector<Line2> lines;
  if (name == 'A') {
    lines = {{{4, 0}, {18, 0}, {28, 26}, {72, 26}, {82, 0}, {96, 0}, {57, 100}, {43, 100}},
             {{32.5, 38}, {67.5, 38}, {50, 85}}};
  } else if (name == 'K') {
    lines = {{{8, 0},
              {22, 0},
              {22, 35},
              {35, 48},
              {72, 0},
              {92, 0},
              {46, 58},
              {90, 100},
              {70, 100},
              {22, 52},
              {22, 100},
              {8, 100}}};
  } else if (name == 'M') {
    lines = {{{5, 0},
              {17, 0},
              {17, 78},
              {44, 0},
              {56, 0},
              {83, 78},
              {83, 0},
              {95, 0},
              {95, 100},
              {78, 100},
              {50, 18},
              {22, 100},
              {5, 100}}};
  } else if (name == 'B') {
    lines = {{{10, 0}}, {{24, 12}, {24, 45}}, {{24, 57}, {24, 88}}};
    const auto bow = [](Line2& line, double x, double y0, double y1, double bulge) {
      for (int i = 0; i <= 100; ++i) {
        const double t = -0.5 * std::numbers::pi + std::numbers::pi * i / 100;
        line.push_back({x + bulge * std::cos(t), 0.5 * (y0 + y1) + 0.5 * (y1 - y0) * std::sin(t)});
      }
    };
    bow(lines[0], 55, 0, 52, 30);
    bow(lines[0], 55, 52, 100, 26);
    lines[0].push_back({10, 100});
    lines[1] = {{24, 12}};
    bow(lines[1], 52, 12, 45, 18);
    lines[1].push_back({24, 45});
    lines[2] = {{24, 58}};
    bow(lines[2], 50, 58, 88, 15);
    lines[2].push_back({24, 88});
  } else {  // S: a stroke along two arcs
    Line2 left, right;
    for (int i = 0; i <= 200; ++i) {
      const double t = (0.15 + 1.35 * i / 200.0) * std::numbers::pi;
      const Vec2 middle{50 + 30 * std::cos(t), 72 + 21 * std::sin(t)};
      Vec2 out{21 * std::cos(t), 30 * std::sin(t)};
      out = out / norm(out);
      left.push_back(middle + out * 6.0);
      right.push_back(middle - out * 6.0);
    }
    for (int i = 1; i <= 200; ++i) {
      const double t = (0.5 - 1.35 * i / 200.0) * std::numbers::pi;
      const Vec2 middle{50 + 30 * std::cos(t), 30 + 21 * std::sin(t)};
      Vec2 out{21 * std::cos(t), 30 * std::sin(t)};
      out = out / norm(out);
      left.push_back(middle - out * 6.0);
      right.push_back(middle + out * 6.0);
    }
    left.insert(left.end(), right.rbegin(), right.rend());
    lines = {left};
  }
  for (Line2& line : lines) {
    for (Vec2& p : line) {
      p = offset + Vec2{std::cos(angle) * p.x - std::sin(angle) * p.y,
                        std::sin(angle) * p.x + std::cos(angle) * p.y} *
                       scale;
    }
  }
  return lines;
}

inline double distance_from_segment(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Vec2 d = b - a, v = p - a;
  const double square = dot(d, d);
  const double t = square > 0.0 ? std::clamp(dot(v, d) / square, 0.0, 1.0) : 0.0;
  return norm(v - d * t);
}

inline double distance_from_lines(const Vec2& p, const std::vector<Line2>& lines) {
  double least = std::numeric_limits<double>::infinity();
  for (const Line2& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      least = std::min(least, distance_from_segment(p, line[i], line[(i + 1) % line.size()]));
    }
  }
  return least;
}

/// Largest distance of a place of `from`, looked at every `step` and at corners, from `to`.
inline double one_way(const std::vector<Line2>& from, const std::vector<Line2>& to, double step) {
  double most = 0.0;
  for (const Line2& line : from) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const Vec2 &a = line[i], &b = line[(i + 1) % line.size()];
      const int pieces = std::max(1, static_cast<int>(std::ceil(norm(b - a) / step)));
      for (int k = 0; k < pieces; ++k) {
        most = std::max(most, distance_from_lines(a + (b - a) * (1.0 * k / pieces), to));
      }
    }
  }
  return most;
}

inline double hausdorff(const std::vector<Line2>& a, const std::vector<Line2>& b,
                        double step = 0.5) {
  return std::max(one_way(a, b, step), one_way(b, a, step));
}

inline std::vector<Line2> lines_of(const Tracing& tracing) {
  std::vector<Line2> lines;
  for (const TracedRegion& region : tracing.regions) {
    lines.push_back(region.outer.points);
    for (const TracedContour& hole : region.holes) lines.push_back(hole.points);
  }
  return lines;
}

}  // namespace tactus::detail::test
