#pragma once

#include <algorithm>
#include <cmath>

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

/// The normal of nearest points of the segments s u and c + t v that leaves the least of their
/// distance unproved, of those that their difference and the edges name.
void choose_segment_normal(const Vec3& u, double half_a, const Vec3& c, const Vec3& v,
                           double half_b, double rounding, ClosedForm& out);

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

/// Unit vector along v, whose length must be far from underflow.
inline Vec3 unit_of(const Vec3& v) { return v * (1.0 / norm(v)); }

/// Takes out of n what points along the unit vector `edge`: the difference of two near points has
/// rounding there.
inline void make_perpendicular(Vec3& n, const Vec3& edge) {
  const Vec3 across = n - edge * dot(n, edge);
  const double square = squared_norm(across);
  n = square > kFormSafeSquare ? across / std::sqrt(square) : normalized(across, n);
}

/// Segments s u and c + t v at a clear angle: the nearest points of the lines, moved to the ends
/// one after the other. `uv` is the product of u and v.
inline void clear_segments(const Vec3& u, double half_a, const Vec3& c, const Vec3& v,
                           double half_b, double uv, double rounding, ClosedForm& r) {
  const double uc = dot(u, c);
  const double vc = dot(v, c);
  const double line_s = (uc - uv * vc) / (1.0 - uv * uv);
  double s = std::clamp(line_s, -half_a, half_a);
  const double foot_t = s * uv - vc;
  const double t = std::clamp(foot_t, -half_b, half_b);
  const bool inside_b = t == foot_t;
  bool inside_a = s == line_s;
  if (!inside_b) {
    const double foot_s = uc + t * uv;
    s = std::clamp(foot_s, -half_a, half_a);
    inside_a = s == foot_s;
  }
  r.a = u * s;
  r.b = c + v * t;
  if (inside_a && inside_b) {
    const Vec3 common = unit_of(cross(u, v));
    const double height = dot(common, c);
    r.n = height < 0.0 ? -common : common;
    r.value = std::fabs(height);
    r.unique = r.value > rounding;
    return;
  }
  measure(r, {}, rounding);
  if (r.value == 0.0) r.n = unit_of(cross(u, v));
  if (inside_a) make_perpendicular(r.n, u);
  if (inside_b) make_perpendicular(r.n, v);
  if (!(r.value < kFormWideGap * (half_a + half_b))) return;
  const double lost =
      ((std::fabs(dot(r.n, u)) * half_a + std::fabs(dot(r.n, v)) * half_b) - dot(r.n, c)) + r.value;
  if (lost > kFormProved * rounding) choose_segment_normal(u, half_a, c, v, half_b, rounding, r);
}

/// `nearest_on_segments` of segments at a small angle.
void segments_at_small_angle(const Vec3& u, double half_a, const Vec3& c, const Vec3& v,
                             double half_b, double rounding, double uv, ClosedForm& out);

/// Nearest points of the segments s u and c + t v, of these half lengths about their middles; u and
/// v are unit. `out` with `unique` set, and nothing else of it read.
inline void nearest_on_segments(const Vec3& u, double half_a, const Vec3& c, const Vec3& v,
                                double half_b, double rounding, ClosedForm& out) {
  const double uv = dot(u, v);
  if (uv * uv < 1.0 - kFormClearAngle) {
    clear_segments(u, half_a, c, v, half_b, uv, rounding, out);
  } else {
    segments_at_small_angle(u, half_a, c, v, half_b, rounding, uv, out);
  }
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
/// contact also at gaps near zero. For pairs whose row has a closed form (`PairFormula`).
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
