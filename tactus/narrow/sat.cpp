#include "tactus/narrow/sat.hpp"

#include <algorithm>
#include <cmath>

namespace tactus {
namespace {

// Keeps the largest separation; a rival within rounding makes it ambiguous.
void consider(BoxAxes& best, double separation, const Vec3& n, double rounding) {
  if (separation > best.separation + rounding) {
    best.unique = true;
  } else if (separation >= best.separation - rounding) {
    best.unique = false;
  }
  if (separation > best.separation) {
    best.separation = separation;
    best.n = n;
  }
}

// The supporting feature of a box along a direction in its own frame: a corner, and the axes along
// which it is free within rounding.
struct BoxFeature {
  Vec3 corner;  ///< free coordinates are zero
  int free[3] = {0, 0, 0};
  int count = 0;
};

BoxFeature feature_of(const Vec3& half, const Vec3& n, double rounding) {
  BoxFeature f;
  for (int i = 0; i < 3; ++i) {
    if (2.0 * half[i] * std::fabs(n[i]) <= rounding) {
      f.free[f.count++] = i;
    } else {
      f.corner[i] = n[i] < 0.0 ? -half[i] : half[i];
    }
  }
  return f;
}

}  // namespace

BoxAxes separate_boxes(const Cso& cso, bool stop_when_apart) {
  BoxAxes best;
  const Vec3& a = cso.a.half;
  const Vec3& b = cso.b.half;
  const Mat3& r = cso.rotation;
  const Vec3& t = cso.translation;
  const auto done = [&] { return stop_when_apart && best.separation > cso.rounding; };
  const auto oriented = [&](const Vec3& axis, double along, double separation) {
    consider(best, separation, along < 0.0 ? -axis : axis, cso.rounding);
    // Centres level along this axis: both senses are equally near.
    if (std::fabs(along) <= cso.rounding && separation >= best.separation) best.unique = false;
  };

  for (int i = 0; i < 3; ++i) {
    const double reach =
        a[i] + ((b.x * std::fabs(r(i, 0)) + b.y * std::fabs(r(i, 1))) + b.z * std::fabs(r(i, 2)));
    Vec3 axis;
    axis[i] = 1.0;
    oriented(axis, t[i], std::fabs(t[i]) - reach);
  }
  if (done()) return best;
  const Vec3 column[3] = {r.column(0), r.column(1), r.column(2)};
  for (int j = 0; j < 3; ++j) {
    const double along = dot(t, column[j]);
    const double reach = b[j] + dot(a, component_abs(column[j]));
    oriented(column[j], along, std::fabs(along) - reach);
  }
  if (done()) return best;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3;
    const int i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      // e_i x column_j: its components are entries of the rotation, without rounding.
      Vec3 axis;
      axis[i1] = -column[j][i2];
      axis[i2] = column[j][i1];
      const double sine = norm(axis);
      // The facet of this pair is a parallelogram of this width: if it is nothing, so is what it
      // could gain.
      if (2.0 * std::min(a[i], b[j]) * sine <= cso.rounding) continue;
      const double reach_a = a[i1] * std::fabs(axis[i1]) + a[i2] * std::fabs(axis[i2]);
      const int j1 = (j + 1) % 3;
      const int j2 = (j + 2) % 3;
      const double reach_b =
          b[j1] * std::fabs(dot(column[j1], axis)) + b[j2] * std::fabs(dot(column[j2], axis));
      const double along = dot(t, axis);
      oriented(axis / sine, along, (std::fabs(along) - (reach_a + reach_b)) / sine);
      if (done()) return best;
    }
  }
  return best;
}

bool box_witnesses(const Cso& cso, const BoxAxes& axes, Vec3& a, Vec3& b) {
  const Vec3& n = axes.n;
  const double depth = -axes.separation;
  const BoxFeature fa = feature_of(cso.a.half, n, cso.rounding);
  const BoxFeature fb = feature_of(cso.b.half, -transpose_times(cso.rotation, n), cso.rounding);
  if (fa.count + fb.count != 2) return false;
  a = fa.corner;
  Vec3 local = fb.corner;
  const auto within = [&](const Vec3& p, const Vec3& half, int axis) {
    return std::fabs(p[axis]) <= half[axis] + cso.rounding;
  };
  if (fa.count == 2) {
    // A's face: the image of B's corner.
    b = cso.rotation * local + cso.translation;
    const Vec3 image = b + n * depth;
    for (int k = 0; k < 2; ++k) a[fa.free[k]] = image[fa.free[k]];
    return within(a, cso.a.half, fa.free[0]) && within(a, cso.a.half, fa.free[1]);
  }
  if (fb.count == 2) {
    const Vec3 image = transpose_times(cso.rotation, (a - n * depth) - cso.translation);
    for (int k = 0; k < 2; ++k) local[fb.free[k]] = image[fb.free[k]];
    b = cso.rotation * local + cso.translation;
    return within(local, cso.b.half, fb.free[0]) && within(local, cso.b.half, fb.free[1]);
  }
  // Edge and edge: a + s u - (b + t v) = depth n.
  Vec3 u;
  u[fa.free[0]] = 1.0;
  const Vec3 v = cso.rotation.column(fb.free[0]);
  b = cso.rotation * local + cso.translation;
  const Vec3 rest = (b - a) + n * depth;  // = s u - t v
  const Vec3 normal = cross(u, v);
  const double area = squared_norm(normal);
  const double s = dot(cross(rest, v), normal) / area;
  const double t = dot(cross(rest, u), normal) / area;
  a[fa.free[0]] = s;
  local[fb.free[0]] = t;
  b = cso.rotation * local + cso.translation;
  return within(a, cso.a.half, fa.free[0]) && within(local, cso.b.half, fb.free[0]);
}

}  // namespace tactus
