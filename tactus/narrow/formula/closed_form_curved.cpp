#include "tactus/narrow/formula/closed_form_curved.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tactus::detail {
namespace {

constexpr int kNewtonSteps = 60;
// A radius below this part of the pair's rounding is nothing, but quotients by it leave the range
// of double.
constexpr double kThinnest = 1e-26;
// A normal with a larger component along an axis on whose plane of symmetry the point lies has an
// equally good mirror image.
constexpr double kMirrored = 1e-6;

// The half-plane of the axis (z) and the point: x is the distance from the axis.
struct HalfPlane {
  double x = 0.0, z = 0.0;
  double rounding = 0.0;
  Vec3 radial{1.0, 0.0, 0.0};

  HalfPlane(const Vec3& p, double r) : x(std::sqrt(p.x * p.x + p.y * p.y)), z(p.z), rounding(r) {
    if (x > 0.0) radial = {p.x / x, p.y / x, 0.0};
  }
  PointToCurved side(double value, double normal_x, double normal_z) const {
    return {value, {radial.x * normal_x, radial.y * normal_x, normal_z}, true};
  }
  PointToCurved corner(double dx, double dz) const {
    // Where the squares of tiny lengths underflow, the value is 0 and the direction still right.
    const Vec3 to_corner = normalized(Vec3{dx, 0.0, dz});
    return side(std::sqrt(dx * dx + dz * dz), to_corner.x, to_corner.z);
  }
  // Inside: the nearer of the mantle and a flat end. Both far from unique on the axis, and where
  // they are equally near.
  PointToCurved inside(const PointToCurved& mantle, const PointToCurved& end) const {
    PointToCurved r = mantle.value >= end.value ? mantle : end;
    r.unique = std::fabs(mantle.value - end.value) > rounding &&
               (mantle.value < end.value || x > rounding);
    return r;
  }
};

PointToCurved from_cylinder(const Vec3& half, const HalfPlane& p) {
  const double up = p.z < 0.0 ? -1.0 : 1.0;
  const double dx = p.x - half.x;
  const double dz = std::fabs(p.z) - half.z;
  if (dx > 0.0 && dz > 0.0) return p.corner(dx, up * dz);
  const PointToCurved mantle = p.side(dx, 1.0, 0.0);
  const PointToCurved end = p.side(dz, 0.0, up);
  if (dx > 0.0) return mantle;
  if (dz > 0.0) return end;
  PointToCurved r = p.inside(mantle, end);
  // Half-way between the ends.
  if (dz >= dx && std::fabs(p.z) <= p.rounding) r.unique = false;
  return r;
}

PointToCurved from_cone(const Vec3& half, const HalfPlane& p) {
  const double length = 2.0 * half.z;
  const double slant = std::sqrt(half.x * half.x + length * length);
  const double below_apex = half.z - p.z;
  if (!(slant > 0.0)) return p.x > 0.0 || p.z != 0.0 ? p.corner(p.x, p.z) : p.side(0.0, 0.0, 1.0);
  // Along the slanted line from the apex, and above it.
  const double along = (p.x * half.x + below_apex * length) / slant;
  const double height = (p.x * length - below_apex * half.x) / slant;
  const double base = -half.z - p.z;
  if (along < 0.0) return p.corner(p.x, -below_apex);
  if (p.x > half.x && (base > 0.0 || along > slant)) return p.corner(p.x - half.x, -base);
  const PointToCurved mantle = p.side(height, length / slant, half.x / slant);
  const PointToCurved end = p.side(base, 0.0, -1.0);
  if (base > 0.0) return end;
  if (height > 0.0) return mantle;
  return p.inside(mantle, end);
}

// With s >= 0 the distance parameter from the focal plane of the shortest axis, the foot x of p has
// x_i = r_i^2 p_i / (s + g_i), g_i = r_i^2 - least^2, and s is the root of
// F(s) = sum (r_i p_i / (s + g_i))^2 - 1, which falls and is convex.
PointToCurved from_ellipsoid(const Core& core, const Vec3& p, double rounding) {
  const double thinnest = kThinnest * rounding;
  const Vec3 radii = component_max(core.half, {thinnest, thinnest, thinnest});
  int shortest = 0;
  for (int i = 1; i < 3; ++i) {
    if (radii[i] < radii[shortest]) shortest = i;
  }
  const double least = radii[shortest];
  std::array<double, 3> gap{}, moment{};
  // Where one term alone is 1, F is not negative: the root is farther.
  double s = 0.0;
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    gap[k] = (radii[i] - least) * (radii[i] + least);
    // A coordinate of denormal size has lost its digits.
    const double along = std::fabs(p[i]);
    moment[k] = along > thinnest ? radii[i] * along : 0.0;
    s = std::max(s, moment[k] - gap[k]);
  }
  for (int step = 0; step < kNewtonSteps; ++step) {
    double value = -1.0, slope = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(moment[k] > 0.0)) continue;
      const double term = moment[k] / (s + gap[k]);
      value += term * term;
      slope -= 2.0 * term * term / (s + gap[k]);
    }
    if (!(value > 0.0)) break;
    const double next = s - value / slope;
    if (!(next > s)) break;
    s = next;
  }
  // The outward normal x_i / r_i^2; what the other axes leave of the level belongs to the shortest
  // one where the point lies on its plane of symmetry.
  Vec3 normal;
  double rest = 1.0;
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!(moment[k] > 0.0)) continue;
    normal[i] = p[i] / (s + gap[k]);
    const double term = moment[k] / (s + gap[k]);
    rest -= term * term;
  }
  if (!(moment[static_cast<std::size_t>(shortest)] > 0.0) && rest > 0.0 && s == 0.0)
    normal[shortest] = std::sqrt(rest) / least;
  PointToCurved r;
  r.outward = normalized(normal);
  // The value is stationary in the normal: its rounding enters squared.
  const double to_surface = dot(r.outward, p) - norm(component_product(radii, r.outward));
  r.value = to_surface + core.shrink;
  for (int i = 0; i < 3; ++i) {
    if (to_surface < 0.0 && std::fabs(p[i]) <= rounding && std::fabs(r.outward[i]) > kMirrored)
      r.unique = false;
  }
  return r;
}

}  // namespace

PointToCurved point_to_curved(const Core& core, const Vec3& p, double rounding) {
  if (core.kind == CoreKind::ellipsoid) return from_ellipsoid(core, p, rounding);
  const HalfPlane plane(p, rounding);
  return core.kind == CoreKind::cone ? from_cone(core.half, plane)
                                     : from_cylinder(core.half, plane);
}

}  // namespace tactus::detail
