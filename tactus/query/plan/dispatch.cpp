#include "tactus/query/plan/dispatch.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/narrow/formula/closed_form.hpp"
#include "tactus/narrow/formula/nearest_boxes.hpp"
#include "tactus/narrow/search/sign_search.hpp"
#include "tactus/query/mesh/mesh_pairs.hpp"
#include "tactus/query/plan/methods.hpp"
#include "tactus/query/plan/pair_table.hpp"
#include "tactus/query/plan/range.hpp"

namespace tactus::detail {
namespace {

// Roundings of a part's position in its compound: a rotated point, a sum and a difference, of 2^-53
// each, with a margin of two.
constexpr double kPlacing = 16.0 * std::numeric_limits<double>::epsilon();

struct Placed {
  const Shape& shape;
  const Pose& pose;
};

DistanceResult failed(Status status) {
  DistanceResult r;
  r.status = status;
  return r;
}

// (B, A) is served by swapping the answer of (A, B).
template <class Serve>
DistanceResult serve_swapped(const QueryOptions& options, ManifoldSink* sink, Serve&& serve) {
  const int before = sink != nullptr ? sink->count : 0;
  DistanceResult r = serve();
  r.normal = -r.normal;
  std::swap(r.point_a, r.point_b);
  std::swap(r.part_a, r.part_b);
  std::swap(r.triangle_a, r.triangle_b);
  if (options.certificate != nullptr) swap_roles(*options.certificate);
  if (sink != nullptr) {
    for (int i = before; i < sink->count; ++i) swap_roles(sink->out[static_cast<std::size_t>(i)]);
  }
  return r;
}

void fill_derivatives(const DistanceResult& r, const Pose& pose_a, const Pose& pose_b,
                      Derivatives& out) {
  out = {};
  if (!std::isfinite(r.distance)) return;
  out.linear_a = -r.normal;
  out.linear_b = r.normal;
  out.angular_a = -cross(r.point_a - pose_a.position(), r.normal);
  out.angular_b = cross(r.point_b - pose_b.position(), r.normal);
  out.smooth = r.unique;
}

void fill_certificate(const Cso& cso, const ConvexAnswer& answer, const Pose& pose_a,
                      const Epa* epa, Certificate& out) {
  out.clear();
  out.direction = pose_a.direction_to_world(answer.n);
  out.shrink_a = cso.a.radius;
  out.shrink_b = cso.b.radius;
  out.core_point_a = answer.core_a;
  out.core_point_b = transpose_times(cso.rotation, answer.core_b - cso.translation);
  switch (answer.proof) {
    case ConvexProof::none:
      break;
    case ConvexProof::separation:
      out.kind = CertificateKind::separation;
      break;
    case ConvexProof::axes:
      out.kind = CertificateKind::axes;
      break;
    case ConvexProof::ball:
      out.kind = CertificateKind::ball;
      break;
    case ConvexProof::faces:
      out.kind = CertificateKind::faces;
      for (int i = 0; i < epa->vertex_count(); ++i) {
        const SupportPoint& p = epa->vertex(i);
        out.supports.push_back({p.a, transpose_times(cso.rotation, p.b - cso.translation)});
      }
      epa->list_faces(out.faces);
      break;
  }
}

DistanceResult to_result(const ConvexAnswer& answer, const Pose& pose_a, Method method) {
  DistanceResult r;
  r.distance = answer.distance;
  r.lower = answer.lower;
  r.upper = answer.upper;
  r.normal = pose_a.direction_to_world(answer.n);
  r.point_a = pose_a.to_world(answer.point_a);
  r.point_b = pose_a.to_world(answer.point_b);
  r.status = answer.status;
  r.method = method;
  r.unique = answer.unique;
  r.iterations = answer.iterations;
  return r;
}

Manifold to_manifold(const Patch& patch, const ConvexAnswer& answer, const Pose& pose_a) {
  Manifold m;
  m.normal = pose_a.direction_to_world(answer.n);
  m.count = patch.count;
  for (int i = 0; i < patch.count; ++i) {
    m.points[i].point_a = pose_a.to_world(patch.point[i].a);
    m.points[i].point_b = pose_a.to_world(patch.point[i].b);
    m.points[i].depth = patch.point[i].depth;
    m.points[i].feature = patch.point[i].feature;
  }
  return m;
}

void emit(ManifoldSink& sink, const Manifold& manifold) {
  if (sink.count < static_cast<int>(sink.out.size())) {
    sink.out[static_cast<std::size_t>(sink.count++)] = manifold;
  } else {
    sink.truncated = true;
  }
}

// What the caller asked for beyond the result itself; everything in A's frame.
void fill_extras(const Cso& cso, const ConvexAnswer& answer, const Pose& pose_a, const Epa* epa,
                 const QueryOptions& options, ManifoldSink* sink) {
  if (options.certificate != nullptr)
    fill_certificate(cso, answer, pose_a, epa, *options.certificate);
  if (sink == nullptr || answer.distance > options.threshold) return;
  Patch patch = make_patch(cso, answer, options.threshold);
  // The witnesses of a search that stopped early may be farther apart than it believes the bodies
  // to be.
  const bool finished = answer.status == Status::converged;
  const double slack = finished ? witness_tolerance(0.0, cso.size()) : 0.0;
  const double least = -(options.threshold + cso.rounding + slack);
  int kept = 0;
  for (int i = 0; i < patch.count; ++i) {
    if (patch.point[i].depth >= least) patch.point[kept++] = patch.point[i];
  }
  if (kept == 0) return;
  patch.count = kept;
  emit(*sink, to_manifold(patch, answer, pose_a));
}

// What the caller asked for beyond the result of a closed form, in A's frame.
[[gnu::noinline]] void fill_formula_extras(const Placed& a, const Placed& b, const ClosedForm& f,
                                           const QueryOptions& options, ManifoldSink* sink,
                                           const DistanceResult& r) {
  const Core& core_a = a.shape.core();
  const Core& core_b = b.shape.core();
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
  fill_extras(cso, answer, a.pose, nullptr, options, sink);
}

// A form whose members are written before they are read: clearing it first would be a tenth of the
// cost of the shortest form.
union FormPlace {
  FormPlace() {}  // NOLINT(modernize-use-equals-default)
  ClosedForm form;
};

// The answer of a formula, in world axes seen from A's origin.
[[gnu::always_inline]] inline void write_formula(const Placed& a, const Placed& b,
                                                 const ClosedForm& f, double rounding,
                                                 Method method, const QueryOptions& options,
                                                 ManifoldSink* sink, DistanceResult& r) {
  const Core& core_a = a.shape.core();
  const Core& core_b = b.shape.core();
  const Vec3& origin = a.pose.position();
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
  if (options.certificate != nullptr || sink != nullptr)
    fill_formula_extras(a, b, f, options, sink, r);
}

// Pairs with a closed form, in world axes: most of the time of such a query would go into relative
// rotations. False when the form does not serve this pose. (Lengths in the range of `computable`
// cannot overflow here.)
bool formula_pair(const Placed& a, const Placed& b, const QueryOptions& options, ManifoldSink* sink,
                  DistanceResult& r) {
  const Core& core_a = a.shape.core();
  const Core& core_b = b.shape.core();
  const Vec3 translation = b.pose.position() - a.pose.position();
  const double rounding = rounding_bound(core_a, core_b, translation);
  FormPlace place;
  if (!closed_form({core_a, a.pose.rotation(), core_b, b.pose.rotation(), translation, rounding},
                   place.form)) {
    return false;
  }
  write_formula(a, b, place.form, rounding, Method::closed_form, options, sink, r);
  return true;
}

// The sign by the separating axes alone. False where they do not decide it: between the cores and
// the balls that these are grown by.
bool signed_boxes(const Placed& a, const Placed& b, const BoxPair& boxes, DistanceResult& r) {
  const double radius = a.shape.core().radius + b.shape.core().radius;
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

// Two boxes: nearest points by projections, depths by the separating axes. False where features are
// left that only a search finds.
[[gnu::noinline]] bool box_pair(const Placed& a, const Placed& b, const QueryOptions& options,
                                Ask ask, ManifoldSink* sink, DistanceResult& r) {
  const BoxPair boxes(a.shape.core(), a.pose, b.shape.core(), b.pose);
  const bool sign_only = ask == Ask::sign && options.certificate == nullptr &&
                         options.derivatives == nullptr && sink == nullptr;
  if (sign_only && signed_boxes(a, b, boxes, r)) return true;
  ClosedForm f;
  Method method = Method::closed_form;
  if (!nearest_points(boxes, f)) {
    const BoxAxes axes = separate_boxes(boxes, StopAxes::at_faces);
    f = {axes.separation, axes.n, {}, {}, axes.unique};
    if (!box_witnesses(boxes, axes, f)) return false;
    method = Method::sat;
  }
  f.n = a.pose.direction_to_world(f.n);
  f.a = a.pose.direction_to_world(f.a);
  f.b = a.pose.direction_to_world(f.b);
  write_formula(a, b, f, boxes.rounding, method, options, sink, r);
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
bool signed_pair(const Placed& a, const Placed& b, const QueryOptions& options, WarmStart* cache,
                 DistanceResult& r) {
  if (options.method != Method::automatic || options.certificate != nullptr ||
      options.derivatives != nullptr) {
    return false;
  }
  const Core& core_a = a.shape.core();
  const Core& core_b = b.shape.core();
  if (!has_sign_search(core_a, core_b)) return false;
  Vec3 start;
  if (cache != nullptr && !cache->overlapping) start = cache->direction;
  SignAnswer sign;
  if (!search_sign(core_a, a.pose, core_b, b.pose, start, options.max_iterations, sign))
    return false;
  r.lower = sign.lower;
  r.upper = sign.upper;
  r.distance = sign.lower > 0.0 ? sign.lower : sign.upper;
  r.normal = a.pose.direction_to_world(sign.n);
  r.point_a = a.pose.to_world(sign.point_a);
  r.point_b = a.pose.to_world(sign.point_b);
  r.status = Status::converged;
  r.method = Method::gjk;
  r.iterations = sign.iterations;
  if (cache != nullptr) {
    cache->forget();
    cache->direction = sign.n;
    cache->overlapping = sign.upper < 0.0;
  }
  return true;
}

// Pairs that are searched.
[[gnu::noinline]] void searched_pair(const Placed& a, const Placed& b, const QueryOptions& options,
                                     WarmStart* cache, Ask ask, ManifoldSink* sink,
                                     DistanceResult& r) {
  if (ask == Ask::sign && signed_pair(a, b, options, cache, r)) return;
  const Core& core_a = a.shape.core();
  const Core& core_b = b.shape.core();
  if (!serves(options.method, core_a, core_b)) {
    r = failed(Status::unsupported);
    return;
  }
  const Cso cso(core_a, a.pose, core_b, b.pose);
  ConvexOptions convex;
  convex.tolerance = options.tolerance;
  convex.sign_only = ask == Ask::sign;
  convex.certify = options.certificate != nullptr;
  convex.max_distance = options.max_distance;
  convex.max_iterations = options.max_iterations;
  convex.trace = options.trace;
  convex.warm = cache;
  Epa epa;
  const ConvexAnswer answer = answer_by(options.method, cso, convex, epa);
  r = to_result(answer, a.pose, method_of(options.method, answer, cso));
  if (!is_finite(r)) {
    if (cache != nullptr) cache->forget();
    r = failed(Status::precision_limit);
    return;
  }
  fill_extras(cso, answer, a.pose, &epa, options, sink);
}

// Are the squares and products of three lengths of this pair within the range of double?
bool computable(const Placed& a, const Placed& b) {
  const Core& core_a = a.shape.core();
  const Core& core_b = b.shape.core();
  const Vec3 gap = component_abs(b.pose.position() - a.pose.position());
  const double size =
      ((core_a.reach + core_a.radius) + (core_b.reach + core_b.radius)) + ((gap.x + gap.y) + gap.z);
  return (size >= kLeastLength && size <= kMostLength) || size == 0.0;
}

// Fills the caller's result, which is large beside the cost of a closed form.
void convex_pair(const Placed& a, const Placed& b, const QueryOptions& options, WarmStart* cache,
                 Ask ask, ManifoldSink* sink, DistanceResult& r) {
  if (!computable(a, b)) {
    r = failed(Status::precision_limit);
    return;
  }
  const CoreKind kind_a = a.shape.core().kind, kind_b = b.shape.core().kind;
  if (kind_a == CoreKind::box && kind_b == CoreKind::box) {
    if (options.method == Method::automatic && box_pair(a, b, options, ask, sink, r)) return;
  } else if (has_closed_form(kind_a, kind_b) &&
             (options.method == Method::automatic || options.method == Method::closed_form) &&
             formula_pair(a, b, options, sink, r)) {
    return;
  }
  searched_pair(a, b, options, cache, ask, sink, r);
}

// A is the half-space. In its frame the body's farthest point against the normal decides.
DistanceResult halfspace_pair(const Placed& a, const Placed& b, const QueryOptions& options,
                              ManifoldSink* sink) {
  const HalfSpace& h = std::get<HalfSpace>(a.shape.geometry());
  const Core& core_b = b.shape.core();
  if (!in_range(core_b.reach + core_b.radius + std::fabs(h.offset()),
                b.pose.position() - a.pose.position()))
    return failed(Status::precision_limit);
  // A core with no extent carries the half-space's frame; the plane itself enters through the
  // answer.
  const Core origin;
  const Cso cso(origin, a.pose, core_b, b.pose);
  const SupportPoint p = cso.support(h.normal());
  ConvexAnswer answer;
  answer.n = h.normal();
  answer.core_b = p.b;
  answer.point_b = p.b - answer.n * cso.b.radius;
  answer.distance = dot(answer.n, answer.point_b) - h.offset();
  const double rounding =
      cso.rounding + std::fabs(h.offset()) * std::numeric_limits<double>::epsilon();
  answer.lower = answer.distance - rounding;
  answer.upper = answer.distance + rounding;
  answer.point_a = answer.point_b - answer.n * answer.distance;
  answer.core_a = answer.point_a;

  answer.iterations = 1;
  DistanceResult r = to_result(answer, a.pose, Method::closed_form);
  // Several corners equally low: the witnesses are not unique.
  r.unique = count_lowest(cso, answer, rounding) <= 1;
  if (options.certificate != nullptr) {
    options.certificate->clear();
    options.certificate->kind = CertificateKind::axes;
    options.certificate->direction = r.normal;
  }
  if (sink != nullptr && !(answer.distance > options.threshold))
    emit(*sink, to_manifold(make_plane_patch(cso, answer, std::max(options.threshold, 0.0)), answer,
                            a.pose));
  return r;
}

// Is x the part that speaks for the union rather than y? Its bracket, witnesses and certificate
// must prove the upper bound: of searches that were not finished the better proof counts, not the
// better guess.
bool speaks_before(const DistanceResult& x, const DistanceResult& y) {
  if (x.status == Status::converged && y.status == Status::converged)
    return x.distance < y.distance;
  return x.upper < y.upper;
}

// A stands at the origin: see answer_compound.
DistanceResult compound_pair(const Placed& a, const Placed& b, const QueryOptions& options, Ask ask,
                             ManifoldSink* sink) {
  const auto& parts = std::get<Compound>(a.shape.geometry()).parts();
  DistanceResult best;
  bool first = true;
  Certificate kept;
  double lower = std::numeric_limits<double>::infinity();
  int iterations = 0;
  // The least that is known of parts without a complete answer, and why they have none.
  double least_open = lower;
  Status open = Status::converged;
  bool unanswered = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    QueryOptions part_options = options;
    Certificate certificate;
    if (options.certificate != nullptr) part_options.certificate = &certificate;
    part_options.derivatives = nullptr;
    // A part proved farther than the best so far cannot matter.
    if (!first && best.upper > 0.0)
      part_options.max_distance = std::min(options.max_distance, best.upper);
    if (sink != nullptr)
      part_options.max_distance = std::max(part_options.max_distance, options.threshold);
    const int before = sink != nullptr ? sink->count : 0;
    const Pose placed = a.pose * parts[i].pose;
    // Placing the part rounds its position and B's relative to it.
    const double slack = kPlacing * (norm(parts[i].pose.position()) + norm(b.pose.position()));
    const auto answer = [&](Ask asked) {
      DistanceResult of_part =
          answer_pair(parts[i].shape, placed, b.shape, b.pose, part_options, nullptr, asked, sink);
      of_part.lower -= slack;
      of_part.upper += slack;
      return of_part;
    };
    DistanceResult r = answer(ask);
    // B is finite: the place of the part is not any more.
    if (r.status == Status::invalid_input) r.status = Status::precision_limit;
    // A search for the sign stops at a sign that the placing may undo.
    if (ask == Ask::sign && r.status == Status::converged && r.lower <= 0.0 && r.upper > 0.0) {
      const int iterations_before = r.iterations;
      part_options.tolerance = 0.0;
      r = answer(Ask::distance);
      r.iterations += iterations_before;
    }
    const auto part = static_cast<std::int32_t>(i);
    r.part_a = part;
    if (sink != nullptr) {
      for (int m = before; m < sink->count; ++m)
        sink->out[static_cast<std::size_t>(m)].part_a = part;
    }
    lower = std::min(lower, r.lower);
    iterations += r.iterations;
    // A part that could not be answered leaves the union without an answer.
    const bool none = r.status == Status::unsupported;
    if (none || (!unanswered && r.status != Status::converged && r.lower < least_open)) {
      least_open = r.lower;
      open = r.status;
      unanswered = unanswered || none;
    }
    if (first || speaks_before(r, best)) {
      best = r;
      if (options.certificate != nullptr) kept = certificate;
    }
    first = false;
  }
  best.lower = lower;
  best.iterations = iterations;
  if (unanswered) {
    best = failed(open);
    kept.clear();
  }
  // Complete, unless another part may be nearer than what is proved.
  if (best.status == Status::converged && least_open < best.upper) best.status = open;
  if (options.certificate != nullptr) *options.certificate = kept;
  return best;
}

// Parts are placed relative to A's position, so that far from the world's origin nothing is lost.
DistanceResult answer_compound(const Placed& a, const Placed& b, const QueryOptions& options,
                               Ask ask, ManifoldSink* sink) {
  const Vec3 origin = a.pose.position();
  const Vec3 between = b.pose.position() - origin;
  // The parts are asked for their own lengths.
  if (!in_range(0.0, between)) return failed(Status::precision_limit);
  const Pose pose_a = Pose::unchecked({}, a.pose.rotation());
  const Pose pose_b = Pose::unchecked(between, b.pose.rotation());
  const int before = sink != nullptr ? sink->count : 0;
  DistanceResult r = compound_pair({a.shape, pose_a}, {b.shape, pose_b}, options, ask, sink);
  r.point_a += origin;
  r.point_b += origin;
  if (sink != nullptr) {
    for (int m = before; m < sink->count; ++m) {
      for (ContactPoint& p : sink->out[static_cast<std::size_t>(m)].points) {
        p.point_a += origin;
        p.point_b += origin;
      }
    }
  }
  return r;
}

// The last step of a trace: direction and witnesses of the answer in A's frame, its bracket as one
// of the cores.
void report_answer(const Placed& a, const Placed& b, const DistanceResult& r, TraceSink& trace) {
  const auto radius = [](const Shape& s) { return s.is_convex_body() ? s.core().radius : 0.0; };
  const double radii = radius(a.shape) + radius(b.shape);
  TraceStep step;
  step.algorithm = "answer";
  step.iteration = r.iterations;
  step.direction = a.pose.direction_to_local(r.normal);
  step.support = a.pose.direction_to_local(r.point_a - r.point_b);
  step.lower = r.lower + radii;
  step.upper = r.upper + radii;
  trace.step(step);
}

// What few callers ask for, out of the way of the others.
[[gnu::noinline]] void report(const Placed& a, const Placed& b, const QueryOptions& options,
                              const DistanceResult& r) {
  const PairKind kind = pair_kind(a.shape.type(), b.shape.type());
  if (options.trace != nullptr && (kind == PairKind::convex || kind == PairKind::halfspace))
    report_answer(a, b, r, *options.trace);
  if (options.derivatives != nullptr) fill_derivatives(r, a.pose, b.pose, *options.derivatives);
}

// Half-spaces, compounds and meshes.
[[gnu::noinline]] void other_pair(const Placed& a, const Placed& b, const QueryOptions& options,
                                  WarmStart* cache, Ask ask, ManifoldSink* sink, PairKind kind,
                                  DistanceResult& r) {
  const auto in_order = [&](ShapeType type, auto&& serve) {
    if (a.shape.type() == type && !second_goes_first(a.shape, a.pose, b.shape, b.pose))
      return serve(a, b);
    return serve_swapped(options, sink, [&] { return serve(b, a); });
  };
  if (kind == PairKind::halfspace) {
    r = in_order(ShapeType::halfspace, [&](const Placed& x, const Placed& y) {
      return halfspace_pair(x, y, options, sink);
    });
  } else if (kind == PairKind::compound) {
    r = in_order(ShapeType::compound, [&](const Placed& x, const Placed& y) {
      return answer_compound(x, y, options, ask, sink);
    });
  } else if (kind == PairKind::mesh) {
    r = in_order(ShapeType::mesh, [&](const Placed& x, const Placed& y) {
      if (!in_range(length_of(x.shape) + length_of(y.shape), y.pose.position() - x.pose.position()))
        return failed(Status::precision_limit);
      return mesh_pair(x.shape, x.pose, y.shape, y.pose, options, cache, ask, sink);
    });
  }
}

}  // namespace

void swap_roles(Manifold& m) {
  m.normal = -m.normal;
  std::swap(m.part_a, m.part_b);
  for (int i = 0; i < m.count; ++i) std::swap(m.points[i].point_a, m.points[i].point_b);
}

DistanceResult answer_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           const QueryOptions& options, WarmStart* cache, Ask ask,
                           ManifoldSink* sink) {
  DistanceResult r;
  if (!is_finite(pose_a, pose_b)) {
    r.status = Status::invalid_input;
    if (options.derivatives != nullptr) *options.derivatives = {};
    return r;
  }
  const Placed first{a, pose_a};
  const Placed second{b, pose_b};
  const PairKind kind = pair_kind(a.type(), b.type());
  if (kind == PairKind::convex) {
    convex_pair(first, second, options, cache, ask, sink, r);
  } else {
    other_pair(first, second, options, cache, ask, sink, kind, r);
  }
  if (options.trace != nullptr || options.derivatives != nullptr) report(first, second, options, r);
  return r;
}

}  // namespace tactus::detail
