#include "tactus/planar/region/segment_lanes.hpp"

#include <algorithm>

namespace tactus::detail {

SegmentLanes::SegmentLanes(const Contour& contour) : plain_(contour.closed()) {
  const auto points = contour.points();
  const std::size_t n = points.size();
  x_.reserve(n + 3);
  y_.reserve(n + 3);
  const auto add = [&](const Vec2& p) {
    x_.push_back(p.x);
    y_.push_back(p.y);
  };
  add(points[n - 1]);
  for (std::size_t i = 0; i < n; ++i) {
    add(points[i]);
    const Vec2 along = points[i + 1 == n ? 0 : i + 1] - points[i];
    if (along == Vec2{}) plain_ = false;
    lengths_.push_back(norm(along));
    longest_ = std::max(longest_, dot(along, along));
  }
  add(points[0]);
  add(points[1]);
}

}  // namespace tactus::detail
