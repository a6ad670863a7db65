#pragma once

#include <array>

#include "tactus/ccd/moving_primitives.hpp"
#include "tactus/math/expansion.hpp"

namespace tactus::detail {

/// A number of twice as many digits: the sum of two doubles. Sums err by 2^-104 of the terms'
/// magnitudes, products by 2^-102 of the product.
struct Wide {
  double high = 0.0, low = 0.0;
  double rounded() const { return high + low; }
};
inline Wide operator+(const Wide& a, const Wide& b) {
  const TwoTerms s = two_sum(a.high, b.high);
  const TwoTerms r = two_sum(s.high, s.low + (a.low + b.low));
  return {r.high, r.low};
}
inline Wide operator-(const Wide& a) { return {-a.high, -a.low}; }
inline Wide operator*(const Wide& a, const Wide& b) {
  const TwoTerms p = two_product(a.high, b.high);
  const TwoTerms r = two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
  return {r.high, r.low};
}

struct WideVec3 {
  Wide x, y, z;
};
inline WideVec3 operator+(const WideVec3& a, const WideVec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline WideVec3 operator-(const WideVec3& a) { return {-a.x, -a.y, -a.z}; }
inline WideVec3 operator*(const WideVec3& a, const Wide& s) { return {a.x * s, a.y * s, a.z * s}; }
inline Wide dot(const WideVec3& a, const WideVec3& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
inline WideVec3 cross(const WideVec3& a, const WideVec3& b) {
  return {a.y * b.z + -(a.z * b.y), a.z * b.x + -(a.x * b.z), a.x * b.y + -(a.y * b.x)};
}

/// As PairVectors: corner 0 and the edges for the volume, all corners for planes.
struct WideVectors {
  std::array<WideVec3, 4> corner;
  WideVec3 u, v;
};

/// The motion of a pair without a rounding: differences of doubles are sums of two.
struct WidePrimitives {
  explicit WidePrimitives(const MovingVertexFace& motion);
  explicit WidePrimitives(const MovingEdges& motion);

  WideVectors t0, t1;
  int corners = 3;

  WideVectors at(double t) const;
};

/// As `volume_between`, with coefficients that are rounded once, at the end.
Volume volume_between(const WideVectors& s, const WideVectors& e);

// As the errors of moving_primitives.hpp, of the same lengths: places by a product and a sum each,
// the others by sums of at most six products of three. Generous.
inline constexpr double kWidePlaceError = 0x1p-100;
inline constexpr double kWideAlongError = 0x1p-97;
inline constexpr double kWideVolumeError = 0x1p-93;

}  // namespace tactus::detail
