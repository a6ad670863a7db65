#pragma once

#include <cmath>

#include "tactus/math.hpp"

namespace tactus::detail::lab {

/// The precision that answers are measured against: 64 bits of mantissa on x86, 113 on most others.
using Real = long double;

/// Plain triple in extended precision.
struct Point {
  Real x = 0, y = 0, z = 0;

  Point() = default;
  Point(Real px, Real py, Real pz) : x(px), y(py), z(pz) {}
  explicit Point(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}

  Real operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
};
inline Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Point operator-(const Point& a) { return {-a.x, -a.y, -a.z}; }
inline Point operator*(const Point& a, Real s) { return {a.x * s, a.y * s, a.z * s}; }
inline Real dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Point cross(const Point& a, const Point& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Real norm(const Point& a) { return std::sqrt(dot(a, a)); }
inline Point unit(const Point& a) { return a * (1 / norm(a)); }

/// Rotation in extended precision, stored by rows.
struct ExtendedRotation {
  Point row[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  Point times(const Point& v) const { return {dot(row[0], v), dot(row[1], v), dot(row[2], v)}; }
  Point transpose_times(const Point& v) const { return row[0] * v.x + row[1] * v.y + row[2] * v.z; }
};

}  // namespace tactus::detail::lab
