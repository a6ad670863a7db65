#include "tactus/classic/bounded_answer.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/math/predicates.hpp"

namespace tactus::detail {
namespace {

// A bracket of this many roundings is as narrow as it gets.
constexpr double kLeastWidth = 8.0;

// A lower bound of the origin's distance from the triangle, on whose inner side it lies: every
// point of the triangle is at least as far along any unit vector as the nearest corner.
double height(const Vec3& a, const Vec3& b, const Vec3& c, int inner_side) {
  const Vec3 normal = cross(b - a, c - a);
  const Vec3 n = normalized(inner_side > 0 ? -normal : normal);
  return std::min({dot(n, a), dot(n, b), dot(n, c)});
}

}  // namespace

double enclosed_radius(const Simplex& simplex) {
  constexpr double kNot = -std::numeric_limits<double>::infinity();
  if (simplex.size != 4) return kNot;
  const Vec3 w[4] = {simplex.point[0].w, simplex.point[1].w, simplex.point[2].w,
                     simplex.point[3].w};
  const int whole = orient3d(w[0], w[1], w[2], w[3]);
  if (whole == 0) return kNot;
  // The faces opposite to each corner, that corner on the side of `whole` or its opposite.
  constexpr int kFace[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
  double radius = std::numeric_limits<double>::infinity();
  for (const auto& face : kFace) {
    const Vec3 &a = w[face[0]], &b = w[face[1]], &c = w[face[2]];
    if (orient3d(a, b, c, Vec3{}) * whole < 0) return kNot;
    radius = std::min(radius, height(a, b, c, whole));
  }
  return radius;
}

ConvexAnswer bounded_answer(const Cso& cso, const ConvexOptions& options, const Bounds& bounds) {
  ConvexAnswer r;
  r.n = bounds.n;
  r.point_a = bounds.a;
  r.point_b = bounds.b;
  r.core_a = bounds.a - bounds.n * cso.a.radius;
  r.core_b = bounds.b + bounds.n * cso.b.radius;
  r.distance = -bounds.value;
  r.lower = r.distance - cso.error_bound;
  r.upper = bounds.inside > cso.error_bound ? cso.error_bound - bounds.inside
                                            : norm(bounds.b - bounds.a) + cso.error_bound;
  r.upper = std::max(r.upper, r.lower);
  r.distance = std::min(r.distance, r.upper);
  const double tolerance = std::max(options.tolerance * std::max(cso.a.extent, cso.b.extent),
                                    kLeastWidth * cso.error_bound);
  const double width = r.upper - r.lower;
  const double size = cso.size() + (cso.a.radius + cso.b.radius);
  const bool whole = width <= tolerance && norm(r.point_b - r.point_a - r.n * r.distance) <=
                                               std::min(witness_tolerance(width, size), tolerance);
  const bool enough =
      r.lower > options.max_distance || (options.sign_only && (r.lower > 0.0 || r.upper <= 0.0));
  r.status = whole || enough ? Status::converged
             : bounds.capped ? Status::iteration_limit
                             : Status::precision_limit;
  r.iterations = bounds.iterations;
  return r;
}

}  // namespace tactus::detail
