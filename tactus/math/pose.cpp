#include <string>

#include "tactus/core.hpp"
#include "tactus/math.hpp"

namespace tactus {
using namespace detail;
namespace {

// Largest deviation of a rotation matrix entry, and of a quaternion's norm from 1, that input may
// have.
constexpr double kMatrixTolerance = 1e-6;
constexpr double kQuaternionTolerance = 1e-3;
// A matrix this near its polar factor is a rotation already rounded to doubles (a few ulps of an
// entry). It is kept bit by bit, so that a pose written as twelve numbers reads back as the same
// pose.
constexpr double kRoundingTolerance = 8.9e-16;
// Newton's polar iteration converges quadratically; from within 1e-6 two steps suffice, the cap is
// generous.
constexpr int kPolarIterations = 20;

double largest_difference(const Mat3& a, const Mat3& b) {
  double largest = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double d = max_abs(a.row[i] - b.row[i]);
    if (d > largest) largest = d;
  }
  return largest;
}

}  // namespace

Mat3 nearest_rotation(const Mat3& m) {
  Mat3 x = m;
  for (int i = 0; i < kPolarIterations; ++i) {
    const Mat3 next = (x + transpose(inverse(x))) * 0.5;
    const double change = largest_difference(next, x);
    x = next;
    if (change < 1e-15) break;
  }
  return x;
}

Pose::Pose(const Vec3& position, const Quat& quaternion) : position_(position) {
  if (!is_finite(position)) throw InvalidInput("position", "not finite");
  if (!is_finite(quaternion)) throw InvalidInput("quaternion", "not finite");
  const double n = norm(quaternion);
  if (!(std::fabs(n - 1.0) <= kQuaternionTolerance)) {
    throw InvalidInput("quaternion",
                       "norm " + std::to_string(n) + " differs from 1 by more than 1e-3");
  }
  rotation_ = to_matrix(quaternion);
}

Pose Pose::from_matrix(const Vec3& position, const Mat3& rotation) {
  if (!is_finite(position)) throw InvalidInput("position", "not finite");
  if (!is_finite(rotation)) throw InvalidInput("rotation", "not finite");
  if (!(determinant(rotation) > 0.5))
    throw InvalidInput("rotation", "not a rotation matrix (determinant not near 1)");
  const Mat3 polar = nearest_rotation(rotation);
  const double difference = largest_difference(polar, rotation);
  if (!(difference <= kMatrixTolerance)) {
    throw InvalidInput("rotation", "differs from the nearest rotation by more than 1e-6");
  }
  return detail::unchecked_pose(position, difference <= kRoundingTolerance ? rotation : polar);
}

Pose Pose::from_axis_angle(const Vec3& position, const Vec3& axis, double angle) {
  if (!is_finite(position)) throw InvalidInput("position", "not finite");
  if (!is_finite(axis) || !(max_abs(axis) > 0.0))
    throw InvalidInput("axis", "must be finite and not zero");
  if (!std::isfinite(angle)) throw InvalidInput("angle", "not finite");
  return detail::unchecked_pose(position, rotation_by(normalized(axis) * angle));
}

Pose Pose::along(const Vec3& from, const Vec3& to) {
  if (!is_finite(from)) throw InvalidInput("from", "not finite");
  if (!is_finite(to)) throw InvalidInput("to", "not finite");
  const Vec3 middle = from * 0.5 + to * 0.5;
  // Halves: what is finite has a finite difference.
  const Vec3 way = to * 0.5 - from * 0.5;
  if (!(max_abs(way) > 0.0)) return translation(middle);
  const Vec3 z = normalized(way);
  const Vec3 x = any_perpendicular(z);
  return detail::unchecked_pose(middle, Mat3::from_columns(x, cross(z, x), z));
}

}  // namespace tactus
