#pragma once

#include "tactus/math/pose.hpp"

namespace tactus {

/// Motion of a rigid body at constant velocities, world frame: at time t its origin has moved by
/// t * linear, and it has turned about its own origin by the vector t * angular.
struct RigidMotion {
  Vec3 linear, angular;
};

inline bool is_finite(const RigidMotion& m) { return is_finite(m.linear) && is_finite(m.angular); }

/// The rotation about `vector` by its length in radians: the exponential map. The same bits on
/// every machine; the entries err by some roundings of 1 + the angle.
Mat3 rotation_by(const Vec3& vector);

/// The pose at time t of a body that starts at `start`.
Pose moved(const Pose& start, const RigidMotion& motion, double t);

/// Velocity of the point of the body that is at `offset` from its origin, world frame.
inline Vec3 velocity_at(const RigidMotion& motion, const Vec3& offset) {
  return motion.linear + cross(motion.angular, offset);
}

}  // namespace tactus
