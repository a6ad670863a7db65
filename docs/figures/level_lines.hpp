// Lines of equal value, for the drawing examples.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "docs/figures/svg.hpp"

namespace svg {

/// Values at the nodes of a square raster.
struct Raster {
  int columns, rows;
  std::vector<double> values;
  double at(int i, int j) const {
    return values[static_cast<std::size_t>(j) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(i)];
  }
};

template <class Function>
Raster sample(int columns, int rows, const Function& f) {
  Raster r{columns, rows, {}};
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) r.values.push_back(f(i, j));
  }
  return r;
}

/// Leaves out points that lie within a tenth of a pixel of the chord of what remains.
inline void thin(const Line& line, std::size_t first, std::size_t last, Line& kept) {
  const Point a = line[first], b = line[last];
  const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
  std::size_t farthest = first;
  double most = 0.1;
  for (std::size_t i = first + 1; i < last; ++i) {
    const double x = line[i].x - a.x, y = line[i].y - a.y;
    const double off = length > 0.1 ? std::fabs(x * dy - y * dx) / length : std::hypot(x, y);
    if (off > most) {
      most = off;
      farthest = i;
    }
  }
  if (farthest == first) {
    kept.push_back(b);
    return;
  }
  thin(line, first, farthest, kept);
  thin(line, farthest, last, kept);
}

/// Marching squares: the lines on which the raster, linear along its edges, has the value `level`;
/// `pixels` between nodes.
inline std::vector<Line> level_lines(const Raster& r, double level, double pixels) {
  // Each edge of the raster that is crossed is linked to the next crossing in either cell.
  const std::size_t edges = 2 * r.values.size();
  std::vector<std::array<int, 2>> next(edges, {-1, -1});
  std::vector<Point> crossing(edges);
  const auto cross = [&](int i, int j, bool down, std::vector<int>& crossed) {
    const double a = r.at(i, j) - level, b = r.at(i + (down ? 0 : 1), j + (down ? 1 : 0)) - level;
    if ((a < 0.0) == (b < 0.0)) return;
    const double share = a / (a - b);
    const int edge = 2 * (j * r.columns + i) + (down ? 1 : 0);
    crossing[static_cast<std::size_t>(edge)] = {pixels * (i + (down ? 0.0 : share)),
                                                pixels * (j + (down ? share : 0.0))};
    crossed.push_back(edge);
  };
  const auto link = [&](int from, int to) {
    std::array<int, 2>& place = next[static_cast<std::size_t>(from)];
    place[place[0] < 0 ? 0 : 1] = to;
  };
  for (int j = 0; j + 1 < r.rows; ++j) {
    for (int i = 0; i + 1 < r.columns; ++i) {
      std::vector<int> crossed;
      cross(i, j, false, crossed);
      cross(i, j, true, crossed);
      cross(i, j + 1, false, crossed);
      cross(i + 1, j, true, crossed);
      for (std::size_t k = 0; k + 1 < crossed.size(); k += 2) {
        link(crossed[k], crossed[k + 1]);
        link(crossed[k + 1], crossed[k]);
      }
    }
  }
  std::vector<Line> lines;
  const auto follow = [&](int start) {
    Line line;
    int before = -1;
    for (int edge = start; edge >= 0;) {
      line.push_back(crossing[static_cast<std::size_t>(edge)]);
      std::array<int, 2>& ways = next[static_cast<std::size_t>(edge)];
      const int to = ways[0] >= 0 && ways[0] != before ? ways[0] : ways[1];
      ways = {-1, -1};
      before = edge;
      edge = to == start ? -1 : to;
      if (to == start) line.push_back(line.front());
    }
    Line kept{line.front()};
    thin(line, 0, line.size() - 1, kept);
    lines.push_back(kept);
  };
  // Lines that end at the border first, then the closed ones.
  for (const bool closed : {false, true}) {
    for (std::size_t e = 0; e < edges; ++e) {
      if (next[e][0] >= 0 && (next[e][1] >= 0) == closed) follow(static_cast<int>(e));
    }
  }
  return lines;
}

}  // namespace svg
