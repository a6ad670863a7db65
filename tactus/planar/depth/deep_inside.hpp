#pragma once

#include <cstdint>
#include <vector>

#include "tactus/planar/region/boundary.hpp"

namespace tactus::detail {

/// Is a point deep in a region? In doubles: what rounding could turn is not deep. Regions of up to
/// 128 edges are cut into level strips, each with the edges that reach into it; others are asked
/// through their trees.
class DeepInside {
 public:
  explicit DeepInside(const Boundary& boundary);

  /// The interior holds all points that are less than `margin` from p. The margin is more than some
  /// roundings of the coordinates.
  bool holds(const Vec2& p, double margin) const;

 private:
  struct Row {
    Vec2 start, way;
    double low, high, left, right;
    double length;  ///< not less than that
  };

  void cut_into_strips();
  std::size_t strip_of(double y) const;
  bool holds_in_strip(const Vec2& p, double margin, std::size_t strip) const;
  bool holds_by_tree(const Vec2& p, double margin) const;

  const Boundary& boundary_;
  Box2 box_;
  std::size_t strips_ = 0;
  double per_height_ = 0.0;
  std::vector<std::uint32_t> first_;  ///< of each strip, in `rows_`
  std::vector<Row> rows_;
};

}  // namespace tactus::detail
