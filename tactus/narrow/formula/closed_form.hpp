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

/// A form whose members are written before they are read: clearing it first would be a tenth of the
/// cost of the shortest form.
union FormPlace {
  FormPlace() {}  // NOLINT(modernize-use-equals-default)
  ClosedForm form;
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

/// Squared sine of an angle above which nearest points on two lines lose at most a decimal digit.
inline constexpr double kFormClearAngle = 0.01;
/// A normal that leaves less of the distance unproved than this part of the rounding bound will do.
inline constexpr double kFormProved = 0.25;
/// Beyond this part of the edges' lengths, the roundings of two points (a sixteenth of the pair's
/// bound) over their distance leave less than that.
inline constexpr double kFormWideGap = 0.25;
/// Vectors of at most some unit lengths whose square is larger have a length without underflow.
inline constexpr double kFormSafeSquare = 1e-200;

bool closed_form_beyond_points(const PlacedCores& cores, ClosedForm& out);

/// Nearest points of the segments s u and c + t v, of these half lengths about their middles; u and
/// v are unit. `out` with `unique` set, and nothing else of it read.
void nearest_on_segments(const Vec3& u, double half_a, const Vec3& c, const Vec3& v, double half_b,
                         double rounding, ClosedForm& out);

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

/// A point beside a box, which is A if `BoxFirst`, else B: of these half edges, in world axes,
/// `translation` from A to B. False for a point inside or within rounding of the surface.
template <bool BoxFirst>
inline bool point_beside_box(const Mat3& rotation, const Vec3& half, const Vec3& translation,
                             double rounding, ClosedForm& out) {
  const Vec3 seen = transpose_times(rotation, translation);
  const Vec3 p = BoxFirst ? seen : -seen;
  // Coordinates within the box are exactly zero in the difference, so that a gap of any size has an
  // exact normal.
  const Vec3 inside = component_max(component_min(p, half), -half);
  const Vec3 outside = p - inside;
  const double length = norm(outside);
  if (!(length > kZero * rounding)) return false;
  const Vec3 foot = rotation * inside;
  out.value = length;
  out.n = rotation * (outside * ((BoxFirst ? 1.0 : -1.0) / length));
  out.a = BoxFirst ? foot : Vec3{};
  out.b = BoxFirst ? translation : foot + translation;
  out.unique = true;
  return true;
}

/// The signed distance by formula, exact up to rounding; normals are perpendicular to the edges in
/// contact also at gaps near zero. For pairs whose plan has a closed formula (`PairPlan`).
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
