#pragma once

#include <cstdint>
#include <optional>

#include "tactus/math/pose.hpp"
#include "tactus/shape/shape.hpp"

namespace tactus {

/// The points origin + t * direction with 0 <= t <= max_distance; `direction` is unit.
struct Ray {
  Vec3 origin;
  Vec3 direction{0.0, 0.0, 1.0};
  double max_distance = 0.0;  ///< may be infinite
};

/// First point of a shape on a ray.
struct ShapeRayHit {
  double distance = 0.0;  ///< along the ray; 0 when the origin lies inside
  Vec3 normal;  ///< outward unit normal, world; minus the direction when the origin lies inside
  std::int32_t part = -1;  ///< of a compound
};

/// Where a ray first meets a placed solid; nothing when it misses. Never throws.
///
/// Closed forms (exact up to rounding) for all primitives, full-dimensional hulls, grown spheres
/// and capsules. Other grown bodies, flat hulls and custom support functions: steps of `distance`
/// to separating planes, never late, within 1e-10 of the shape's size; a ray that grazes the
/// surface closer than that may be reported either way. A compound is the first of its parts, a
/// mesh its bare surface seen from both sides. Cost: constant for primitives, linear in the faces
/// of a hull or mesh and in the parts of a compound; some ten distance queries in the other cases.
/// Source: ericson2004rtcd, section 5.3 (intervals of quadrics and half-spaces);
/// vandenbergen2004raycast (plane steps).
std::optional<ShapeRayHit> ray_cast(const Shape& shape, const Pose& pose, const Ray& ray);

}  // namespace tactus
