#pragma once

#include <cmath>

#include "tactus/rigid/solver/contact_constraint.hpp"

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

inline PointRows::PointRows(const ContactConstraint& c, const BothVec3& arm,
                            const BothVec3& friction_arm, const SolverBody& a,
                            const SolverBody& b) {
  const BothMat3 inverse_inertia = both(a.inverse_inertia, b.inverse_inertia);
  rows[0] = Row(arm, c.normal, inverse_inertia);
  rows[1] = Row(friction_arm, c.tangent[0], inverse_inertia);
  rows[2] = Row(friction_arm, c.tangent[1], inverse_inertia);
  const double inverse_mass = a.inverse_mass + b.inverse_mass;
  normal_mass = 1.0 / mobility(inverse_mass, 0, 0);
  const double m11 = mobility(inverse_mass, 1, 1), m12 = mobility(inverse_mass, 1, 2),
               m22 = mobility(inverse_mass, 2, 2);
  const double determinant = m11 * m22 - m12 * m12;
  friction_inverse[0] = m22 / determinant;
  friction_inverse[1] = -m12 / determinant;
  friction_inverse[2] = m11 / determinant;
  const double difference = 0.5 * (m11 - m22);
  friction_step = 1.0 / (0.5 * (m11 + m22) + std::sqrt(difference * difference + m12 * m12));
}

}  // namespace tactus::detail
