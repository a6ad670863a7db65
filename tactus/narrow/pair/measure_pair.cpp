#include "tactus/narrow/pair/measure_pair.hpp"

#include <algorithm>

#include "tactus/narrow/formula/closed_form.hpp"
#include "tactus/narrow/formula/sat.hpp"

namespace tactus::detail {
namespace {

// Separation proved along f.n, with any two points of the bodies.
ConvexAnswer apart(const Cso& cso, const ClosedForm& f, WarmStart* end) {
  if (end != nullptr) end->forget();
  ConvexAnswer r;
  r.n = f.n;
  r.distance = f.value - (cso.a.radius + cso.b.radius);
  r.lower = r.distance - cso.error_bound;
  r.upper = std::max(norm(f.b - f.a) + cso.error_bound, r.lower);
  r.core_a = r.point_a = f.a;
  r.core_b = r.point_b = f.b;
  r.proof = ConvexProof::separation;
  r.closed_form = true;
  r.unique = f.unique;
  r.iterations = 1;
  return r;
}

// An answer whose signed distance is known to rounding.
ConvexAnswer exact_answer(const Cso& cso, const ClosedForm& f, WarmStart* end) {
  if (end != nullptr) end->forget();
  ConvexAnswer r;
  const double radius = cso.a.radius + cso.b.radius;
  r.n = f.n;
  r.distance = f.value - radius;
  r.lower = r.distance - cso.error_bound;
  r.upper = r.distance + cso.error_bound;
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

ConvexAnswer measure_pair(const Cso& cso, PairFormula formula, const ConvexOptions& options,
                          Epa& epa) {
  ClosedForm f;
  if (formula == PairFormula::closed &&
      closed_form({cso.a, Mat3::identity(), cso.b, cso.rotation, cso.translation, cso.error_bound},
                  f)) {
    return exact_answer(cso, f, options.warm);
  }
  if (formula != PairFormula::axes) return search_pair(cso, options, epa);
  const StopAxes stop = options.sign_only ? StopAxes::at_any : StopAxes::at_faces;
  if (options.observer != nullptr)
    tell_axes(cso, stop, cso.a.radius + cso.b.radius, *options.observer);
  const BoxAxes axes = separate_boxes(cso, stop);
  f = {axes.separation, axes.n, {}, cso.translation, axes.unique};
  if (options.sign_only && axes.separation > cso.a.radius + cso.b.radius + cso.error_bound)
    return apart(cso, f, options.warm);
  if (box_witnesses(cso, axes, f)) return exact_answer(cso, f, options.warm);
  // The nearest features are a corner and a corner or edge.
  ConvexOptions from_axis = options;
  from_axis.axis = axes.n;
  return search_pair(cso, from_axis, epa);
}

}  // namespace tactus::detail
