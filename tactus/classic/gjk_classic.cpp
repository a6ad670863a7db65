#include "tactus/classic/gjk_classic.hpp"

#include "tactus/narrow/search/observe.hpp"

namespace tactus::detail {

SupportPoint grown_support(const Cso& cso, const Vec3& n, double margin) {
  SupportPoint p = cso.grown_support(n);
  p.w += n * (2.0 * margin);
  return p;
}

GjkClassicResult gjk_classic(const Cso& cso, Simplex& simplex, const GjkClassicOptions& options) {
  GjkClassicResult r;
  const auto evaluate = [&](const Vec3& n) {
    const SupportPoint p = grown_support(cso, n, options.margin);
    ++r.iterations;
    const double value = dot(n, p.w);
    if (value < r.value) {
      r.value = value;
      r.direction = n;
    }
    if (options.observer != nullptr)
      observe(*options.observer, {"gjk_classic", r.iterations, -r.value, r.distance}, simplex, p);
    return p;
  };
  simplex.size = 0;
  simplex.point[0] = evaluate(cso.between_centers());
  simplex.size = 1;
  reduce(simplex);
  while (true) {
    const Vec3 v = simplex.closest();
    const double squared = squared_norm(v);
    if (!(std::sqrt(squared) < r.distance)) break;
    r.distance = std::sqrt(squared);
    // The origin lies on the simplex: v is rounding alone.
    if (r.distance <= cso.error_bound) break;
    if (r.iterations >= options.max_iterations) {
      r.capped = true;
      break;
    }
    const SupportPoint p = evaluate(-normalized(v));
    const double along = dot(v, p.w);
    if (squared - along <= options.eps * squared || (options.stop_at_sign && along > 0.0)) break;
    if (simplex.contains(p)) break;
    simplex.point[simplex.size++] = p;
    if (reduce(simplex)) {
      r.outcome = GjkClassicOutcome::overlapping;
      r.distance = 0.0;
      return r;
    }
  }
  if (r.value < 0.0) r.outcome = GjkClassicOutcome::separated;
  return r;
}

}  // namespace tactus::detail
