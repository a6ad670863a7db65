#pragma once

#include <cmath>
#include <vector>

#include "lab/planar_truth.hpp"
#include "tactus/core/random.hpp"
#include "tactus/planar.hpp"

/// Random cases on whole coordinates, most of them degenerate, for `planar_oracle.cpp`.
namespace tactus::detail::lab {

// Bits of the grids: so coarse that much coincides; whole products in 127 bits; doubles to the
// full.
inline constexpr int kCoarse = 3, kSmall = 15, kMiddle = 36, kFine = 51;

/// Whole coordinates times a power of two.
class Scale {
 public:
  explicit Scale(int exponent) : exponent_(exponent) {}
  double operator()(std::int64_t v) const { return std::ldexp(static_cast<double>(v), exponent_); }
  Vec2 operator()(const GridPoint& p) const { return {(*this)(p.x), (*this)(p.y)}; }
  std::vector<Vec2> operator()(const GridRing& ring) const {
    std::vector<Vec2> out;
    for (const GridPoint& p : ring) out.push_back((*this)(p));
    return out;
  }
  Region operator()(const GridRings& rings) const {
    std::vector<std::vector<Vec2>> holes;
    for (std::size_t k = 1; k < rings.size(); ++k) holes.push_back((*this)(rings[k]));
    return Region((*this)(rings[0]), holes);
  }
  long double back(double v) const { return std::ldexp(static_cast<long double>(v), -exponent_); }

 private:
  int exponent_;
};

inline GridPoint plus(const GridPoint& a, const GridPoint& b) { return {a.x + b.x, a.y + b.y}; }
inline GridPoint minus(const GridPoint& a, const GridPoint& b) { return {a.x - b.x, a.y - b.y}; }

/// Uniform from 0 to 2^bits, both included.
std::int64_t in_grid(Random& random, int bits);
/// Random points, some of them equal to the last, on its line, or nearly back at the one before.
GridRing any_contour(Random& random, int bits);
/// At a corner, on a segment or beside it, or anywhere.
GridPoint any_centre(Random& random, const GridRing& ring, int bits);

GridRings moved(GridRings rings, const GridPoint& by);
/// The largest magnitude of a coordinate.
long double size_of(const GridRings& rings);

/// Two regions on a grid, B to be moved by `shift`.
struct Pair {
  GridRings a, b;
  GridPoint shift;
  int bits = 0;
};

/// Combs, stars, hooks, random polygons, with holes or without; in place, corner to corner, or
/// anywhere, `spread` over twice the size.
Pair any_pair(Random& random, int bits, bool spread);

}  // namespace tactus::detail::lab
