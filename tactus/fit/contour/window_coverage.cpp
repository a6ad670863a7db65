#include "tactus/fit/contour/window_coverage.hpp"

#include <algorithm>
#include <utility>

namespace tactus::detail::contour {
namespace {

// The window's cells in window coordinates; what lies left of a piece is added up at the end.
class Cells {
 public:
  explicit Cells(int size)
      : size_(size), width_(static_cast<std::size_t>(size) + 1), parts_(width_ * width_, 0.0) {}

  // Cuts the edge at the rows, from top to bottom; `sign` for upward ones.
  void add_edge(Vec2 a, Vec2 b) {
    if (a.y == b.y) return;
    double sign = 1.0;
    if (a.y > b.y) {
      std::swap(a, b);
      sign = -1.0;
    }
    const double slope = (b.x - a.x) / (b.y - a.y);
    const int first = std::max(0, static_cast<int>(std::floor(std::fmax(a.y, -1.0))));
    for (int row = first; row < size_ && row < b.y; ++row) {
      const double y0 = std::fmax(a.y, row), y1 = std::fmin(b.y, row + 1.0);
      if (y1 > y0) {
        add_piece(row, a.x + (y0 - a.y) * slope, a.x + (y1 - a.y) * slope, sign * (y1 - y0));
      }
    }
  }

  std::vector<double> sums() const {
    std::vector<double> out;
    for (int row = 0; row < size_; ++row) {
      double left = 0.0;
      for (int column = 0; column < size_; ++column) {
        const std::size_t k =
            static_cast<std::size_t>(row) * width_ + static_cast<std::size_t>(column);
        out.push_back(left + own_of(k));
        left += height_of(k);
      }
    }
    return out;
  }

 private:
  // A piece within a row, from x0 to x1, of signed height `height`: cut at the columns.
  void add_piece(int row, double x0, double x1, double height) {
    if (x0 > x1) std::swap(x0, x1);
    const double width = x1 - x0;
    if (x1 <= 0.0) return add_cell(row, 0, height, 1.0);
    const int last = std::min(size_, static_cast<int>(std::floor(x1)));
    double at = x0;
    if (at < 0.0) {
      add_cell(row, 0, height * (-x0 / width), 1.0);
      at = 0.0;
    }
    for (int column = static_cast<int>(std::floor(at)); column <= last && column < size_;
         ++column) {
      const double end = std::fmin(x1, column + 1.0);
      const double part = width > 0.0 ? (end - at) / width : 1.0;
      // The part of the cell right of the piece is inside.
      add_cell(row, column, height * part, column + 1.0 - 0.5 * (at + end));
      at = end;
      if (width == 0.0) break;
    }
  }

  void add_cell(int row, int column, double height, double part) {
    const std::size_t k = static_cast<std::size_t>(row) * width_ + static_cast<std::size_t>(column);
    if (heights_.empty()) heights_.assign(parts_.size(), 0.0);
    parts_[k] += height * part;
    heights_[k] += height;
  }
  double own_of(std::size_t k) const { return parts_[k]; }
  double height_of(std::size_t k) const { return heights_.empty() ? 0.0 : heights_[k]; }

  int size_;
  std::size_t width_;
  std::vector<double> parts_, heights_;
};

// A point moved outwards to the nearest side of the square [0, size]^2, and which side that is.
std::pair<int, Vec2> on_rim(const Vec2& p, double size) {
  const double gaps[4] = {p.y, size - p.x, size - p.y, p.x};
  const int side = static_cast<int>(std::min_element(gaps, gaps + 4) - gaps);
  if (side == 0) return {0, {p.x, 0.0}};
  if (side == 1) return {1, {size, p.y}};
  if (side == 2) return {2, {p.x, size}};
  return {3, {0.0, p.y}};
}

}  // namespace

std::vector<double> window_coverage(const Window& window, std::span<const Vec2> polygon) {
  Cells cells(window.size);
  const Vec2 corner{static_cast<double>(window.x), static_cast<double>(window.y)};
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2& next = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    // With x to the right and y ahead, what lies right of a falling edge is inside.
    cells.add_edge(next - corner, polygon[i] - corner);
  }
  return cells.sums();
}

void close_around(const Window& window, std::vector<Vec2>& chain) {
  // Far enough outside for the ends, which are steps of the trace away.
  constexpr double kBeyond = 4.0;
  const Vec2 corner{window.x - kBeyond, window.y - kBeyond};
  const double size = window.size + 2.0 * kBeyond;
  const auto [last_side, last] = on_rim(chain.back() - corner, size);
  const auto [first_side, first] = on_rim(chain.front() - corner, size);
  const Vec2 ends[4] = {{size, 0.0}, {size, size}, {0.0, size}, {0.0, 0.0}};
  const Vec2 along[4] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
  chain.push_back(last + corner);
  int side = last_side;
  // From the last end to the first one, the window at the left; a whole round when the first lies
  // behind on the same side.
  if (side == first_side && dot(first - last, along[side]) < 0.0) {
    chain.push_back(ends[side] + corner);
    side = (side + 1) % 4;
  }
  for (int k = 0; k < 4 && side != first_side; ++k, side = (side + 1) % 4) {
    chain.push_back(ends[side] + corner);
  }
  chain.push_back(first + corner);
}

}  // namespace tactus::detail::contour
