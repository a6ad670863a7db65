#include "tactus/narrow/convex_pair.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/narrow/closed_form.hpp"
#include "tactus/narrow/sat.hpp"

namespace tactus {
namespace {

// GJK on smooth cores stops at this fraction of the pair's size and leaves the rest to the
// second-order step; each further round asks for a thousandth of the one before.
constexpr double kCoarseGap = 1e-3;
constexpr double kTighten = 1e-3;
constexpr int kRounds = 6;
// A bracket of this many roundings is as narrow as it gets.
constexpr double kDone = 4.0;

struct CoreAnswer {
  Critical critical;
  double inside = -std::numeric_limits<double>::infinity();  ///< proved radius of a ball about the
                                                             ///< origin in A - B
  Status status = Status::converged;
  bool unique = true;
  int iterations = 0;
  bool early = false;  ///< stopped at a proved sign or distance
};

double gap_of(const Critical& c) { return norm(c.simplex.closest()) + c.value; }

// Separated or touching cores. True when the answer is complete, false when the cores may overlap
// (`simplex` is then a start for EPA).
bool solve_separated(const Cso& cso, const ConvexOptions& options, Vec3 start, double tolerance,
                     Simplex& simplex, CoreAnswer& out) {
  const double radius = cso.a.radius + cso.b.radius;
  const bool polytope = cso.is_polytope();
  GjkOptions gjk_options;
  gjk_options.gap = polytope ? 0.0 : std::max(kCoarseGap * cso.size(), tolerance);
  gjk_options.stop_at_sign = options.sign_only && radius == 0.0;
  gjk_options.max_distance = options.max_distance + radius;
  gjk_options.max_iterations = options.max_iterations;
  gjk_options.trace = options.trace;
  for (int round = 0; round < kRounds; ++round) {
    const GjkResult g = gjk(cso, simplex, start, gjk_options);
    out.iterations += g.iterations;
    if (g.outcome == GjkOutcome::overlapping || (g.outcome == GjkOutcome::touching && polytope))
      return false;
    out.critical = {};
    if (g.lower > gjk_options.max_distance ||
        (gjk_options.stop_at_sign && g.lower > cso.rounding) ||
        (options.sign_only &&
         (g.lower - cso.rounding > radius || g.upper + cso.rounding < radius))) {
      out.critical.simplex = simplex;
      out.critical.n = g.direction;
      out.critical.value = -g.lower;
      out.early = true;
      return true;
    }
    out.critical = polish(
        cso, simplex, g.outcome == GjkOutcome::separated ? g.direction : toward_origin(simplex));
    out.iterations += out.critical.iterations;
    if (out.critical.value >= -cso.rounding) return false;
    const double gap = gap_of(out.critical);
    if (gap <= kDone * cso.rounding || round + 1 == kRounds) {
      out.status = gap <= std::max(tolerance, kDone * cso.rounding) ? Status::converged
                   : g.capped                                       ? Status::iteration_limit
                                                                    : Status::precision_limit;
      return true;
    }
    simplex = out.critical.simplex;
    if (simplex.size < 4 && !simplex.contains(out.critical.extreme)) {
      simplex.point[simplex.size++] = out.critical.extreme;
      if (reduce(simplex)) return false;
    }
    gjk_options.gap *= kTighten;
    start = out.critical.n;
  }
  out.status = Status::iteration_limit;
  return true;
}

void solve_overlapping(const Cso& cso, const ConvexOptions& options, double tolerance,
                       const Simplex& simplex, Epa& epa, CoreAnswer& out) {
  EpaOptions epa_options;
  epa_options.gap = cso.is_polytope() ? 0.0 : tolerance;  // exact faces cost no more
  epa_options.stop_at_sign = options.sign_only;
  epa_options.max_iterations = options.max_iterations;
  epa_options.trace = options.trace;
  const EpaResult r =
      epa.run(cso, simplex, out.critical.simplex.size > 0 ? &out.critical : nullptr, epa_options);
  out.iterations += r.iterations;
  out.critical = r.best;
  out.inside = r.lower;
  out.unique = r.unique;
  if (r.outcome == EpaOutcome::iteration_limit) out.status = Status::iteration_limit;
  if (r.outcome == EpaOutcome::precision_limit) out.status = Status::precision_limit;
}

ConvexAnswer assemble(const Cso& cso, const CoreAnswer& core, double tolerance) {
  ConvexAnswer r;
  const double radius = cso.a.radius + cso.b.radius;
  const Critical& c = core.critical;
  r.n = c.n;
  r.core_a = c.simplex.closest_a();
  r.core_b = c.simplex.closest_b();
  r.distance = -c.value - radius;
  r.lower = r.distance - cso.rounding;
  if (core.inside > 0.0) {
    r.proof = ConvexProof::faces;
    r.upper = cso.rounding - core.inside - radius;
  } else {
    r.proof = ConvexProof::separation;
    r.upper = norm(c.simplex.closest()) + cso.rounding - radius;
  }
  r.upper = std::max(r.upper, r.lower);
  r.distance = std::min(r.distance, r.upper);
  r.point_a = r.core_a + r.n * cso.a.radius;
  r.point_b = r.core_b - r.n * cso.b.radius;
  r.status = core.status;
  if (!core.early && r.upper - r.lower <= std::max(tolerance, 8.0 * cso.rounding))
    r.status = Status::converged;
  r.unique = core.unique;
  r.iterations = core.iterations;
  return r;
}

// An answer whose signed distance is known to rounding.
ConvexAnswer exact_answer(const Cso& cso, const ClosedForm& f) {
  ConvexAnswer r;
  const double radius = cso.a.radius + cso.b.radius;
  r.n = f.n;
  r.distance = f.value - radius;
  r.lower = r.distance - cso.rounding;
  r.upper = r.distance + cso.rounding;
  r.core_a = f.a;
  r.core_b = f.b;
  r.point_a = f.a + f.n * cso.a.radius;
  r.point_b = f.b - f.n * cso.b.radius;
  r.proof = f.value >= 0.0 ? ConvexProof::separation : ConvexProof::axes;
  r.closed_form = true;
  r.unique = f.unique;
  r.iterations = 1;
  return r;
}

}  // namespace

ConvexAnswer solve_convex_pair(const Cso& cso, const ConvexOptions& options, Epa& epa) {
  Vec3 start = options.start;
  if (!options.iterative) {
    if (has_closed_form(cso.a.kind, cso.b.kind)) return exact_answer(cso, closed_form(cso));
    if (cso.a.kind == CoreKind::box && cso.b.kind == CoreKind::box) {
      const BoxAxes axes = separate_boxes(cso);
      ClosedForm f{axes.separation, axes.n, {}, {}, axes.unique};
      if (axes.separation < -cso.rounding && box_witnesses(cso, axes, f.a, f.b))
        return exact_answer(cso, f);
      // Apart: the axis is a good first direction. Parallel features: the search finds a pair of
      // points.
      start = axes.n;
    }
  }
  if (start == Vec3{}) {
    start =
        normalized(cso.rotation * cso.b.center + cso.translation - cso.a.center, {0.0, 0.0, 1.0});
  }
  const double extent = std::max(cso.a.extent, cso.b.extent);
  const double tolerance = std::max(options.tolerance * extent, cso.rounding);
  CoreAnswer core;
  Simplex simplex;
  if (!solve_separated(cso, options, start, tolerance, simplex, core)) {
    solve_overlapping(cso, options, tolerance, simplex, epa, core);
  }
  return assemble(cso, core, tolerance);
}

}  // namespace tactus
