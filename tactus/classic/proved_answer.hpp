#pragma once

#include <algorithm>

#include "tactus/narrow/pair/convex_pair.hpp"

namespace tactus::detail {

/// The answer that one direction and two points prove by themselves: n shows that the signed
/// distance of the cores is at least `value` = -f(n), the points `a` and `b` of the cores that it
/// is at most their distance. Status `converged` when the two meet within `tolerance` (absolute),
/// else `iteration_limit`. The radii shift everything.
inline ConvexAnswer proved_answer(const Cso& cso, const Vec3& n, double value, const Vec3& a,
                                  const Vec3& b, double tolerance) {
  const double radius = cso.a.radius + cso.b.radius;
  ConvexAnswer r;
  r.n = n;
  r.distance = value - radius;
  r.lower = r.distance - cso.error_bound;
  r.upper = std::max(norm(b - a) - radius, r.distance) + cso.error_bound;
  r.core_a = a;
  r.core_b = b;
  r.point_a = a + n * cso.a.radius;
  r.point_b = b - n * cso.b.radius;
  r.status = r.upper - r.lower <= std::max(tolerance, 8.0 * cso.error_bound)
                 ? Status::converged
                 : Status::iteration_limit;
  r.proof = ConvexProof::separation;
  return r;
}

/// Wanted width of the bracket in the unit of the cores.
inline double absolute_tolerance(const Cso& cso, const ConvexOptions& options) {
  return options.tolerance * std::max(cso.a.extent, cso.b.extent);
}

/// A separation of the cores beyond which nothing more is asked: the sign of the grown bodies'
/// distance, or that it exceeds `max_distance`.
inline double enough_separation(const Cso& cso, const ConvexOptions& options) {
  return (options.sign_only ? 0.0 : options.max_distance) + cso.a.radius + cso.b.radius +
         cso.error_bound;
}

}  // namespace tactus::detail
