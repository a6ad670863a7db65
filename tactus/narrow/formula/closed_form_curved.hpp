#pragma once

#include "tactus/math.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// Where a point stands to a curved core.
struct PointToCurved {
  double value = 0.0;  ///< signed distance, negative inside
  Vec3 outward;        ///< unit; the nearest point of the surface is p - value * outward
  bool unique = true;
};

/// Signed distance of the point `p` (the core's frame) from a cylinder, cone or ellipsoid core by
/// formula: inside, minus the depth below the nearest part of the surface. Exact up to a few
/// roundings of the sizes; the ellipsoid's foot is the root of a convex function, found by Newton's
/// method from the side on which it is monotone (at most 60 steps, as a rule four). `rounding`
/// decides where several parts are equally near. Source: ericson2004rtcd, section 5.1 (Voronoi
/// regions, in the half-plane of axis and point); eberly2013ellipsoid.
PointToCurved point_to_curved(const Core& core, const Vec3& p, double rounding);

}  // namespace tactus::detail
