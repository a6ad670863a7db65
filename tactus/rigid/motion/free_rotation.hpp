#pragma once

#include <array>

#include "tactus/math.hpp"

namespace tactus::detail {

/// How a rigid body turns about its centre of mass.
struct Rotation {
  Quat orientation;       ///< body to world, unit
  Mat3 axes;              ///< to_matrix(orientation), kept beside it
  Vec3 angular_velocity;  ///< world frame
};

/// Torque-free rotation over `time`, which may be negative, by the implicit midpoint rule on the
/// body's angular momentum and the Cayley map on its orientation. The two together keep energy and
/// the angular momentum in the world exactly, up to rounding; the orientation is of second order in
/// the time step. A fast spin is split into parts of at most half a radian. `inertia` is about the
/// centre of mass in the axes of the body's frame, positive definite. Cost: one to three Newton
/// steps on three unknowns per part. Source: austin1993midpoint, with the momentum restored from
/// the world frame at the end of each part.
Rotation rotate_freely(const Rotation& start, const Mat3& inertia, const Mat3& inverse_inertia,
                       double time);

/// Torque-free rotation of a body that turns about two axes of the world alone.
/// What locks the third takes up torque about it, so that the angular momentum about the free ones
/// is kept exactly; by the midpoint rule with the mean of both orientations, whose energy has an
/// error of second order in the time step that does not grow.
Rotation rotate_about_two(const Rotation& start, const Mat3& inertia,
                          const std::array<bool, 3>& locked, double time);

/// Rotation at constant angular velocity, as of a body with isotropic inertia or of one that is
/// driven. Relative error of the angle below 1e-9 per part of at most half a radian.
Quat rotate_steadily(const Quat& orientation, const Vec3& angular_velocity, double time);

}  // namespace tactus::detail
