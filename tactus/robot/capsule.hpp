#pragma once

#include "tactus/math.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// A segment grown by a ball: what bounds a body of a robot.
struct BoundingCapsule {
  Vec3 a, b;
  double radius = 0.0;  ///< infinite of a half-space
};

/// A capsule that holds the shape, in its frame; of few tried, the one with the least volume.
BoundingCapsule bounding_capsule(const Shape& shape);

inline BoundingCapsule placed(const BoundingCapsule& c, const Pose& pose) {
  return {pose.to_world(c.a), pose.to_world(c.b), c.radius};
}

/// How far two capsules are apart along a direction.
struct CapsuleGap {
  double gap = 0.0;  ///< a lower bound of the signed distance of what the capsules hold
  Vec3 direction;    ///< unit, from A to B; zero where the segments cross
};

/// The direction is that of the nearest points of the segments. Along any direction the gap is a
/// true bound, so that points which are not quite the nearest cost tightness alone.
CapsuleGap capsule_gap(const BoundingCapsule& a, const BoundingCapsule& b);

/// No point of the capsule is farther from the line through `origin` along the unit `axis`.
double reach_from_axis(const BoundingCapsule& c, const Vec3& origin, const Vec3& axis);

}  // namespace tactus::detail
