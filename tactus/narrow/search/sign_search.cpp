#include "tactus/narrow/search/sign_search.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/narrow/difference/cso.hpp"
#include "tactus/narrow/difference/kink_model.hpp"
#include "tactus/narrow/difference/simplex.hpp"
#include "tactus/narrow/difference/start_direction.hpp"
#include "tactus/narrow/search/smooth_search.hpp"

namespace tactus::detail {
namespace {

// Most support points: random pairs take five in the mean, and what is not decided by then nearly
// touches.
constexpr int kMostSteps = 16;
// Squared lengths below this are of underflowed components.
constexpr double kLeastSquare = 1e-280;
// Directions of larger squared length, or smaller than its inverse, are made unit vectors: support
// points take squares of them again.
constexpr double kMostSquare = 1e60;
// A sign counts as proved when it stands this many rounding bounds clear of zero.
constexpr double kClear = 2.0;

// Farthest point of a core along n, of any length `length`.
inline Vec3 farthest(const Core& core, const Vec3& n, double length) {
  switch (core.kind) {
    case CoreKind::point:
    case CoreKind::custom:
      break;
    case CoreKind::segment:
      return {0.0, 0.0, std::copysign(core.half.z, n.z)};
    case CoreKind::box:
      return {std::copysign(core.half.x, n.x), std::copysign(core.half.y, n.y),
              std::copysign(core.half.z, n.z)};
    case CoreKind::triangle:
      return support(core, n).point;
    case CoreKind::polytope:
      return *farthest_vertex(*core.hull, n).point;
    case CoreKind::cylinder: {
      const double square = n.x * n.x + n.y * n.y;
      const double scale = square > 0.0 ? core.half.x / std::sqrt(square) : 0.0;
      return {n.x * scale, n.y * scale, std::copysign(core.half.z, n.z)};
    }
    case CoreKind::cone: {
      const double across = std::sqrt(n.x * n.x + n.y * n.y);
      if (2.0 * core.half.z * n.z > core.half.x * across) return {0.0, 0.0, core.half.z};
      const double scale = across > 0.0 ? core.half.x / across : 0.0;
      return {n.x * scale, n.y * scale, -core.half.z};
    }
    case CoreKind::ellipsoid: {
      const Vec3 scaled = component_product(core.half, n);
      const double square = squared_norm(scaled);
      if (!(square > 0.0)) return {};
      return component_product(core.half, scaled) * (1.0 / std::sqrt(square)) -
             n * (core.shrink / length);
    }
  }
  return {};
}

// Up to four points, the newest last, and the part of their hull that faces the origin.
struct Points {
  Vec3 p[4];
  int size = 0;
  double square = 0.0;  ///< of the ball's radius
  bool near = false;    ///< the ball holds a point of that part

  // Each of the following keeps that part and returns the direction from it towards the origin, of
  // any length. The newest point comes first.

  Vec3 from_corner(const Vec3& a) {
    p[0] = a;
    size = 1;
    near = squared_norm(a) < square;
    return -a;
  }

  Vec3 from_edge(const Vec3& a, const Vec3& b) {
    const Vec3 ab = b - a;
    if (!(dot(a, ab) < 0.0)) return from_corner(a);
    p[0] = b;
    p[1] = a;
    size = 2;
    const Vec3 across = cross(a, ab);
    near = squared_norm(across) < square * squared_norm(ab);
    return cross(across, ab);
  }

  Vec3 from_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a;
    const Vec3 ac = c - a;
    const Vec3 normal = cross(ab, ac);
    if (dot(cross(normal, ac), a) < 0.0)
      return dot(a, ac) < 0.0 ? from_edge(a, c) : from_edge(a, b);
    if (dot(cross(ab, normal), a) < 0.0) return from_edge(a, b);
    p[0] = c;
    p[1] = b;
    p[2] = a;
    size = 3;
    const double height = dot(normal, a);
    near = height * height < square * squared_norm(normal);
    return height > 0.0 ? -normal : normal;
  }

  // Zero when the tetrahedron holds the origin.
  Vec3 from_tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 ab = b - a;
    const Vec3 ac = c - a;
    const Vec3 ad = d - a;
    const Vec3 abc = cross(ab, ac);
    const Vec3 acd = cross(ac, ad);
    const Vec3 adb = cross(ad, ab);
    // The origin lies inward of the fourth face, b c d: the newest point, a, was sought beyond it.
    const double outward = dot(abc, ad) < 0.0 ? 1.0 : -1.0;
    if (outward * dot(abc, a) < 0.0) return from_triangle(a, b, c);
    if (outward * dot(acd, a) < 0.0) return from_triangle(a, c, d);
    if (outward * dot(adb, a) < 0.0) return from_triangle(a, d, b);
    return {};
  }

  Vec3 next_direction() {
    // Copies: the points are rearranged in place.
    const Vec3 a = p[size - 1];
    if (size == 1) return from_corner(a);
    const Vec3 b = p[size - 2];
    if (size == 2) return from_edge(a, b);
    const Vec3 c = p[size - 3];
    if (size == 3) return from_triangle(a, b, c);
    const Vec3 d = p[0];
    return from_tetrahedron(a, b, c, d);
  }

  // Radius of a ball about the origin inside the points' hull grown by `ball`; rounded down.
  // Measured by a point of the hull, however rounding has chosen the part that faces the origin:
  // lines and planes pass nearer than the edges and triangles on them.
  double inner_radius(double ball) const {
    switch (size) {
      case 1:
        return ball - norm(p[0]);
      case 2: {
        const Vec3 edge = p[0] - p[1];
        const double along = -dot(p[1], edge) / squared_norm(edge);
        return ball - norm(p[1] + edge * std::fmin(std::fmax(along, 0.0), 1.0));
      }
      case 3: {
        const Vec3 normal = cross(p[1] - p[0], p[2] - p[0]);
        const double u = std::fmax(dot(cross(p[1], p[2]), normal), 0.0);
        const double v = std::fmax(dot(cross(p[2], p[0]), normal), 0.0);
        const double w = std::fmax(dot(cross(p[0], p[1]), normal), 0.0);
        const double total = (u + v) + w;
        return ball - norm((p[0] * (u / total) + p[1] * (v / total)) + p[2] * (w / total));
      }
      default:
        return detail::inner_radius(p);
    }
  }
};

}  // namespace

bool search_sign(const Core& a, const Pose& pose_a, const Core& b, const Pose& pose_b,
                 const SignOptions& options, SignAnswer& out) {
  const Vec3& start = options.start;
  const int max_iterations = options.max_iterations;
  const Mat3 rotation = transpose_times(pose_a.rotation(), pose_b.rotation());
  const Vec3 translation = pose_a.to_local(pose_b.position());
  if (options.steps &&
      search_smooth_sign(a, b, rotation, translation, start, max_iterations, out)) {
    return true;
  }
  const double rounding = rounding_bound(a, b, translation);
  const double ball = a.radius + b.radius;
  const bool polytope = a.kind == CoreKind::polytope || b.kind == CoreKind::polytope;
  const int steps = std::min(kMostSteps, max_iterations);
  bool given = !(start == Vec3{});
  Vec3 n = given ? start : start_direction(a, b, rotation, translation).n;
  Points points;
  points.square = ball * ball;
  for (int step = 1; step <= steps; ++step) {
    double square = squared_norm(n);
    // No direction, or one whose length means nothing.
    if (!(square > kLeastSquare)) return false;
    if (!(square > 1.0 / kMostSquare && square < kMostSquare)) {
      n = n * (1.0 / std::sqrt(square));
      square = 1.0;
    }
    const double length = ball > 0.0 ? std::sqrt(square) : 0.0;
    const Vec3 m = -transpose_times(rotation, n);
    DirectionMap::Found of_a, of_b;
    const bool both = farthest_of_both(a, n, b, m, of_a, of_b);
    const Vec3 point_a = both ? *of_a.point : farthest(a, n, length);
    const Vec3 point_b = rotation * (both ? *of_b.point : farthest(b, m, length)) + translation;
    const Vec3 w = point_a - point_b;
    const double value = dot(n, w) + ball * length;
    const bool apart = value < 0.0;
    const Vec3 along = n;
    // The first farthest points of hulls: one of them inside the other body's ellipsoid shows a
    // deep overlap at once.
    const double room =
        !apart && polytope && points.size == 0
            ? std::max(inner_radius_at(b, transpose_times(rotation, point_a - translation)),
                       inner_radius_at(a, point_b))
            : 0.0;
    const bool within = room > kClear * rounding;
    if (!apart && !within && given) {
      // A direction that decides nothing at once comes from elsewhere, as a rule.
      given = false;
      n = start_direction(a, b, rotation, translation).n;
      continue;
    }
    if (!apart && !within) {
      points.p[points.size++] = w;
      n = points.next_direction();
      if (!points.near && n != Vec3{}) continue;
    }
    // Decided, unless rounding could undo it.
    const double scale = 1.0 / std::sqrt(square);
    const double f = value * scale;
    const double inside = apart ? -f : within ? room : points.inner_radius(ball);
    if (!(inside > kClear * rounding)) return false;
    out.n = along * scale;
    out.point_a = point_a + out.n * a.radius;
    out.point_b = point_b - out.n * b.radius;
    out.lower = -f - rounding;
    out.upper =
        apart ? std::max(norm(out.point_a - out.point_b), -f) + rounding : rounding - inside;
    out.iterations = step;
    return true;
  }
  return false;
}

}  // namespace tactus::detail
