#pragma once

#include "tactus/math.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// Signed distance of two cores by formula.
struct ClosedForm {
  double value = 0.0;  ///< signed distance of the cores
  Vec3 n;              ///< unit, from A to B
  Vec3 a, b;           ///< witness points, from A's origin; b - a = value * n
  bool unique = true;
};

/// Two cores in one frame of any orientation: where B's origin is seen from A's, and both
/// rotations.
struct PlacedCores {
  const Core& a;
  const Mat3& rotation_a;
  const Core& b;
  const Mat3& rotation_b;
  Vec3 translation;
  double rounding;  ///< bound of the error of a coordinate
};

/// True for the pairs of point, segment and box but box against box, and for a point against
/// cylinder, cone and ellipsoid; in either order.
constexpr bool has_closed_form(CoreKind a, CoreKind b) {
  const CoreKind first = a < b ? a : b;
  const CoreKind second = a < b ? b : a;
  if (second <= CoreKind::box) return first < CoreKind::box;
  return first == CoreKind::point && second >= CoreKind::cylinder && second <= CoreKind::ellipsoid;
}

bool closed_form_beyond_points(const PlacedCores& cores, ClosedForm& out);

/// The t of least distance of center + t * axis, |t| <= reach, from the box of half edges `half`
/// about the origin; `interior` unless that is an end's.
double nearest_to_box(const Vec3& half, const Vec3& center, const Vec3& axis, double reach,
                      bool& interior);

/// Witnesses that are nearer than this part of the rounding coincide.
inline constexpr double kZero = 0.25;
/// n and the value of `r` from its witnesses; `fallback` where they coincide.
inline void measure(ClosedForm& r, const Vec3& fallback, double rounding) {
  const Vec3 gap = r.b - r.a;
  const double length = norm(gap);
  const bool apart = length > kZero * rounding;
  r.n = apart ? gap * (1.0 / length) : fallback;
  r.value = apart ? length : 0.0;
  r.unique = r.unique && length > rounding;
}

/// The signed distance by formula, exact up to rounding; normals are perpendicular to the edges in
/// contact also at gaps near zero. Needs `has_closed_form`.
///
/// Where the witnesses are not unique, some of them are given, and `unique` is false. A segment
/// inside a box leaves by the best of the six axes of their difference (a zonotope). Returns false,
/// having nothing, where rounding puts that axis' witnesses outside of the bodies: nearly equal
/// axes. Source: ericson2004rtcd, section 5.1 (points and segments); the segment against the box is
/// ours; curved bodies: `point_to_curved`.
inline bool closed_form(const PlacedCores& cores, ClosedForm& out) {
  out.a = {};
  out.b = cores.translation;
  out.unique = true;
  if (cores.a.kind != CoreKind::point || cores.b.kind != CoreKind::point)
    return detail::closed_form_beyond_points(cores, out);
  measure(out, {0.0, 0.0, 1.0}, cores.rounding);
  return true;
}

}  // namespace tactus::detail
