#include "tactus/narrow/gjk.hpp"

#include <algorithm>

namespace tactus {
namespace {

void report(const GjkOptions& options, const GjkResult& r, const SupportPoint& p,
            const Simplex& s) {
  TraceStep step;
  step.algorithm = "gjk";
  step.iteration = r.iterations;
  step.direction = p.direction;
  step.support = p.w;
  step.simplex_size = s.size;
  for (int i = 0; i < s.size; ++i) step.simplex[i] = s.point[i].w;
  step.lower = r.lower;
  step.upper = r.upper;
  options.trace->step(step);
}

}  // namespace

GjkResult gjk(const Cso& cso, Simplex& simplex, const Vec3& start, const GjkOptions& options) {
  GjkResult r;
  const double gap = std::max(options.gap, cso.rounding);
  r.direction = start;
  if (simplex.size == 0) {
    simplex.point[0] = cso.support(start);
    simplex.size = 1;
    r.lower = -dot(start, simplex.point[0].w);
    ++r.iterations;
  }
  reduce(simplex);
  r.upper = norm(simplex.closest());
  while (true) {
    if (r.upper <= cso.rounding) return r;
    const Vec3 n = toward_origin(simplex);
    const SupportPoint& last = simplex.point[simplex.size - 1];
    const SupportPoint p = cso.support(n, last.piece_a, last.piece_b);
    ++r.iterations;
    const double lower = -dot(n, p.w);
    if (lower > r.lower) {
      r.lower = lower;
      r.direction = n;
    }
    if (options.trace != nullptr) report(options, r, p, simplex);
    const bool apart = r.lower > cso.rounding;
    if (r.upper - r.lower <= gap ||
        (apart && (options.stop_at_sign || r.lower > options.max_distance)))
      break;
    if (r.iterations >= options.max_iterations) {
      r.capped = true;
      break;
    }
    if (simplex.contains(p)) break;
    Simplex next = simplex;
    next.point[next.size++] = p;
    if (reduce(next)) {
      simplex = next;
      r.outcome = GjkOutcome::overlapping;
      r.upper = 0.0;
      return r;
    }
    const double upper = norm(next.closest());
    // No progress beyond rounding: the simplex before was as good.
    if (!(upper < r.upper)) break;
    simplex = next;
    r.upper = upper;
  }
  if (r.lower > cso.rounding) r.outcome = GjkOutcome::separated;
  return r;
}

}  // namespace tactus
