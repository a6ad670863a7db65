#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tactus/classic.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"

namespace tactus {
using detail::kInfinity;

Vec3 nearest_on_segment(const Vec3& p, const Vec3& q, const Vec3& x) noexcept {
  const Vec3 s = q - p;
  const double square = squared_norm(s), along = dot(x - p, s);
  if (!(along > 0.0)) return p;
  if (along >= square) return q;
  // From the nearer end, so that the point errs by roundings of the distance from it.
  return 2.0 * along <= square ? p + s * (along / square) : q + s * (dot(x - q, s) / square);
}

Vec3 nearest_on_plane(const Vec3& normal, double offset, const Vec3& x) noexcept {
  return x - normal * ((dot(normal, x) - offset) / squared_norm(normal));
}

Vec3 nearest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& x) noexcept {
  return detail::point_to_triangle(x, {{a, b, c}}).b;
}

SphereMeeting sphere_meeting(const Vec3& apart, const Vec3& way, double reach) noexcept {
  // In units of the largest length and of the largest way, so that no square overflows.
  const double length = std::fmax(max_abs(apart), reach), fastest = max_abs(way);
  if (!(length > 0.0)) {
    if (fastest > 0.0) return {true, 0.0, 0.0};
    return {true, -kInfinity, kInfinity};
  }
  const Vec3 d = apart / length;
  const double r = reach / length, gap = squared_norm(d) - r * r;
  // No relative motion: the source divides by zero.
  if (!(fastest > 0.0)) return {gap <= 0.0, -kInfinity, kInfinity};
  const Vec3 v = way / fastest;
  const double square = squared_norm(v), half = dot(d, v);
  // The squared distance of the line of centres from the sphere of that radius, without the
  // difference of two large squares.
  const Vec3 across = d - v * (half / square);
  const double root = square * (r * r - squared_norm(across));
  if (root < 0.0) return {};
  // The sum that does not cancel first, the other root by their product.
  const double sum = -(half + std::copysign(std::sqrt(root), half));
  double one = sum / square, other = sum != 0.0 ? gap / sum : one;
  if (one > other) std::swap(one, other);
  const double unit = length / fastest;
  return {true, one * unit, other * unit};
}

}  // namespace tactus
