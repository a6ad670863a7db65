#pragma once

#include "tactus/planar.hpp"

namespace tactus::detail {

/// Reads the data that contours and regions keep for searches; it lives as long as a copy of them
/// does.
struct PlanarAccess {
  static const SegmentTree& tree(const Contour& contour) noexcept { return *contour.tree_; }
  static const SegmentLanes& lanes(const Contour& contour) noexcept { return *contour.lanes_; }
  static const Boundary& boundary(const Region& region) noexcept { return *region.boundary_; }
};

}  // namespace tactus::detail
