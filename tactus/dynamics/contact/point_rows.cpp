#include "tactus/dynamics/contact/point_rows.hpp"

#include <cmath>

namespace tactus::detail {

PointRows::PointRows(const ContactConstraint& c, const BothVec3& arm, const BothVec3& friction_arm,
                     const SolverBody& a, const SolverBody& b) {
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
