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

}  // namespace tactus
