#pragma once

#include "tactus/math.hpp"
#include "tactus/simd/two_doubles.hpp"

namespace tactus::detail {

/// A number of body A and one of body B side by side in a register: what is computed for one is
/// computed for the other by the same instructions, with the bits of each alone.
using Both = two_doubles::Lanes;

inline Both both(double a, double b) { return Both{a, b}; }
inline double sum(Both v) { return v[0] + v[1]; }

/// A vector of each body.
struct BothVec3 {
  Both x{}, y{}, z{};

  Vec3 a() const { return {x[0], y[0], z[0]}; }
  Vec3 b() const { return {x[1], y[1], z[1]}; }
  /// B's vector less A's.
  Vec3 difference() const { return {x[1] - x[0], y[1] - y[0], z[1] - z[0]}; }

  BothVec3& operator+=(const BothVec3& v) {
    x += v.x;
    y += v.y;
    z += v.z;
    return *this;
  }
};

inline BothVec3 both(const Vec3& a, const Vec3& b) {
  return {both(a.x, b.x), both(a.y, b.y), both(a.z, b.z)};
}
/// An impulse on B, and its reaction on A.
inline BothVec3 opposed(const Vec3& v) { return both(-v, v); }

inline BothVec3 operator+(const BothVec3& v, const BothVec3& w) {
  return {v.x + w.x, v.y + w.y, v.z + w.z};
}
inline BothVec3 operator-(const BothVec3& v, const BothVec3& w) {
  return {v.x - w.x, v.y - w.y, v.z - w.z};
}
inline BothVec3 operator*(const BothVec3& v, Both s) { return {v.x * s, v.y * s, v.z * s}; }
inline BothVec3 operator*(const BothVec3& v, double s) { return v * both(s, s); }
inline Both dot(const BothVec3& v, const BothVec3& w) {
  return (v.x * w.x + v.y * w.y) + v.z * w.z;
}
inline BothVec3 cross(const BothVec3& v, const BothVec3& w) {
  return {v.y * w.z - v.z * w.y, v.z * w.x - v.x * w.z, v.x * w.y - v.y * w.x};
}

/// A matrix of each body.
struct BothMat3 {
  BothVec3 row[3];
};
inline BothMat3 both(const Mat3& a, const Mat3& b) {
  return {{both(a.row[0], b.row[0]), both(a.row[1], b.row[1]), both(a.row[2], b.row[2])}};
}
inline BothVec3 operator*(const BothMat3& m, const BothVec3& v) {
  return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}

}  // namespace tactus::detail
