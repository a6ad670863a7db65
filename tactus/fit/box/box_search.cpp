#include "tactus/fit/box/box_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail::fit {
namespace {

// The factor that is proved, with room for what rounding outwards adds; the finer one as long as
// it is cheap.
constexpr double kFactor = 1.0009, kFineFactor = 1.000001;
constexpr std::size_t kCheapCells = 100'000;
// A little more than tan(pi / 8): rotations are halves of angles times axes (Rodrigues), and those
// of this cube reach every box, since a box looks the same from 24 sides.
constexpr double kHalfCube = 0.41422;
constexpr int kFirstCells = 8;  // along a side of the cube
constexpr std::size_t kGrain = 64;
constexpr std::size_t kMostCells = 16'000'000;
// A width goes through some thirty roundings of 2^-53, relative to the length of the body.
constexpr double kWidthError = 1e-14;
// Angles of the descent from a box to a better one near it.
constexpr double kFirstStep = 0.02, kLastStep = 1e-9;
constexpr int kMostSteps = 1000;

/// Rotations start * R(r) for all r in a box of Rodrigues vectors.
struct Cell {
  Vec3 middle, half;
  double bound = 0.0;   // of the volume, from below
  double volume = 0.0;  // at the middle
  int split = 0;        // the direction in which the bound loses most
};

// R(r) * u.
Vec3 rotated(const Vec3& r, const Vec3& u) {
  const double square = squared_norm(r);
  return (u * (1.0 - square) + (r * dot(r, u) + cross(r, u)) * 2.0) / (1.0 + square);
}

Mat3 rotated(const Vec3& r, const Mat3& axes) {
  return {{rotated(r, axes.row[0]), rotated(r, axes.row[1]), rotated(r, axes.row[2])}};
}

// How the width along an axis changes with a further rotation rho: at least value(rho) / (1 +
// rho^2) while the two corners that are farthest now are still there. `value` is concave: of the
// exact quadratic form, the positive part is left out.
class WidthBound {
 public:
  WidthBound(const Vec3& axis, const Vec3& across)
      : axis_(axis),
        across_(across),
        slope_(cross(axis, across) * 2.0),
        width_(dot(axis, across)),
        length_(norm(across)) {}

  double width() const { return width_; }
  double slack() const { return kWidthError * length_; }
  double value(const Vec3& rho) const {
    const double along = dot(rho, axis_), over = dot(rho, across_);
    const double positive = length_ * along + over;
    return (width_ - slack()) + dot(rho, slope_) - width_ * squared_norm(rho) + 2.0 * along * over -
           positive * positive / (2.0 * (length_ + width_));
  }
  // Roughly what is lost on the way from the middle to rho, relative to the width.
  double loss(const Vec3& rho) const {
    return (std::fabs(dot(rho, slope_)) + length_ * squared_norm(rho)) / (width_ + slack());
  }

 private:
  Vec3 axis_, across_, slope_;
  double width_, length_;
};

void look_at(Cell& cell, const HullWidths& hull, const Mat3& start, double least_width) {
  const Vec3& r = cell.middle;
  // The body's frame is that of `start`: there the axes are the columns of R(r), seen from outside.
  const Mat3 turned = {
      {rotated(r, Vec3{1, 0, 0}), rotated(r, Vec3{0, 1, 0}), rotated(r, Vec3{0, 0, 1})}};
  cell.volume = 1.0;
  std::array<WidthBound, 3> bounds = {WidthBound({}, {}), WidthBound({}, {}), WidthBound({}, {})};
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = transpose_times(start, turned.row[i]);
    const Vec3 across = start * hull.across(axis);
    bounds[static_cast<std::size_t>(i)] = {turned.row[i], across};
    cell.volume *= bounds[static_cast<std::size_t>(i)].width();
  }

  // From R(r) to R(r + d) it is R(rho), and rho depends on d by a projective map, which takes the
  // cell to a polytope. On it the product of the widths, as far as it is bounded, has a concave
  // logarithm (while |rho| < 1): it is least in a corner.
  const double square = squared_norm(r);
  const auto further = [&](const Vec3& d) {
    return (d + cross(r, d)) / ((1.0 + square) + dot(r, d));
  };
  std::array<Vec3, 8> corners;
  for (unsigned i = 0; i < 8; ++i) {
    corners[i] = further({(i & 1u) != 0 ? cell.half.x : -cell.half.x,
                          (i & 2u) != 0 ? cell.half.y : -cell.half.y,
                          (i & 4u) != 0 ? cell.half.z : -cell.half.z});
  }
  std::array<double, 8> product;
  product.fill(1.0);
  for (const WidthBound& bound : bounds) {
    std::array<double, 8> width;
    for (std::size_t i = 0; i < 8; ++i)
      width[i] = bound.value(corners[i]) / (1.0 + squared_norm(corners[i]));
    // No direction at all has less width than the least one: better where other corners take over.
    if (*std::min_element(width.begin(), width.end()) < least_width) width.fill(least_width);
    for (std::size_t i = 0; i < 8; ++i) product[i] *= width[i];
  }
  cell.bound = *std::min_element(product.begin(), product.end());

  double most = -1.0;
  for (int k = 0; k < 3; ++k) {
    Vec3 d;
    d[k] = cell.half[k];
    const Vec3 rho = further(d);
    double loss = 0.0;
    for (const WidthBound& bound : bounds) loss += bound.loss(rho);
    if (loss > most) {
      most = loss;
      cell.split = k;
    }
  }
}

// Rotations that are nearer to another of the 24 views than to this one.
bool seen_elsewhere(const Cell& cell) {
  double nearest = 0.0;
  for (int i = 0; i < 3; ++i) nearest += std::fmax(std::fabs(cell.middle[i]) - cell.half[i], 0.0);
  return nearest > 1.0 + 1e-9;
}

std::vector<Cell> first_cells() {
  const double half = kHalfCube / kFirstCells;
  std::vector<Cell> cells;
  const auto at = [half](int i) { return (2 * i + 1 - kFirstCells) * half; };
  for (int i = 0; i < kFirstCells; ++i) {
    for (int j = 0; j < kFirstCells; ++j) {
      for (int k = 0; k < kFirstCells; ++k) {
        Cell cell;
        cell.middle = {at(i), at(j), at(k)};
        cell.half = {half, half, half};
        if (!seen_elsewhere(cell)) cells.push_back(cell);
      }
    }
  }
  return cells;
}

// Small turns about the three axes, as long as one of them helps; then smaller ones.
Turn descended(const HullWidths& hull, Turn turn) {
  double step = kFirstStep;
  for (int i = 0; i < kMostSteps && step > kLastStep; ++i) {
    Turn next = turn;
    for (int k = 0; k < 6; ++k) {
      const Vec3 r = turn.axes.row[k / 2] * (k % 2 == 0 ? step : -step);
      const Turn tried = hull.turn(rotated(r, turn.axes));
      if (tried.volume < next.volume) next = tried;
    }
    if (next.volume < turn.volume) {
      turn = next;
    } else {
      step *= 0.5;
    }
  }
  return turn;
}

}  // namespace

BoxSearch search_rotations(const HullWidths& hull, const Turn& start) {
  const double least_width = hull.least_width();
  BoxSearch search;
  search.best = descended(hull, start);
  search.lower = kInfinity;
  std::vector<Cell> cells = first_cells(), next;
  while (!cells.empty()) {
    parallel_for(cells.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) look_at(cells[i], hull, start.axes, least_width);
    });
    search.cells += cells.size();
    const auto least =
        std::min_element(cells.begin(), cells.end(),
                         [](const Cell& x, const Cell& y) { return x.volume < y.volume; });
    if (least->volume < search.best.volume) {
      // Axes of the turned frame, as in look_at.
      Mat3 axes;
      for (int i = 0; i < 3; ++i) {
        Vec3 unit;
        unit[i] = 1.0;
        axes.row[i] = transpose_times(start.axes, rotated(least->middle, unit));
      }
      search.best = descended(hull, hull.turn(axes));
    }
    const bool last = search.cells >= kMostCells;
    const double enough = search.best.volume / (search.cells < kCheapCells ? kFineFactor : kFactor);
    next.clear();
    for (const Cell& cell : cells) {
      if (last || cell.bound >= enough) {
        search.lower = std::fmin(search.lower, cell.bound);
        continue;
      }
      Cell child = cell;
      child.half[cell.split] *= 0.5;
      for (const double side : {-1.0, 1.0}) {
        child.middle[cell.split] = cell.middle[cell.split] + side * child.half[cell.split];
        if (!seen_elsewhere(child)) next.push_back(child);
      }
    }
    cells.swap(next);
  }
  search.lower = std::fmin(search.lower, search.best.volume);
  return search;
}

}  // namespace tactus::detail::fit
