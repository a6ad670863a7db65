#pragma once

#include <cmath>

namespace tactus {

/// Plain triple of doubles. Every operation has a written-out order of evaluation, so that all
/// compilers and instruction sets give the same bits (with -ffp-contract=off).
struct Vec3 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  constexpr double operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
  constexpr double& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;

  constexpr Vec3& operator+=(const Vec3& v) {
    x += v.x;
    y += v.y;
    z += v.z;
    return *this;
  }
  constexpr Vec3& operator-=(const Vec3& v) {
    x -= v.x;
    y -= v.y;
    z -= v.z;
    return *this;
  }
  constexpr Vec3& operator*=(double s) {
    x *= s;
    y *= s;
    z *= s;
    return *this;
  }
};

constexpr Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(const Vec3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr Vec3 operator*(double s, const Vec3& a) { return {a.x * s, a.y * s, a.z * s}; }
constexpr Vec3 operator/(const Vec3& a, double s) { return {a.x / s, a.y / s, a.z / s}; }

constexpr double dot(const Vec3& a, const Vec3& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr double squared_norm(const Vec3& a) { return dot(a, a); }
inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }
/// Largest absolute component.
inline double max_abs(const Vec3& a) {
  const double xy = std::fabs(a.x) > std::fabs(a.y) ? std::fabs(a.x) : std::fabs(a.y);
  return xy > std::fabs(a.z) ? xy : std::fabs(a.z);
}
/// Unit vector along `a`; safe against overflow and underflow. The zero vector gives `fallback`.
inline Vec3 normalized(const Vec3& a, const Vec3& fallback = {1.0, 0.0, 0.0}) {
  const double largest = max_abs(a);
  if (!(largest > 0.0)) return fallback;
  if (largest > 1e-140 && largest < 1e140) return a / norm(a);
  const Vec3 scaled = a / largest;
  return scaled / norm(scaled);
}
constexpr Vec3 component_min(const Vec3& a, const Vec3& b) {
  return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}
constexpr Vec3 component_max(const Vec3& a, const Vec3& b) {
  return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}
inline Vec3 component_abs(const Vec3& a) {
  return {std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)};
}
constexpr Vec3 component_product(const Vec3& a, const Vec3& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
inline bool is_finite(const Vec3& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// A unit vector perpendicular to `unit`, deterministic and continuous except on one great circle.
inline Vec3 any_perpendicular(const Vec3& unit) {
  const Vec3 magnitude = component_abs(unit);
  Vec3 axis{0.0, 0.0, 1.0};
  if (magnitude.x <= magnitude.y && magnitude.x <= magnitude.z) {
    axis = {1.0, 0.0, 0.0};
  } else if (magnitude.y <= magnitude.z) {
    axis = {0.0, 1.0, 0.0};
  }
  return normalized(cross(unit, axis));
}

/// 3x3 matrix stored by rows. Operations are written out; see Vec3.
struct Mat3 {
  Vec3 row[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

  constexpr double operator()(int r, int c) const { return row[r][c]; }
  constexpr double& operator()(int r, int c) { return row[r][c]; }
  friend constexpr bool operator==(const Mat3& a, const Mat3& b) {
    return a.row[0] == b.row[0] && a.row[1] == b.row[1] && a.row[2] == b.row[2];
  }

  constexpr Vec3 column(int c) const { return {row[0][c], row[1][c], row[2][c]}; }

  static constexpr Mat3 identity() { return {}; }
  static constexpr Mat3 zero() { return diagonal({0.0, 0.0, 0.0}); }
  static constexpr Mat3 diagonal(const Vec3& d) {
    return {{{d.x, 0.0, 0.0}, {0.0, d.y, 0.0}, {0.0, 0.0, d.z}}};
  }
  static constexpr Mat3 from_columns(const Vec3& a, const Vec3& b, const Vec3& c) {
    return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
  }
};

constexpr Vec3 operator*(const Mat3& m, const Vec3& v) {
  return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}
/// transpose(m) * v
constexpr Vec3 transpose_times(const Mat3& m, const Vec3& v) {
  return {(m.row[0].x * v.x + m.row[1].x * v.y) + m.row[2].x * v.z,
          (m.row[0].y * v.x + m.row[1].y * v.y) + m.row[2].y * v.z,
          (m.row[0].z * v.x + m.row[1].z * v.y) + m.row[2].z * v.z};
}
constexpr Mat3 transpose(const Mat3& m) { return {{m.column(0), m.column(1), m.column(2)}}; }
constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
  const Vec3 c0 = b.column(0), c1 = b.column(1), c2 = b.column(2);
  Mat3 r;
  for (int i = 0; i < 3; ++i) r.row[i] = {dot(a.row[i], c0), dot(a.row[i], c1), dot(a.row[i], c2)};
  return r;
}
/// transpose(a) * b
constexpr Mat3 transpose_times(const Mat3& a, const Mat3& b) { return transpose(a) * b; }
constexpr Mat3 operator+(const Mat3& a, const Mat3& b) {
  return {{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2]}};
}
constexpr Mat3 operator-(const Mat3& a, const Mat3& b) {
  return {{a.row[0] - b.row[0], a.row[1] - b.row[1], a.row[2] - b.row[2]}};
}
constexpr Mat3 operator*(const Mat3& a, double s) {
  return {{a.row[0] * s, a.row[1] * s, a.row[2] * s}};
}
constexpr Mat3 outer(const Vec3& a, const Vec3& b) { return {{b * a.x, b * a.y, b * a.z}}; }
constexpr double determinant(const Mat3& m) { return dot(m.row[0], cross(m.row[1], m.row[2])); }
constexpr double trace(const Mat3& m) { return (m.row[0].x + m.row[1].y) + m.row[2].z; }
/// Inverse by cofactors; the caller makes sure that the determinant is not zero.
constexpr Mat3 inverse(const Mat3& m) {
  const Vec3 a = cross(m.row[1], m.row[2]);
  const Vec3 b = cross(m.row[2], m.row[0]);
  const Vec3 c = cross(m.row[0], m.row[1]);
  const double s = 1.0 / dot(m.row[0], a);
  return Mat3::from_columns(a * s, b * s, c * s);
}
inline bool is_finite(const Mat3& m) {
  return is_finite(m.row[0]) && is_finite(m.row[1]) && is_finite(m.row[2]);
}

/// Quaternion w + xi + yj + zk; rotations are unit quaternions.
struct Quat {
  double w = 1.0;
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

constexpr Quat operator*(const Quat& a, const Quat& b) {
  return {((a.w * b.w - a.x * b.x) - a.y * b.y) - a.z * b.z,
          ((a.w * b.x + a.x * b.w) + a.y * b.z) - a.z * b.y,
          ((a.w * b.y - a.x * b.z) + a.y * b.w) + a.z * b.x,
          ((a.w * b.z + a.x * b.y) - a.y * b.x) + a.z * b.w};
}
constexpr Quat conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }
inline double norm(const Quat& q) {
  return std::sqrt(((q.w * q.w + q.x * q.x) + q.y * q.y) + q.z * q.z);
}
/// Unit quaternion; the zero quaternion gives the identity.
inline Quat normalized(const Quat& q) {
  const double n = norm(q);
  if (!(n > 0.0)) return {};
  return {q.w / n, q.x / n, q.y / n, q.z / n};
}
inline bool is_finite(const Quat& q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}

/// Rotation matrix of a quaternion of any non-zero norm: the rounding of the norm does not enter.
constexpr Mat3 to_matrix(const Quat& q) {
  const double n = ((q.w * q.w + q.x * q.x) + q.y * q.y) + q.z * q.z;
  const double s = 2.0 / n;
  const double xx = q.x * q.x * s, yy = q.y * q.y * s, zz = q.z * q.z * s;
  const double xy = q.x * q.y * s, xz = q.x * q.z * s, yz = q.y * q.z * s;
  const double wx = q.w * q.x * s, wy = q.w * q.y * s, wz = q.w * q.z * s;
  return {{{1.0 - (yy + zz), xy - wz, xz + wy},
           {xy + wz, 1.0 - (xx + zz), yz - wx},
           {xz - wy, yz + wx, 1.0 - (xx + yy)}}};
}

/// Unit quaternion of a rotation matrix, w >= 0.
inline Quat to_quaternion(const Mat3& m) {
  const double t = trace(m);
  Quat q;
  if (t > 0.0) {
    q = {t + 1.0, m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)};
  } else if (m(0, 0) >= m(1, 1) && m(0, 0) >= m(2, 2)) {
    q = {m(2, 1) - m(1, 2), 1.0 + m(0, 0) - m(1, 1) - m(2, 2), m(0, 1) + m(1, 0),
         m(0, 2) + m(2, 0)};
  } else if (m(1, 1) >= m(2, 2)) {
    q = {m(0, 2) - m(2, 0), m(0, 1) + m(1, 0), 1.0 + m(1, 1) - m(0, 0) - m(2, 2),
         m(1, 2) + m(2, 1)};
  } else {
    q = {m(1, 0) - m(0, 1), m(0, 2) + m(2, 0), m(1, 2) + m(2, 1),
         1.0 + m(2, 2) - m(0, 0) - m(1, 1)};
  }
  q = normalized(q);
  return q.w < 0.0 ? Quat{-q.w, -q.x, -q.y, -q.z} : q;
}

class Pose;
namespace detail {
// Without any check: for results of arithmetic on valid poses.
Pose unchecked_pose(const Vec3& position, const Mat3& rotation) noexcept;
}  // namespace detail

/// Rigid placement: maps local points to world, x -> rotation * x + position.
/// @code{.cpp}
/// const Pose door = Pose::from_axis_angle({1, 0, 0}, {0, 0, 1}, 1.5707963267948966);
/// assert(norm(door.to_world({2, 0, 0}) - Vec3{1, 2, 0}) < 1e-15);
/// @endcode
class Pose {
 public:
  /// The identity.
  Pose() = default;

  /// Rotation by a quaternion (w, x, y, z), then translation.
  /// The norm of the quaternion may differ from 1 by at most 1e-3 and is divided out.
  /// Throws InvalidInput (`quaternion`, `position`) otherwise or when a number is not finite.
  Pose(const Vec3& position, const Quat& quaternion);

  /// Translation and rotation matrix. Throws InvalidInput when `rotation` differs by more than 1e-6
  /// (largest entry) from its nearest rotation, the polar factor, which is then used.
  static Pose from_matrix(const Vec3& position, const Mat3& rotation);

  /// Turned by `angle` in radians about the line through `position` along `axis`, which may have
  /// any length but zero. The same bits on every machine. Throws InvalidInput (`position`, `axis`,
  /// `angle`).
  static Pose from_axis_angle(const Vec3& position, const Vec3& axis, double angle);

  /// Midway between two points, z pointing from the first to the second: where a capsule, cylinder
  /// or cone of that length stands between them. Which way x points is fixed, but not said; points
  /// that coincide give no turn. Throws InvalidInput (`from`, `to`) when a number is not finite.
  static Pose along(const Vec3& from, const Vec3& to);

  static Pose translation(const Vec3& position) {
    return detail::unchecked_pose(position, Mat3::identity());
  }

  const Mat3& rotation() const noexcept { return rotation_; }
  const Vec3& position() const noexcept { return position_; }

  Vec3 to_world(const Vec3& local) const { return rotation_ * local + position_; }
  Vec3 to_local(const Vec3& world) const { return transpose_times(rotation_, world - position_); }
  Vec3 direction_to_world(const Vec3& local) const { return rotation_ * local; }
  Vec3 direction_to_local(const Vec3& world) const { return transpose_times(rotation_, world); }

  friend bool operator==(const Pose&, const Pose&) = default;

 private:
  friend Pose detail::unchecked_pose(const Vec3& position, const Mat3& rotation) noexcept;

  Mat3 rotation_;
  Vec3 position_;
};

inline Pose detail::unchecked_pose(const Vec3& position, const Mat3& rotation) noexcept {
  Pose p;
  p.rotation_ = rotation;
  p.position_ = position;
  return p;
}

/// `outer` after `inner`.
inline Pose operator*(const Pose& outer, const Pose& inner) {
  return detail::unchecked_pose(outer.to_world(inner.position()),
                                outer.rotation() * inner.rotation());
}
/// Pose of `b` seen from `a`: inverse(a) * b. The translations are subtracted first, so that moving
/// both bodies by the same vector changes nothing beyond the rounding of the input.
inline Pose relative(const Pose& a, const Pose& b) {
  return detail::unchecked_pose(a.to_local(b.position()),
                                transpose_times(a.rotation(), b.rotation()));
}
inline Pose inverse(const Pose& p) {
  return detail::unchecked_pose(-transpose_times(p.rotation(), p.position()),
                                transpose(p.rotation()));
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
Pose pose_at(const Pose& start, const RigidMotion& motion, double t);
[[deprecated("pose_at")]] inline Pose moved(const Pose& start, const RigidMotion& motion,
                                            double t) {
  return pose_at(start, motion, t);
}

/// Velocity of the point of the body that is at `offset` from its origin, world frame.
inline Vec3 velocity_at(const RigidMotion& motion, const Vec3& offset) {
  return motion.linear + cross(motion.angular, offset);
}

}  // namespace tactus
