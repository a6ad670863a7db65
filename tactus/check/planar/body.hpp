#pragma once

#include <vector>

#include "tactus/check.hpp"
#include "tactus/check/rounding.hpp"

namespace tactus::detail {

/// A planar shape in its place, as the checker sees it: segments, a radius around them, and whether
/// they enclose anything. World axes, about an origin near the pair.
struct PlanarBody {
  std::vector<Vec2> from, to;
  std::vector<Vec2> rings;  ///< one point of each contour
  double radius = 0.0;      ///< of a disc; its only segment is its centre
  bool solid = false;       ///< a region or a disc

  PlanarBody(const PlanarShape& shape, const Pose2& pose, const Vec2& origin);
  /// Moved by `way`.
  PlanarBody moved(const Vec2& way) const;
};

/// Distance of two closed segments; zero when they cross. Errs by less than 8 roundings of the
/// coordinates.
double segment_distance(const Vec2& p0, const Vec2& p1, const Vec2& q0, const Vec2& q1);

/// Distance of a point from all segments, less the radius.
double boundary_distance(const PlanarBody& body, const Vec2& p);

/// Least distance between the segments of both, less the radii, where it is below `bound`; else
/// some number not below it. All pairs of runs of segments whose boxes are nearer are evaluated.
double least_distance(const PlanarBody& a, const PlanarBody& b, double bound);

/// Where a point is: 1 inside by more than `margin`, -1 outside by more than it, else 0. A curve
/// has no inside.
int place_of(const PlanarBody& body, const Vec2& p, double margin);

/// How much `place_of` and distances err by, at most: 2^-53 times the size and the offset.
double planar_unit(const PlanarShape& a, const Pose2& pose_a, const PlanarShape& b,
                   const Pose2& pose_b);

/// 1: the interiors (or curves) have a point in common, by more than rounding; -1: none, by more;
/// else 0.
int meet(const PlanarBody& a, const PlanarBody& b, double unit);

}  // namespace tactus::detail
