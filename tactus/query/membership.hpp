#pragma once

#include "tactus/shape/shape.hpp"

namespace tactus {

/// How far a point (local frame) lies outside a convex shape, 0 inside: by the shape's equations,
/// without any search. Exact up to rounding; for an ellipsoid to first order in the answer; for a
/// custom support function a lower bound from 26 directions. A mesh: from its surface, and from its
/// inside when it is closed.
double distance_outside(const Shape& shape, const Vec3& point);

/// The same for the shape's core: without the ball of a sphere, capsule or `rounding`.
double distance_outside_core(const Shape& shape, const Vec3& point);

/// Distance of a point inside an ellipsoid from its surface (negative outside, to first order), by
/// bisection. Source: eberly2013ellipsoid.
double depth_in_ellipsoid(const Vec3& radii, const Vec3& point);

/// Distance of a point inside the core of a cylinder, cone or ellipsoid from its surface, negative
/// outside; minus infinity for other shapes.
double depth_in_curved_core(const Shape& shape, const Vec3& point);

/// Radius of the ball that the core is grown by.
double core_radius(const Shape& shape);

}  // namespace tactus
