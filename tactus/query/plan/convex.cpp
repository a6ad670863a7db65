#include "tactus/query/plan/convex.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/narrow/formula/closed_form.hpp"
#include "tactus/narrow/formula/nearest_boxes.hpp"
#include "tactus/narrow/pair/box_patch.hpp"
#include "tactus/narrow/search/sign_search.hpp"
#include "tactus/query/plan/lone_minimum.hpp"
#include "tactus/query/plan/methods.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tactus/query/plan/range.hpp"
#include "tactus/query/plan/write_answer.hpp"

namespace tactus::detail {
void fill_formula_extras(const PairContext& pair, const ClosedForm& f, const DistanceResult& r) {
  const Placed &a = pair.a, &b = pair.b;
  const Core& core_a = core_of(a.shape);
  const Core& core_b = core_of(b.shape);
  PairContext rest = pair;
  if (pair.sink != nullptr && is_lone_witness(core_a, a.pose.rotation(), core_b, b.pose.rotation(),
                                              r.normal, r.upper - r.distance)) {
    emit_witness(pair, r);
    if (pair.options.certificate == nullptr) return;
    rest.sink = nullptr;
  }
  const Cso cso(core_a, a.pose, core_b, b.pose);
  ConvexAnswer answer;
  answer.distance = r.distance;
  answer.lower = r.lower;
  answer.upper = r.upper;
  answer.n = a.pose.direction_to_local(f.n);
  answer.core_a = a.pose.direction_to_local(f.a);
  answer.core_b = a.pose.direction_to_local(f.b);
  answer.point_a = answer.core_a + answer.n * core_a.radius;
  answer.point_b = answer.core_b - answer.n * core_b.radius;
  answer.proof = f.value >= 0.0 ? ConvexProof::separation : ConvexProof::axes;
  answer.unique = f.unique;
  fill_extras(rest, cso, answer, nullptr);
}

namespace {

// The answer of a formula, in world axes seen from A's origin.
[[gnu::always_inline]] inline void write_formula(const PairContext& pair, const ClosedForm& f,
                                                 double rounding, Method method,
                                                 DistanceResult& r) {
  const Core& core_a = core_of(pair.a.shape);
  const Core& core_b = core_of(pair.b.shape);
  const Vec3& origin = pair.a.pose.position();
  r.distance = f.value - (core_a.radius + core_b.radius);
  r.lower = r.distance - rounding;
  r.upper = r.distance + rounding;
  r.normal = f.n;
  r.point_a = origin + (f.a + f.n * core_a.radius);
  r.point_b = origin + (f.b - f.n * core_b.radius);
  r.status = Status::converged;
  r.method = method;
  r.unique = f.unique;
  r.iterations = 1;
}

bool wants_extras(const PairContext& pair) {
  return pair.options.certificate != nullptr || pair.sink != nullptr;
}

// The closed form, in world axes: most of the time of such a query would go into relative
// rotations. False when the form does not serve this pose. (Lengths in the range of `computable`
// cannot overflow here.)
bool by_closed_form(const PairContext& pair, DistanceResult& r) {
  const Placed &a = pair.a, &b = pair.b;
  const Core& core_a = core_of(a.shape);
  const Core& core_b = core_of(b.shape);
  const Vec3 translation = b.pose.position() - a.pose.position();
  const double rounding = rounding_bound(core_a, core_b, translation);
  FormPlace place;
  if (!closed_form({core_a, a.pose.rotation(), core_b, b.pose.rotation(), translation, rounding},
                   place.form)) {
    return false;
  }
  write_formula(pair, place.form, rounding, Method::closed_form, r);
  if (wants_extras(pair)) fill_formula_extras(pair, place.form, r);
  return true;
}

// The sign by the separating axes alone. False where they do not decide it: between the cores and
// the balls that these are grown by.
bool signed_boxes(const Placed& a, const Placed& b, const BoxPair& boxes, DistanceResult& r) {
  const double radius = core_of(a.shape).radius + core_of(b.shape).radius;
  const BoxAxes axes = separate_boxes(boxes, StopAxes::at_any);
  const bool apart = axes.separation > radius + boxes.rounding;
  if (!apart && !(axes.separation < -boxes.rounding)) return false;
  r.distance = axes.separation - radius;
  r.lower = r.distance - boxes.rounding;
  // The middles are points of the bodies.
  r.point_a = a.pose.position();
  r.point_b = b.pose.position();
  r.upper = apart ? std::max(norm(boxes.translation), r.distance) + boxes.rounding
                  : r.distance + boxes.rounding;
  r.normal = a.pose.direction_to_world(axes.n);
  r.status = Status::converged;
  r.method = Method::sat;
  r.iterations = 1;
  return true;
}

// The patch of two boxes, where that is all that is asked for beyond the answer. `n`: in A's frame.
bool emit_box_patch(const PairContext& pair, const BoxPair& boxes, const Vec3& n,
                    const DistanceResult& r) {
  const Core& core_a = core_of(pair.a.shape);
  const Core& core_b = core_of(pair.b.shape);
  const double threshold = pair.options.margin;
  if (pair.options.certificate != nullptr || core_a.radius > 0.0 || core_b.radius > 0.0)
    return false;
  if (r.distance > threshold) return true;
  BoxPatch found;
  const BoxAnswer answer{n, r.distance, 2.0 * std::min(core_a.reach, core_b.reach)};
  switch (make_box_patch(boxes, answer, threshold, found)) {
    case BoxPatchKind::undecided:
      return false;
    case BoxPatchKind::witness:
      emit_witness(pair, r);
      return true;
    case BoxPatchKind::points:
      break;
  }
  const Pose& pose = found.of_b ? pair.b.pose : pair.a.pose;
  emit(*pair.sink, found.patch, r.normal,
       unchecked_pose(pose.position(), found.turned(pose.rotation())));
  return true;
}

// Two boxes: nearest points by projections, depths by the separating axes. False where features are
// left that only a search finds, which `axis` is then the first direction of.
[[gnu::noinline]] bool by_axes(const PairContext& pair, DistanceResult& r, Vec3& axis) {
  const Placed &a = pair.a, &b = pair.b;
  const BoxPair boxes(core_of(a.shape), a.pose, core_of(b.shape), b.pose);
  const bool sign_only = pair.ask == Ask::sign && pair.options.certificate == nullptr &&
                         pair.options.derivatives == nullptr && pair.sink == nullptr;
  if (sign_only && signed_boxes(a, b, boxes, r)) return true;
  ClosedForm f;
  Method method = Method::closed_form;
  if (!nearest_points(boxes, f)) {
    const BoxAxes axes = separate_boxes(boxes, StopAxes::at_faces);
    f = {axes.separation, axes.n, {}, {}, axes.unique};
    axis = axes.n;
    if (!box_witnesses(boxes, axes, f)) return false;
    method = Method::sat;
  }
  const Vec3 n = f.n;
  f.n = a.pose.direction_to_world(f.n);
  f.a = a.pose.direction_to_world(f.a);
  f.b = a.pose.direction_to_world(f.b);
  write_formula(pair, f, boxes.rounding, method, r);
  if (wants_extras(pair) && !(pair.sink != nullptr && emit_box_patch(pair, boxes, n, r)))
    fill_formula_extras(pair, f, r);
  return true;
}

// Lengths near the end of the range of double overflow.
bool is_finite(const DistanceResult& r) {
  const Vec3 sum = r.point_a + r.point_b;
  if (std::isfinite(((sum.x + sum.y) + sum.z) + (r.lower + r.upper))) return true;
  return std::isfinite(r.lower) && std::isfinite(r.upper) && tactus::is_finite(r.point_a) &&
         tactus::is_finite(r.point_b);
}

// The sign alone, where a few steps decide it and nothing is asked for that only the whole search
// knows.
bool by_sign(const PairContext& pair, WarmStart* warm, DistanceResult& r) {
  const Placed &a = pair.a, &b = pair.b;
  const QueryOptions& options = pair.options;
  if (options.method != Method::automatic || options.certificate != nullptr ||
      options.derivatives != nullptr) {
    return false;
  }
  if (pair.row.search == PairSearch::custom) return false;
  SignOptions asked{{}, options.max_iterations, pair.row.search == PairSearch::steps};
  if (warm != nullptr && !warm->overlapping) asked.start = warm->direction;
  SignAnswer sign;
  if (!search_sign(core_of(a.shape), a.pose, core_of(b.shape), b.pose, asked, sign)) return false;
  r.lower = sign.lower;
  r.upper = sign.upper;
  r.distance = sign.lower > 0.0 ? sign.lower : sign.upper;
  r.normal = a.pose.direction_to_world(sign.n);
  r.point_a = a.pose.to_world(sign.point_a);
  r.point_b = a.pose.to_world(sign.point_b);
  r.status = Status::converged;
  r.method = Method::gjk;
  r.iterations = sign.iterations;
  if (warm != nullptr) {
    warm->forget();
    warm->direction = sign.n;
    warm->overlapping = sign.upper < 0.0;
  }
  return true;
}

// The search by the method asked for. `axis`: of boxes, or zero.
[[gnu::noinline]] void by_search(const PairContext& pair, const Vec3& axis, DistanceResult& r) {
  const Placed &a = pair.a, &b = pair.b;
  const QueryOptions& options = pair.options;
  WarmStart* const warm = recall<WarmStart>(pair.cache);
  if (pair.ask == Ask::sign && by_sign(pair, warm, r)) return;
  const Core& core_a = core_of(a.shape);
  const Core& core_b = core_of(b.shape);
  const MethodRow* const method = method_for(options.method, pair.row, core_a, core_b);
  if (method == nullptr) {
    r = no_answer(Status::unsupported);
    return;
  }
  const Cso cso(core_a, a.pose, core_b, b.pose);
  ConvexOptions convex;
  convex.steps = pair.row.search == PairSearch::steps;
  convex.axis = axis;
  convex.tolerance = options.tolerance;
  convex.sign_only = pair.ask == Ask::sign;
  convex.certify = options.certificate != nullptr;
  convex.max_distance = options.max_distance;
  convex.max_iterations = options.max_iterations;
  convex.observer = options.observer;
  convex.warm = warm;
  Epa epa;
  // The default is called directly, so that nothing stands between it and its inlining.
  const ConvexAnswer answer = options.method == Method::automatic
                                  ? search_pair(cso, convex, epa)
                                  : method->answer(cso, convex, epa);
  write_result(answer, a.pose, method_of(options.method, answer, cso), r);
  if (!is_finite(r)) {
    if (warm != nullptr) warm->forget();
    r = no_answer(Status::precision_limit);
    return;
  }
  fill_extras(pair, cso, answer, &epa);
}

// Are the squares and products of three lengths of this pair within the range of double?
bool computable(const Placed& a, const Placed& b) {
  const Core& core_a = core_of(a.shape);
  const Core& core_b = core_of(b.shape);
  const Vec3 gap = component_abs(b.pose.position() - a.pose.position());
  const double size =
      ((core_a.reach + core_a.radius) + (core_b.reach + core_b.radius)) + ((gap.x + gap.y) + gap.z);
  return (size >= kLeastLength && size <= kMostLength) || size == 0.0;
}

// The formula of the pair's row, if the method asked for is that one. `axis` as for `by_axes`.
bool by_formula(const PairContext& pair, DistanceResult& r, Vec3& axis) {
  const Method method = pair.options.method;
  switch (pair.row.formula) {
    case PairFormula::none:
      return false;
    case PairFormula::closed:
      return method <= Method::closed_form && by_closed_form(pair, r);
    case PairFormula::axes:
      return method == Method::automatic && by_axes(pair, r, axis);
  }
  return false;
}

// Is no other normal as good?
bool has_one_normal(const PairContext& pair, const DistanceResult& r, const MinimumScale& scale) {
  const double radius = core_of(pair.a.shape).radius + core_of(pair.b.shape).radius;
  // The nearest point of a convex A - B to a place outside of it.
  if (r.distance + radius > scale.step) return true;
  const QueryOptions options = narrowed(pair.options);
  const Pose& pose = pair.b.pose;
  return std::all_of(std::begin(kInwardWays), std::end(kInwardWays), [&](double steps) {
    const double way = steps * scale.step;
    const Pose moved = unchecked_pose(pose.position() - r.normal * way, pose.rotation());
    DistanceResult deeper;
    answer_convex({pair.a, {pair.b.shape, moved}, options}, deeper);
    return stays_deepest(r, deeper, way, scale);
  });
}

// Derivatives, and whether the minimum is the only one.
[[gnu::noinline]] void derive(const PairContext& pair, DistanceResult& r) {
  const Core& core_a = core_of(pair.a.shape);
  const Core& core_b = core_of(pair.b.shape);
  const Vec3 between = pair.b.pose.position() - pair.a.pose.position();
  const double rounding = rounding_bound(core_a, core_b, between);
  const MinimumScale scale(core_a.extent, core_b.extent,
                           rounding_in_world(pair.a, pair.b, rounding));
  DistanceResult best = narrowest(pair, r, kNarrowBracket * rounding, answer_convex);
  best.unique = best.upper - best.lower <= scale.circle &&
                has_one_place(pair.a, pair.b, best, scale) && has_one_normal(pair, best, scale);
  r.unique = best.unique;
  fill_derivatives(best, pair.a.pose, pair.b.pose, *pair.options.derivatives);
}

}  // namespace

void answer_convex(const PairContext& pair, DistanceResult& r) {
  Vec3 axis;
  if (!computable(pair.a, pair.b)) {
    r = no_answer(Status::precision_limit);
  } else if (!by_formula(pair, r, axis)) {
    by_search(pair, axis, r);
  }
  if (pair.options.derivatives != nullptr) derive(pair, r);
  if (pair.options.observer != nullptr) report_answer(pair, r);
}

}  // namespace tactus::detail
