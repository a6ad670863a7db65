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

/// How impulses along the axes of a patch, its normal and both tangents, change the relative
/// velocity of the centres of mass along them. They are orthonormal: unless an axis of the world is
/// locked, each changes the velocity along itself alone.
struct CenterMobility {
  CenterMobility() = default;
  CenterMobility(const ContactConstraint& c, const SolverBody& a, const SolverBody& b)
      : free(a.inverse_mass + b.inverse_mass), locked((a.locked | b.locked) != 0) {
    if (!locked) return;
    const Vec3 axes[] = {c.normal, c.tangent[0], c.tangent[1]};
    for (int j = 0; j < 3; ++j) {
      const Vec3 change = pushed(a, axes[j]) + pushed(b, axes[j]);
      for (int i = 0; i < 3; ++i) between[i][j] = dot(axes[i], change);
    }
  }
  double at(int axis, int other) const {
    return locked ? between[axis][other] : axis == other ? free : 0.0;
  }

  double free = 0.0;  ///< sum of both inverse masses
  bool locked = false;
  double between[3][3] = {};  ///< only where locked
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

  /// Change of the relative velocity along an axis, per impulse along another.
  double mobility(const CenterMobility& centers, int axis, int other) const {
    return centers.at(axis, other) + sum(dot(rows[axis].moment, rows[other].angular));
  }

 private:
  void keep_within_locks(double free, double m00, double m11, double m12, double m22);
};

/// Nothing pushes where locks leave nothing to move: along the normal, or along one tangent or
/// both.
inline void PointRows::keep_within_locks(double free, double m00, double m11, double m12,
                                         double m22) {
  const double least = kImmovable * free, difference = 0.5 * (m11 - m22);
  normal_mass = m00 > least ? 1.0 / m00 : 0.0;
  const double largest = 0.5 * (m11 + m22) + std::sqrt(difference * difference + m12 * m12);
  if (!(largest > least)) {
    friction_inverse[0] = friction_inverse[1] = friction_inverse[2] = friction_step = 0.0;
  } else if (!(m11 * m22 - m12 * m12 > least * largest)) {
    const double scale = 1.0 / (largest * largest);
    friction_inverse[0] = m11 * scale;
    friction_inverse[1] = m12 * scale;
    friction_inverse[2] = m22 * scale;
    friction_step = 1.0 / largest;
  }
}

inline PointRows::PointRows(const ContactConstraint& c, const BothVec3& arm,
                            const BothVec3& friction_arm, const SolverBody& a,
                            const SolverBody& b) {
  const BothMat3 inverse_inertia = both(a.inverse_inertia, b.inverse_inertia);
  rows[0] = Row(arm, c.normal, inverse_inertia);
  rows[1] = Row(friction_arm, c.tangent[0], inverse_inertia);
  rows[2] = Row(friction_arm, c.tangent[1], inverse_inertia);
  const CenterMobility centers(c, a, b);
  const double m00 = mobility(centers, 0, 0);
  normal_mass = 1.0 / m00;
  const double m11 = mobility(centers, 1, 1), m12 = mobility(centers, 1, 2),
               m22 = mobility(centers, 2, 2);
  const double determinant = m11 * m22 - m12 * m12;
  friction_inverse[0] = m22 / determinant;
  friction_inverse[1] = -m12 / determinant;
  friction_inverse[2] = m11 / determinant;
  const double difference = 0.5 * (m11 - m22);
  friction_step = 1.0 / (0.5 * (m11 + m22) + std::sqrt(difference * difference + m12 * m12));
  if (centers.locked) keep_within_locks(centers.free, m00, m11, m12, m22);
}

}  // namespace tactus::detail
