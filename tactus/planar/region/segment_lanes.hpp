#pragma once

#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/planar.hpp"
#include "tactus/simd/two_doubles.hpp"

namespace tactus::detail {

/// The points of a contour, coordinate by coordinate, for a first look at two segments at once.
class SegmentLanes {
 public:
  explicit SegmentLanes(const Contour& contour);

  /// Numbers that all looks of one query share: centre, squared reach, error bounds.
  struct Query {
    double x, y, square, error, slack;
  };
  /// For touches at most `reach` away.
  Query query(const Vec2& centre, double reach) const {
    const double square = (reach * reach) * kFar;
    const double error = kError * (square + longest_) + kLeast;
    return {centre.x, centre.y, square, error, 1e13 * (error * error) + kLeast};
  }

  /// A bit for each segment.
  struct Look {
    unsigned touched = 0;  ///< perhaps there is a touch on it, its end excluded; on others is none
    unsigned feet = 0;     ///< of those: the foot of the perpendicular certainly lies inside
    void add(const Look& other, int by) {
      touched |= other.touched << by;
      feet |= other.feet << by;
    }
  };

  /// Looks at segment `first` and the next one, which may lie beyond the last, of a plain contour.
  /// For a foot or a corner in reach, each product below is at most the squared reach and segment
  /// together, and its sum errs by less than the query's error.
  Look look(std::size_t first, const Query& q) const {
    using namespace two_doubles;
    const double *px = x_.data() + first, *py = y_.data() + first;
    const Lanes ax = load(px + 1), ay = load(py + 1);
    const Lanes ox = all(q.x) - ax, oy = all(q.y) - ay;
    const Lanes sx = load(px + 2) - ax, sy = load(py + 2) - ay;
    const Lanes rx = ax - load(px), ry = ay - load(py);
    const Lanes length = sx * sx + sy * sy, along = ox * sx + oy * sy, cross = ox * sy - oy * sx;
    const Lanes error = all(q.error), square = all(q.square);
    // A segment that gives NaN passes: each comparison below is then false.
    const Marks no_foot = less(along, -error) | less(length + error, along) |
                          less(square * length + all(q.slack), cross * cross);
    const Marks no_corner =
        less(error, along) | less(ox * rx + oy * ry, -error) | less(square, ox * ox + oy * oy);
    const Marks foot = less(error, along) & less(along, length - error);
    return {bits_of(no_foot & no_corner) ^ 3U, bits_of(foot)};
  }

  double length(std::size_t segment) const { return lengths_[segment]; }
  /// Closed, and all segments have a length.
  bool plain() const { return plain_; }

 private:
  static constexpr double kFar = 1.0 + 1e-12;  // squares round
  static constexpr double kError = 16.0 * kUnit;
  static constexpr double kLeast = 1e-290;  // bound of what underflow takes from products

  double longest_ = 0.0;         ///< squared length of the longest segment
  std::vector<double> x_, y_;    ///< the point before the first one, all, and what follows
  std::vector<double> lengths_;  ///< of the segments; of an open contour, of the one that closes it
  bool plain_ = true;
};

}  // namespace tactus::detail
