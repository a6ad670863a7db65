#pragma once

#include "tactus/math/pose.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus {

/// Axis-aligned box, lower <= upper; unbounded sides are infinite.
struct Aabb {
  Vec3 lower, upper;
};

inline bool overlaps(const Aabb& a, const Aabb& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
         b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}
inline Aabb merge(const Aabb& a, const Aabb& b) {
  return {component_min(a.lower, b.lower), component_max(a.upper, b.upper)};
}

/// Tight axis-aligned box of a placed shape, up to rounding (each side is moved outwards by a few
/// ulps so that the box holds the shape). A half-space is infinite except where it is aligned with
/// an axis. Cost: constant for primitives, a pass over the vertices for hulls and meshes.
Aabb bounding_box(const Shape& shape, const Pose& pose);

/// Longest extent of the shape's box in its own frame, radius included: the length to which errors
/// are related. Infinite for a half-space.
double extent(const Shape& shape);

/// Radius of a ball about the local origin that holds the shape; infinite for a half-space.
double bounding_radius(const Shape& shape);

}  // namespace tactus
