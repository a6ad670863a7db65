#pragma once

#include "tactus/dynamics/contact/contact_constraint.hpp"

namespace tactus::detail {

/// How an impulse on B along an axis of a patch, with its reaction on A, turns both bodies.
struct Row {
  Row() = default;
  Row(const BothVec3& arm, const Vec3& axis, const BothMat3& inverse_inertia)
      : moment(cross(arm, opposed(axis))), angular(inverse_inertia * moment) {}

  BothVec3 moment;   ///< about the centres of mass, per impulse
  BothVec3 angular;  ///< change of the angular velocities, per impulse
};

/// A point of a patch as impulses meet it, along the normal and both tangents.
struct PointRows {
  PointRows() = default;
  PointRows(const ContactConstraint& c, const BothVec3& arm, const BothVec3& friction_arm,
            const SolverBody& a, const SolverBody& b);

  Row rows[3];
  double normal_mass = 0.0;
  /// Inverse of the symmetric 2 x 2 mobility along the tangents: 11, 12, 22.
  double friction_inverse[3] = {};
  double friction_step = 0.0;  ///< inverse of its largest eigenvalue

  /// Change of the relative velocity along an axis, per impulse along another. The inverse mass is
  /// the sum of both.
  double mobility(double inverse_mass, int axis, int other) const {
    return (axis == other ? inverse_mass : 0.0) + sum(dot(rows[axis].moment, rows[other].angular));
  }
};

}  // namespace tactus::detail
