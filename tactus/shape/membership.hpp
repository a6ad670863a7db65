#pragma once

#include <limits>

#include "tactus/shape.hpp"

namespace tactus::detail {

/// A point of a body that is nearest to another point.
struct NearestPoint {
  double distance = std::numeric_limits<double>::infinity();
  Vec3 point;
};
/// Nearest point of a hull, by its planes and edges; inside, the point itself. Cost: linear in the
/// edges.
NearestPoint nearest_in_hull(const ConvexHull& hull, const Vec3& point);

/// How far a point (local frame) lies outside a convex shape, 0 inside: by the shape's equations,
/// without any search. Exact up to rounding; for a custom support function a lower bound from 26
/// directions. A mesh: from its surface, and from its inside when it is closed.
double distance_outside(const Shape& shape, const Vec3& point);

/// How far a point lies outside the shape's core: without the ball of a sphere, capsule or
/// `rounding`.
double distance_outside_core(const Shape& shape, const Vec3& point);

/// Distance of a point inside an ellipsoid from its surface (negative outside), by
/// bisection. Source: eberly2013ellipsoid.
double depth_in_ellipsoid(const Vec3& radii, const Vec3& point);

/// Distance of a point inside the core of a cylinder, cone or ellipsoid from its surface, negative
/// outside; minus infinity for other shapes.
double depth_in_curved_core(const Shape& shape, const Vec3& point);

/// The largest ball that a shape is a sum of and another body: that of its core, and of an
/// ellipsoid the one that rolls freely inside, as large as the least radius of curvature.
double greatest_shrink(const Shape& shape);

/// How far a point lies outside a shape that has given away a ball of radius `shrink`, no more than
/// `greatest_shrink`: its core, or an ellipsoid's inner parallel body.
double distance_outside_shrunk(const Shape& shape, const Vec3& point, double shrink);

/// Distance of a point inside a convex shape or half-space from its surface; 0 outside, and for a
/// custom support function, of which only the support points are known.
double depth_inside_convex(const Shape& shape, const Vec3& point);

/// How far a point is from the surface of a shape, inside or outside: of a mesh, from its
/// triangles. Infinite for a custom support function.
double distance_to_surface(const Shape& shape, const Vec3& point);

/// Radius of the ball that the core is grown by.
double core_radius(const Shape& shape);

}  // namespace tactus::detail
