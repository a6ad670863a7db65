#include "tactus/narrow/pair/triangle_core.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/narrow/formula/triangle_box.hpp"

namespace tactus::detail {
namespace {

// Error bound of a closed form, relative to the lengths that enter it (triangle_distance.hpp), with
// a margin for the turning of the core and of its answer.
constexpr double kRounding = 3e-14;
// Height of a triangle over its longest edge below which it is a sliver: its normal is off by more
// roundings than kRounding has.
constexpr double kLeastHeight = 0.03;
// The part of kRounding by which a direction may prove less than the distance.
constexpr double kShown = 0.1;

double absolute_sum(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

// The distance of the core, grown by its ball. `a` of the triangle, `b` of the core.
ConvexAnswer grown(double distance, const Vec3& n, const Vec3& a, const Vec3& b, const Core& core,
                   double rounding, bool unique) {
  ConvexAnswer r;
  r.n = n;
  r.distance = distance - core.radius;
  r.lower = r.distance - rounding;
  r.upper = r.distance + rounding;
  r.core_a = r.point_a = a;
  r.core_b = b;
  r.point_b = b - n * core.radius;
  r.proof = ConvexProof::separation;
  r.closed_form = true;
  r.unique = unique;
  r.iterations = 1;
  return r;
}

// The formulas have the core first.
ConvexAnswer of_formula(const TriangleDistance& d, const Triangle& t, const Core& core,
                        double rounding) {
  if (!d.meets && d.distance > 0.0)
    return grown(d.distance, -d.n, d.b, d.a, core, rounding, d.unique);
  // In the plane of the triangle: out along its normal, on either side.
  const Vec3 normal = normalized(cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]));
  return grown(0.0, normal, d.b, d.b, core, rounding, false);
}

// The core's lowest point over the triangle's plane: of a core on one side of it, and of one that
// passes it by less than any other way out is long. False where neither is sure; `answer.n` is the
// normal then.
bool answer_over_face(const Triangle& t, const Core& core, const Mat3& rotation, double rounding,
                      double max_distance, ConvexAnswer& answer) {
  const auto& corner = t.corner;
  const Vec3 across = cross(corner[1] - corner[0], corner[2] - corner[0]);
  const double length = norm(across);
  if (!(length > 0.0)) return false;
  const Vec3 middle = rotation * core.center;
  const double side = dot(across, middle - corner[0]) < 0.0 ? -1.0 : 1.0;
  const Vec3 n = across * (side / length);
  answer.n = n;
  const Vec3 low = rotation * support(core, transpose_times(rotation, -n)).point;
  const double height = dot(n, low - corner[0]);
  const Vec3 foot = low - n * height;
  const auto holds = [&](const Vec3& p) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3& from = corner[i];
      if (!(side * dot(cross(n, corner[i < 2 ? i + 1 : 0] - from), p - from) > 0.0)) return false;
    }
    return true;
  };
  // The normal of a sliver is not known well enough.
  double longest = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    longest = std::max(longest, squared_norm(corner[i < 2 ? i + 1 : 0] - corner[i]));
  if (!(length > kLeastHeight * longest)) return false;
  // Farther than is asked for: the plane proves it.
  if (height - core.radius - rounding > max_distance) {
    answer = grown(height, n, low - n * height, low, core, rounding, false);
    answer.upper = std::numeric_limits<double>::infinity();
    return true;
  }
  if (!holds(foot)) return false;
  if (height <= rounding) {
    // Some differences of points of the two make a pyramid: its base at the depth along n,
    // its top as far behind as the core's middle is above. A ball about the origin inside of it
    // shows that no way out is shorter than its radius.
    const Vec3 over = middle - n * dot(n, middle - corner[0]);
    const Vec3 top = (holds(over) ? over : foot) - middle;
    const double depth = 2.0 * rounding - height;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 u = corner[i] - low - top, v = corner[i < 2 ? i + 1 : 0] - low - top;
      const Vec3 inward = cross(u, v) * side;
      const double away = -dot(inward, top);
      if (!(away > 0.0 && away * away >= depth * depth * squared_norm(inward))) return false;
    }
  }
  answer = grown(height, n, foot, low, core, rounding, false);
  if (height <= rounding) answer.proof = ConvexProof::faces;
  return true;
}

}  // namespace

Core core_of(const Triangle& triangle) {
  Core c;
  c.kind = CoreKind::triangle;
  c.corners = triangle.corner;
  const Vec3 *p = triangle.corner, low = component_min(p[0], component_min(p[1], p[2])),
             high = component_max(p[0], component_max(p[1], p[2]));
  c.center = (p[0] + p[1] + p[2]) / 3.0;
  c.reach = absolute_sum(component_max(component_abs(low), component_abs(high)));
  c.extent = max_abs(high - low);
  return c;
}

ConvexAnswer triangle_to_core(const Triangle& triangle, const Core& core, const Mat3& rotation,
                              const TriangleCoreOptions& options, Epa& epa) {
  double reach = 0.0;
  for (const Vec3& corner : triangle.corner) reach = std::max(reach, absolute_sum(corner));
  const double rounding = kRounding * (reach + core.reach + core.radius);
  ConvexAnswer face;
  if (options.over_face && core.kind != CoreKind::point &&
      answer_over_face(triangle, core, rotation, rounding, options.max_distance, face))
    return face;
  switch (core.kind) {
    case CoreKind::point:
      return of_formula(point_to_triangle({}, triangle), triangle, core, rounding);
    case CoreKind::segment: {
      const Vec3 end = rotation.column(2) * core.half.z;
      const TriangleDistance d = segment_to_triangle(end, -end, triangle);
      if (!d.meets && d.distance > rounding) return of_formula(d, triangle, core, rounding);
      break;
    }
    case CoreKind::box: {
      const Triangle turned{{transpose_times(rotation, triangle.corner[0]),
                             transpose_times(rotation, triangle.corner[1]),
                             transpose_times(rotation, triangle.corner[2])}};
      const TriangleSeparation s = triangle_to_box(turned, core.half);
      if (s.value > rounding && s.value - s.shown <= kShown * rounding) {
        return grown(s.value, rotation * s.n, rotation * s.a, rotation * s.b, core, rounding,
                     s.unique);
      }
      break;
    }
    default:
      break;
  }
  const Cso cso(core_of(triangle), Pose(), core, detail::unchecked_pose({}, rotation));
  ConvexOptions convex;
  convex.tolerance = options.tolerance;
  convex.max_distance = options.max_distance;
  convex.max_iterations = options.max_iterations;
  if (options.over_face) convex.start = face.n;
  return search_pair(cso, convex, epa);
}

}  // namespace tactus::detail
