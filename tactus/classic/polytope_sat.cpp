#include "tactus/classic/polytope_sat.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/classic/proved_answer.hpp"
#include "tactus/classic/separating_plane.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/narrow/search/gjk.hpp"

namespace tactus::detail {
namespace {

// An edge against a normal of the other body, relative to the edge's length: normals err by a few
// units of 2^-53, edges and their rotation by a few more; taken with a margin of four.
constexpr double kArcSlack = 32.0 * kEpsilon;
// B is moved this many roundings beyond touching to find the witnesses.
constexpr double kLift = 4.0;

double absolute_sum(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

// Which senses of n = sign * (edge x other) may be outward normals at an edge between faces with
// the normals `left` and `right`: n must not leave the arc from one to the other at either end.
struct Senses {
  bool plus = true, minus = true;
};

Senses senses(const Vec3& left, const Vec3& right, const Vec3& other, double slack) {
  // Without branches: nearly every pair fails, in no order that could be predicted.
  const double l = dot(other, left), r = -dot(other, right);
  return {std::min(l, r) >= -slack, std::max(l, r) <= slack};
}

void try_edges(const Cso& cso, const Polytope& a, const Polytope& b, AxisSearch& search) {
  const bool bounded_a = a.dimension() >= 2, bounded_b = b.dimension() >= 2;
  for (std::uint32_t j = 0; j < b.edge_count() && !search.done(); ++j) {
    const ConvexHull::Edge& edge_b = b.edge(j);
    const Vec3 local_tail = b.vertex(edge_b.tail);
    const Vec3 along_b = cso.rotation * (b.vertex(edge_b.head) - local_tail);
    const Vec3 tail_b = cso.rotation * local_tail + cso.translation;
    const double slack_b = kArcSlack * absolute_sum(along_b);
    const double length_b = norm(along_b);
    Vec3 left_b, right_b;
    if (bounded_b) {
      left_b = cso.rotation * b.normal(b.left(j));
      right_b = cso.rotation * b.normal(b.right(j));
    }
    for (std::uint32_t i = 0; i < a.edge_count() && !search.done(); ++i) {
      // n = sign * (along_a x along_b) is normal to A's edge, -n = sign * (along_b x along_a) to
      // B's.
      Senses at_a, at_b;
      if (bounded_a) at_a = senses(a.normal(a.left(i)), a.normal(a.right(i)), along_b, slack_b);
      if (!at_a.plus && !at_a.minus) continue;
      const Vec3 tail_a = a.vertex(a.edge(i).tail);
      const Vec3 along_a = a.vertex(a.edge(i).head) - tail_a;
      if (bounded_b) at_b = senses(left_b, right_b, along_a, kArcSlack * absolute_sum(along_a));
      const bool plus = at_a.plus && at_b.plus, minus = at_a.minus && at_b.minus;
      if (!plus && !minus) continue;
      const Vec3 normal = cross(along_a, along_b);
      const double area = norm(normal);
      // A parallelogram narrower than rounding gains nothing over its neighbours.
      if (area <= cso.error_bound * std::max(norm(along_a), length_b)) continue;
      const Vec3 n = normal / area;
      if (plus) search.consider(n, tail_a - tail_b);
      if (minus) search.consider(-n, tail_a - tail_b);
    }
  }
}

AxisSearch search_axes(const Cso& cso, double enough, int most, const Vec3& first = {},
                       Observer* observer = nullptr) {
  const Polytope a(cso.a);
  const Polytope b(cso.b);
  AxisSearch search(cso, enough, most, "sat", observer);
  search.consider_first(first);
  try_face_planes(cso, a, b, search);
  try_edges(cso, a, b, search);
  return search;
}

// Nearest points once B is moved along n until it is barely clear: those of the overlap, and of a
// gap whose nearest features are the axis' own; where features are parallel, some pair of points.
void find_witnesses(const Cso& cso, const BoxAxes& axes, Vec3& a, Vec3& b) {
  const Vec3 shift = axes.n * (kLift * cso.error_bound - axes.separation);
  const Cso apart = cso.seen_from(shift);
  Simplex simplex;
  gjk(apart, simplex, axes.n, {});
  a = simplex.closest_a();
  b = simplex.closest_b() - shift;
}

}  // namespace

bool has_polytope_axes(const Core& a, const Core& b) {
  if (!a.is_polytope() || !b.is_polytope()) return false;
  const Polytope pa(a);
  const Polytope pb(b);
  return (pa.dimension() == 3 || pb.dimension() == 3) &&
         static_cast<std::size_t>(pa.edge_count()) * pb.edge_count() <= kMostEdgePairs;
}

BoxAxes separate_polytopes(const Cso& cso, double enough) {
  return search_axes(cso, enough, std::numeric_limits<int>::max()).best();
}

ConvexAnswer answer_by_polytope_axes(const Cso& cso, const ConvexOptions& options) {
  const AxisSearch search = search_axes(cso, enough_separation(cso, options),
                                        options.max_iterations, options.start, options.observer);
  const BoxAxes& axes = search.best();
  Vec3 a, b;
  find_witnesses(cso, axes, a, b);
  ConvexAnswer r =
      proved_answer(cso, axes.n, axes.separation, a, b, absolute_tolerance(cso, options));
  r.unique = axes.unique;
  r.iterations = search.evaluations();
  if (axes.separation < -cso.error_bound && search.complete()) {
    r.upper = r.distance + cso.error_bound;
    r.status = Status::converged;
    r.proof = ConvexProof::axes;
  }
  return r;
}

}  // namespace tactus::detail
