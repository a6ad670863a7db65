#pragma once

#include "tactus/math/vec3.hpp"

namespace tactus {

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

}  // namespace tactus
