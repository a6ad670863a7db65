#pragma once

#include "tactus/math/mat3.hpp"
#include "tactus/math/quat.hpp"

namespace tactus {

/// Rigid placement: maps local points to world, x -> rotation * x + position.
class Pose {
 public:
  /// The identity.
  Pose() = default;

  /// Rotation by a quaternion (w, x, y, z), then translation.
  /// The norm of the quaternion may differ from 1 by at most 1e-3 and is divided out.
  /// Throws InvalidInput (`quaternion`, `position`) otherwise or when a number is not finite.
  Pose(const Vec3& position, const Quat& quaternion);

  /// Rotation matrix and translation. Throws InvalidInput when `rotation` differs by more than 1e-6
  /// (largest entry) from its nearest rotation, the polar factor, which is then used.
  static Pose from_matrix(const Mat3& rotation, const Vec3& position);

  static Pose translation(const Vec3& position) { return unchecked(Mat3::identity(), position); }

  /// No check: for results of arithmetic on valid poses.
  static Pose unchecked(const Mat3& rotation, const Vec3& position) noexcept {
    Pose p;
    p.rotation_ = rotation;
    p.position_ = position;
    return p;
  }

  const Mat3& rotation() const noexcept { return rotation_; }
  const Vec3& position() const noexcept { return position_; }

  Vec3 to_world(const Vec3& local) const { return rotation_ * local + position_; }
  Vec3 to_local(const Vec3& world) const { return transpose_times(rotation_, world - position_); }
  Vec3 direction_to_world(const Vec3& local) const { return rotation_ * local; }
  Vec3 direction_to_local(const Vec3& world) const { return transpose_times(rotation_, world); }

  friend bool operator==(const Pose&, const Pose&) = default;

 private:
  Mat3 rotation_;
  Vec3 position_;
};

/// `outer` after `inner`.
inline Pose operator*(const Pose& outer, const Pose& inner) {
  return Pose::unchecked(outer.rotation() * inner.rotation(), outer.to_world(inner.position()));
}
/// Pose of `b` seen from `a`: inverse(a) * b. The translations are subtracted first, so that moving
/// both bodies by the same vector changes nothing beyond the rounding of the input.
inline Pose relative(const Pose& a, const Pose& b) {
  return Pose::unchecked(transpose_times(a.rotation(), b.rotation()), a.to_local(b.position()));
}
inline Pose inverse(const Pose& p) {
  return Pose::unchecked(transpose(p.rotation()), -transpose_times(p.rotation(), p.position()));
}
namespace detail {
// A number that is not finite makes the sum so; finite ones do at most when they are huge.
inline Vec3 sum_of_entries(const Pose& p) {
  const Mat3& m = p.rotation();
  return (m.row[0] + m.row[1]) + (m.row[2] + p.position());
}
}  // namespace detail
inline bool is_finite(const Pose& p) {
  const Vec3 sum = detail::sum_of_entries(p);
  return std::isfinite((sum.x + sum.y) + sum.z) ||
         (is_finite(p.rotation()) && is_finite(p.position()));
}
/// Both of them.
inline bool is_finite(const Pose& a, const Pose& b) {
  const Vec3 sum = detail::sum_of_entries(a) + detail::sum_of_entries(b);
  return std::isfinite((sum.x + sum.y) + sum.z) || (is_finite(a) && is_finite(b));
}

/// The rotation nearest to `m` (polar factor), by Newton iteration. `m` must be invertible with
/// positive determinant. Source: higham1986polar.
Mat3 nearest_rotation(const Mat3& m);

}  // namespace tactus
