#include "tactus/narrow/surface_point.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/mesh/convex_hull.hpp"
#include "tactus/narrow/core.hpp"

namespace tactus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Rounding of a product with a vector between two points of a core, in parts of its reach.
constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();

Vec3 onto_box(const Vec3& half, Vec3 p) {
  int axis = 0;
  double least = kInfinity;
  for (int i = 0; i < 3; ++i) {
    const double depth = half[i] - std::fabs(p[i]);
    if (depth < least) {
      least = depth;
      axis = i;
    }
  }
  p[axis] = std::copysign(half[axis], p[axis]);
  return p;
}

Vec3 onto_cylinder(const Core& core, Vec3 p) {
  const double radius = core.half.x, across = std::sqrt(p.x * p.x + p.y * p.y);
  if (across > 0.0 && radius - across <= core.half.z - std::fabs(p.z)) {
    p.x *= radius / across;
    p.y *= radius / across;
  } else {
    p.z = std::copysign(core.half.z, p.z);
  }
  return p;
}

// In the half-plane of the point: to the slanted line from apex to rim or to the base.
Vec3 onto_cone(const Core& core, Vec3 p) {
  const double radius = core.half.x, half = core.half.z;
  const double across = std::sqrt(p.x * p.x + p.y * p.y);
  const double slant = std::sqrt(radius * radius + 4.0 * half * half);
  if (!(slant > 0.0)) return p;
  // Outward normal of the slanted line: (2 half, radius) / slant.
  const double depth = ((half - p.z) * radius - across * 2.0 * half) / slant;
  if (p.z + half < depth || !(across > 0.0)) {
    p.z = -half;
    return p;
  }
  const double out = across + depth * 2.0 * half / slant;
  p.x *= out / across;
  p.y *= out / across;
  p.z += depth * radius / slant;
  return p;
}

Vec3 onto_hull(const ConvexHull& hull, const Vec3& p) {
  double least = kInfinity;
  Vec3 way;
  for (const ConvexHull::Face& face : hull.faces) {
    const double depth = face.offset - dot(face.normal, p);
    if (depth < least) {
      least = depth;
      way = face.normal * depth;
    }
  }
  return p + way;
}

}  // namespace

Vec3 onto_core_surface(const Core& core, const Vec3& point, const Vec3& n) {
  switch (core.kind) {
    case CoreKind::point:
      return {};
    case CoreKind::segment:
      return {0.0, 0.0, std::clamp(point.z, -core.half.z, core.half.z)};
    case CoreKind::triangle:
      return point;
    case CoreKind::box:
      return onto_box(core.half, point);
    case CoreKind::polytope:
      return core.hull->dimension == 3 ? onto_hull(*core.hull, point) : point;
    case CoreKind::cylinder:
      return onto_cylinder(core, point);
    case CoreKind::cone:
      return onto_cone(core, point);
    case CoreKind::ellipsoid:
    case CoreKind::custom:
      break;
  }
  return support(core, n).point;
}

Vec3 supported_normal(const Core& core, const Vec3& point, const Vec3& face_normal, const Vec3& n) {
  if (core.kind != CoreKind::polytope || core.hull->dimension != 3) return n;
  const double rounding = kRounding * core.reach;
  double part = 1.0;
  for (const Vec3& v : core.hull->vertices) {
    const double there = dot(n, point - v);
    if (there >= -rounding) continue;
    const double here = std::max(dot(face_normal, point - v), 0.0);
    part = std::min(part, here / (here - there));
  }
  return part < 1.0 ? normalized(face_normal + (n - face_normal) * part, face_normal) : n;
}

}  // namespace tactus
