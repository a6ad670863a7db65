#pragma once

#include "tactus/math/mat3.hpp"

namespace tactus {

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

}  // namespace tactus
