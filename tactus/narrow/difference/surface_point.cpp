#include "tactus/narrow/difference/surface_point.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/mesh.hpp"
#include "tactus/narrow/difference/core.hpp"

namespace tactus::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Rounding of a product with a vector between two points of a core, in parts of its reach.
constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();

// Between the ends the surface looks across the segment, at an end along n too: whichever moves the
// point of the grown body less.
SurfacePoint onto_segment(double half, double radius, const Vec3& p, const Vec3& n) {
  const double z = std::clamp(p.z, -half, half), end = std::copysign(half, n.z);
  const Vec3 across = normalized(Vec3{n.x, n.y, 0.0}, n);
  if (std::fabs(end - z) <= radius * norm(n - across)) return {{0.0, 0.0, end}, n};
  return {{0.0, 0.0, z}, across};
}

SurfacePoint onto_box(const Vec3& half, Vec3 p) {
  int axis = 0;
  double least = kInfinity;
  for (int i = 0; i < 3; ++i) {
    const double depth = half[i] - std::fabs(p[i]);
    if (depth < least) {
      least = depth;
      axis = i;
    }
  }
  Vec3 normal;
  normal[axis] = std::copysign(1.0, p[axis]);
  p[axis] = std::copysign(half[axis], p[axis]);
  return {p, normal};
}

SurfacePoint onto_cylinder(const Core& core, const Vec3& p) {
  const double radius = core.half.x, across = std::sqrt(p.x * p.x + p.y * p.y);
  if (across > 0.0 && radius - across <= core.half.z - std::fabs(p.z)) {
    const Vec3 out{p.x / across, p.y / across, 0.0};
    return {{out.x * radius, out.y * radius, p.z}, out};
  }
  return {{p.x, p.y, std::copysign(core.half.z, p.z)}, {0.0, 0.0, std::copysign(1.0, p.z)}};
}

// In the half-plane of the point: to the slanted line from apex to rim or to the base.
SurfacePoint onto_cone(const Core& core, const Vec3& p) {
  const double radius = core.half.x, half = core.half.z;
  const double across = std::sqrt(p.x * p.x + p.y * p.y);
  const double slant = std::sqrt(radius * radius + 4.0 * half * half);
  // Outward normal of the slanted line: (2 half, radius) / slant.
  const double depth = ((half - p.z) * radius - across * 2.0 * half) / slant;
  if (!(across > 0.0) || !(slant > 0.0) || p.z + half < depth)
    return {{p.x, p.y, -half}, {0.0, 0.0, -1.0}};
  const double side = 2.0 * half / slant, up = radius / slant;
  const Vec3 normal{p.x / across * side, p.y / across * side, up};
  return {p + normal * depth, normal};
}

SurfacePoint onto_hull(const ConvexHull& hull, const Vec3& p) {
  double least = kInfinity;
  Vec3 normal;
  for (const ConvexHull::Face& face : hull.faces) {
    const double depth = face.offset - dot(face.normal, p);
    if (depth < least) {
      least = depth;
      normal = face.normal;
    }
  }
  return {p + normal * least, normal};
}

}  // namespace

SurfacePoint onto_core_surface(const Core& core, const Vec3& point, const Vec3& n) {
  switch (core.kind) {
    case CoreKind::point:
      return {{}, n};
    case CoreKind::segment:
      return onto_segment(core.half.z, core.radius, point, n);
    case CoreKind::triangle:
      return {point, n};
    case CoreKind::box:
      return onto_box(core.half, point);
    case CoreKind::polytope:
      return core.hull->dimension == 3 ? onto_hull(*core.hull, point) : SurfacePoint{point, n};
    case CoreKind::cylinder:
      return onto_cylinder(core, point);
    case CoreKind::cone:
      return onto_cone(core, point);
    case CoreKind::ellipsoid:
    case CoreKind::custom:
      break;
  }
  return {support(core, n).point, n};
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

}  // namespace tactus::detail
