#include "tactus/narrow/closed_form.hpp"

#include <algorithm>
#include <cmath>

namespace tactus {
namespace {

ClosedForm from_points(const Vec3& a, const Vec3& b, const Vec3& fallback, double rounding) {
  ClosedForm r;
  r.a = a;
  r.b = b;
  const Vec3 gap = b - a;
  const double length = norm(gap);
  if (length > rounding) {
    r.n = gap / length;
    r.value = dot(r.n, gap);
  } else {
    r.n = fallback;
    r.unique = false;
  }
  return r;
}

ClosedForm point_segment(const Cso& cso) {
  const Vec3 axis = cso.rotation.column(2);
  const double half = cso.b.half.z;
  const double along = std::clamp(-dot(axis, cso.translation), -half, half);
  return from_points({}, cso.translation + axis * along, any_perpendicular(axis), cso.rounding);
}

ClosedForm segment_segment(const Cso& cso) {
  // a(s) = s u with u = z, b(t) = c + t v; both |s|, |t| bounded by the half lengths.
  const Vec3 u{0.0, 0.0, 1.0};
  const Vec3 v = cso.rotation.column(2);
  const Vec3& c = cso.translation;
  const double half_a = cso.a.half.z;
  const double half_b = cso.b.half.z;
  const double uv = v.z;
  const double uc = c.z;
  const double vc = dot(v, c);
  const Vec3 normal = cross(u, v);
  const double sine2 = squared_norm(normal);
  // The least of the candidates: the interior pair, then each end with its nearest point on the
  // other segment. The best counts, so that nearly parallel segments need no threshold.
  Vec3 best_a, best_b;
  double best = std::numeric_limits<double>::infinity();
  const auto consider = [&](double s, double t) {
    const Vec3 a = u * s;
    const Vec3 b = c + v * t;
    const double d = squared_norm(b - a);
    if (d < best) {
      best = d;
      best_a = a;
      best_b = b;
    }
  };
  bool crossing = false;
  if (sine2 > 0.0) {
    const double s = (uc - uv * vc) / sine2;
    const double t = (uv * uc - vc) / sine2;
    if (std::fabs(s) <= half_a && std::fabs(t) <= half_b) {
      consider(s, t);
      crossing = true;
    }
  }
  for (const double s : {-half_a, half_a}) consider(s, std::clamp(s * uv - vc, -half_b, half_b));
  for (const double t : {-half_b, half_b}) consider(std::clamp(uc + t * uv, -half_a, half_a), t);
  const Vec3 common = normalized(normal, any_perpendicular(v));
  ClosedForm r = from_points(best_a, best_b, common, cso.rounding);
  if (crossing && r.unique) {
    // The common normal itself is more accurate than the difference of two near points.
    const double height = dot(common, c);
    const double value = std::fabs(height);
    if (std::fabs(value - r.value) <= cso.rounding) r.n = height < 0.0 ? -common : common;
  }
  if (!crossing && sine2 <= cso.rounding && half_a > 0.0 && half_b > 0.0) r.unique = false;
  return r;
}

ClosedForm point_box(const Cso& cso) {
  // In B's frame: the point is p, the box is centred.
  const Vec3 p = -transpose_times(cso.rotation, cso.translation);
  const Vec3& half = cso.b.half;
  const Vec3 inside{std::clamp(p.x, -half.x, half.x), std::clamp(p.y, -half.y, half.y),
                    std::clamp(p.z, -half.z, half.z)};
  const auto to_a = [&](const Vec3& q) { return cso.rotation * q + cso.translation; };
  ClosedForm r;
  // Coordinates within the box are exactly zero here, so that a gap of any size has an exact
  // normal.
  const Vec3 out = p - inside;
  if (norm(out) > cso.rounding) {
    r.n = -(cso.rotation * normalized(out));
    r.value = norm(out);
    r.b = to_a(inside);
    r.a = r.b - r.n * r.value;
    return r;
  }
  // Inside or on the surface: the nearest face.
  int axis = 0;
  double depth = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const double d = half[i] - std::fabs(p[i]);
    if (d < depth - cso.rounding) {
      depth = d;
      axis = i;
      r.unique = true;
    } else if (d <= depth + cso.rounding) {
      r.unique = false;
    }
    if (std::fabs(p[i]) <= cso.rounding && axis == i) r.unique = false;
  }
  const double side = p[axis] < 0.0 ? -1.0 : 1.0;
  Vec3 face = p;
  face[axis] = side * half[axis];
  // From A (the point) to B: into the box.
  Vec3 outward;
  outward[axis] = side;
  r.n = -(cso.rotation * outward);
  r.value = -depth;
  r.a = {};
  r.b = r.n * r.value;
  return r;
}

}  // namespace

bool has_closed_form(CoreKind a, CoreKind b) {
  if (a == CoreKind::point) return b <= CoreKind::box;
  return a == CoreKind::segment && b == CoreKind::segment;
}

ClosedForm closed_form(const Cso& cso) {
  if (cso.a.kind == CoreKind::segment) return segment_segment(cso);
  if (cso.b.kind == CoreKind::segment) return point_segment(cso);
  if (cso.b.kind == CoreKind::box) return point_box(cso);
  return from_points({}, cso.translation, {0.0, 0.0, 1.0}, cso.rounding);
}

}  // namespace tactus
