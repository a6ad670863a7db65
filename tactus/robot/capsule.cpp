#include "tactus/robot/capsule.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/math/symmetric_eigen.hpp"

namespace tactus::detail {
namespace {

// Radii are enlarged by this part of the largest coordinate: some roundings of a product.
constexpr double kGrowth = 64.0 * kUnit;
// The squares of larger lengths have no sums; queries refuse them, too.
constexpr double kMostLength = 1e100;
// Segments nearer than this part of their coordinates cross: the direction between would be noise.
constexpr double kCrossing = 1e-12;

double clamp01(double x) { return x < 0.0 ? 0.0 : (x > 1.0 ? 1.0 : x); }

/// Points whose hull holds the shape.
std::vector<Vec3> hull_points(const Shape& shape) {
  if (shape.type() == ShapeType::convex) return std::get<Convex>(shape.geometry()).hull().vertices;
  if (shape.type() == ShapeType::mesh) return std::get<Mesh>(shape.geometry()).mesh().vertices;
  const Aabb box = bounding_box(shape, {});
  const Vec3 &l = box.lower, &u = box.upper;
  return {{l.x, l.y, l.z}, {u.x, l.y, l.z}, {l.x, u.y, l.z}, {u.x, u.y, l.z},
          {l.x, l.y, u.z}, {u.x, l.y, u.z}, {l.x, u.y, u.z}, {u.x, u.y, u.z}};
}

/// The capsule with its segment on the line through `middle` along the unit `axis`.
BoundingCapsule capsule_along(const std::vector<Vec3>& points, const Vec3& middle,
                              const Vec3& axis) {
  double square = 0.0;
  for (const Vec3& p : points) square = std::max(square, squared_norm(cross(p - middle, axis)));
  double low = kInfinity, high = -kInfinity;
  for (const Vec3& p : points) {
    const double at = dot(p - middle, axis);
    const double rise = std::sqrt(std::max(0.0, square - squared_norm(cross(p - middle, axis))));
    low = std::min(low, at + rise);
    high = std::max(high, at - rise);
  }
  if (low > high) low = high = 0.5 * (low + high);
  BoundingCapsule c{middle + axis * low, middle + axis * high, 0.0};
  // The radius from scratch: also right where rounding moved an end.
  for (const Vec3& p : points) {
    const double at = std::clamp(dot(p - middle, axis), low, high);
    c.radius = std::max(c.radius, norm(p - (middle + axis * at)));
  }
  return c;
}

double volume(const BoundingCapsule& c) {
  return c.radius * c.radius * (norm(c.b - c.a) + 4.0 / 3.0 * c.radius);
}

}  // namespace

BoundingCapsule bounding_capsule(const Shape& shape) {
  if (!(extent(shape) < kMostLength)) return {{}, {}, kInfinity};
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry()))
    return {{}, {}, sphere->radius() + shape.rounding_radius()};
  const auto straight = [&](double radius, double length) {
    const Vec3 end{0.0, 0.0, 0.5 * length};
    return BoundingCapsule{-end, end, radius + shape.rounding_radius()};
  };
  if (const auto* capsule = std::get_if<Capsule>(&shape.geometry()))
    return straight(capsule->radius(), capsule->length());
  if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry()))
    return straight(cylinder->radius(), cylinder->length());
  const std::vector<Vec3> points = hull_points(shape);
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points) {
    low = component_min(low, p);
    high = component_max(high, p);
  }
  const Vec3 middle = low * 0.5 + high * 0.5;
  Mat3 spread = Mat3::zero();
  for (const Vec3& p : points) spread = spread + outer(p - middle, p - middle);
  const Mat3 own = symmetric_eigen(spread).vectors;
  BoundingCapsule best{middle, middle, kInfinity};
  for (int i = 0; i < 6; ++i) {
    const Vec3 axis = i < 3 ? Mat3::identity().column(i) : normalized(own.column(i - 3));
    const BoundingCapsule c = capsule_along(points, middle, axis);
    if (!(best.radius < kInfinity) || volume(c) < volume(best)) best = c;
  }
  best.radius += kGrowth * (max_abs(low) + max_abs(high)) + shape.rounding_radius();
  return best;
}

CapsuleGap capsule_gap(const BoundingCapsule& a, const BoundingCapsule& b) {
  const double radii = a.radius + b.radius;
  if (!(radii < kInfinity) || !is_finite(b.a - a.a)) return {-kInfinity, {}};
  const Vec3 u = a.b - a.a, v = b.b - b.a, w = b.a - a.a;
  const double uu = squared_norm(u), vv = squared_norm(v), uv = dot(u, v);
  const double uw = dot(u, w), vw = dot(v, w);
  const double det = uu * vv - uv * uv;
  double s = det > 0.0 ? clamp01((uw * vv - vw * uv) / det) : 0.0;
  double t = vv > 0.0 ? (s * uv - vw) / vv : 0.0;
  if (!(t >= 0.0 && t <= 1.0)) {
    t = clamp01(t);
    s = uu > 0.0 ? clamp01((t * uv + uw) / uu) : 0.0;
  }
  const Vec3 between = (w + v * t) - u * s;
  const double length = norm(between);
  const double size = max_abs(a.a) + max_abs(b.a) + max_abs(u) + max_abs(v);
  if (!(length > kCrossing * size)) {
    const double gap = -radii - kCrossing * size;
    return {std::isfinite(gap) ? gap : -kInfinity, {}};
  }
  const Vec3 n = between / length;
  const double high = std::max(dot(n, a.a), dot(n, a.b)), low = std::min(dot(n, b.a), dot(n, b.b));
  const double gap = (low - high) - radii - 8.0 * kUnit * (size + radii);
  return std::isfinite(gap) ? CapsuleGap{gap, n} : CapsuleGap{-kInfinity, {}};
}

double reach_from_axis(const BoundingCapsule& c, const Vec3& origin, const Vec3& axis) {
  const double square =
      std::max(squared_norm(cross(c.a - origin, axis)), squared_norm(cross(c.b - origin, axis)));
  return std::sqrt(square) + c.radius;
}

}  // namespace tactus::detail
