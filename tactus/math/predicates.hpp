#pragma once

#include "tactus/core/constants.hpp"
#include "tactus/math.hpp"

namespace tactus::detail {

// Half an ulp of 1: the largest relative error of one rounding.

// Bounds of the rounding error of the determinants below, relative to the same sums with all terms
// made positive. orient3d: a term is a product of three differences (three roundings), two
// multiplications, a subtraction and an addition, together 7 (the last addition cannot change the
// sign); orient2d likewise 3. The quadratic parts pay for the rounding of the bound itself.
inline constexpr double kOrient3dError = (7.0 + 56.0 * kUnit) * kUnit;
inline constexpr double kOrient2dError = (3.0 + 16.0 * kUnit) * kUnit;

int orient3d_exact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
int orient_line_exact(const Vec3& origin, const Vec3& direction, const Vec3& p, const Vec3& q);
int orient2d_exact(double ax, double ay, double bx, double by, double cx, double cy);

/// Sign of the determinant |b-a, c-a, d-a|, exact for all finite doubles whose threefold products
/// neither overflow nor underflow (coordinates, and their differences, zero or of magnitude 1e-90
/// to 1e90 are on the safe side): +1 when d lies on the side to which (b-a) x (c-a) points; -1 on
/// the other side; 0 when the four points are exactly coplanar.
///
/// Cost: some 40 operations where the sign is clear, microseconds next to coplanarity.
/// Source: shewchuk1997predicates, section 4 (own implementation: filter, then expansions).
inline int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const double yz = u.y * v.z, zy = u.z * v.y;
  const double zx = u.z * v.x, xz = u.x * v.z;
  const double xy = u.x * v.y, yx = u.y * v.x;
  const double determinant = (w.x * (yz - zy) + w.y * (zx - xz)) + w.z * (xy - yx);
  const double permanent = (std::fabs(w.x) * (std::fabs(yz) + std::fabs(zy)) +
                            std::fabs(w.y) * (std::fabs(zx) + std::fabs(xz))) +
                           std::fabs(w.z) * (std::fabs(xy) + std::fabs(yx));
  const double error = detail::kOrient3dError * permanent;
  if (determinant > error) return 1;
  if (determinant < -error) return -1;
  return detail::orient3d_exact(a, b, c, d);
}

/// Sign of the determinant |p-origin, q-origin, direction|, exact within the range of orient3d: on
/// which side of the segment from p to q the line along `direction` through `origin` passes. Zero
/// where the line meets the line through p and q, or is parallel to it, or p and q are one point.
/// Swapping p and q changes the sign, and nothing else: a line that passes between two triangles
/// with a common edge does not exist.
inline int orient_line(const Vec3& origin, const Vec3& direction, const Vec3& p, const Vec3& q) {
  const Vec3 u = p - origin, v = q - origin;
  const double yz = u.y * v.z, zy = u.z * v.y;
  const double zx = u.z * v.x, xz = u.x * v.z;
  const double xy = u.x * v.y, yx = u.y * v.x;
  const double determinant =
      (direction.x * (yz - zy) + direction.y * (zx - xz)) + direction.z * (xy - yx);
  const double permanent = (std::fabs(direction.x) * (std::fabs(yz) + std::fabs(zy)) +
                            std::fabs(direction.y) * (std::fabs(zx) + std::fabs(xz))) +
                           std::fabs(direction.z) * (std::fabs(xy) + std::fabs(yx));
  const double error = detail::kOrient3dError * permanent;
  if (determinant > error) return 1;
  if (determinant < -error) return -1;
  return detail::orient_line_exact(origin, direction, p, q);
}

/// Where the line origin + t * direction meets the plane of a, b and c: t, off by some three units
/// in its last place however thin the triangle and however steep the line; infinite or not a number
/// where they are exactly parallel.
double plane_crossing(const Vec3& origin, const Vec3& direction, const Vec3& a, const Vec3& b,
                      const Vec3& c);

/// Sign of the area of the triangle a, b, c in the plane (x, y of each pair): +1 counter-clockwise,
/// 0 exactly collinear. Exact within the range of orient3d.
inline int orient2d(double ax, double ay, double bx, double by, double cx, double cy) {
  const double left = (ax - cx) * (by - cy);
  const double right = (ay - cy) * (bx - cx);
  const double determinant = left - right;
  const double error = detail::kOrient2dError * (std::fabs(left) + std::fabs(right));
  if (determinant > error) return 1;
  if (determinant < -error) return -1;
  return detail::orient2d_exact(ax, ay, bx, by, cx, cy);
}

/// True when the three points lie exactly on one line (or coincide).
inline bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
  return orient2d(a.x, a.y, b.x, b.y, c.x, c.y) == 0 &&
         orient2d(a.y, a.z, b.y, b.z, c.y, c.z) == 0 && orient2d(a.z, a.x, b.z, b.x, c.z, c.x) == 0;
}

/// (b-a) x (c-a), each component off by at most one unit in its last place however thin the
/// triangle is.
Vec3 accurate_cross(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace tactus::detail
