#include <cmath>
#include <memory>

#include "tactus/classic.hpp"
#include "tactus/classic/chung_wang.hpp"
#include "tactus/classic/epa_classic.hpp"
#include "tactus/classic/mpr.hpp"

namespace tactus {
using namespace detail;
namespace {

Status refusal(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  if (!is_finite(pose_a, pose_b)) return Status::invalid_input;
  return a.is_convex_body() && b.is_convex_body() ? Status::converged : Status::unsupported;
}

}  // namespace

PortalDepths portal_depths(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           const PortalOptions& options) noexcept {
  PortalDepths r;
  r.status = refusal(a, pose_a, b, pose_b);
  if (r.status == Status::converged && !(is_finite(options.along) && options.tolerance >= 0.0))
    r.status = Status::invalid_input;
  if (r.status != Status::converged) return r;
  const Cso cso(core_of(a), pose_a, core_of(b), pose_b);
  MprOptions mpr_options;
  if (!(options.along == Vec3{}))
    mpr_options.ray = normalized(pose_a.direction_to_local(options.along));
  mpr_options.gap = options.tolerance * cso.size();
  mpr_options.max_iterations = options.max_iterations;
  mpr_options.observer = options.observer;
  const MprResult found = mpr(cso, mpr_options);
  r.overlap = found.outcome == MprOutcome::overlapping;
  r.iterations = found.bounds.iterations;
  r.point_a = pose_a.to_world(found.bounds.a);
  r.point_b = pose_a.to_world(found.bounds.b);
  r.ray = pose_a.direction_to_world(found.ray);
  if (r.overlap) {
    r.ray_lower = found.ray_lower;
    r.ray_upper = found.ray_upper;
    r.normal = pose_a.direction_to_world(found.normal);
    r.normal_depth = found.normal_depth;
  } else {
    r.normal = pose_a.direction_to_world(found.bounds.n);
    r.normal_depth = found.bounds.value;
  }
  if (found.outcome == MprOutcome::undecided)
    r.status = found.bounds.capped ? Status::iteration_limit : Status::precision_limit;
  return r;
}

PolytopeDepth polytope_depth(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             const PolytopeOptions& options) noexcept {
  PolytopeDepth r;
  r.status = refusal(a, pose_a, b, pose_b);
  const bool valid = options.eps >= 0.0 && options.margin >= 0.0 && std::isfinite(options.margin);
  if (r.status == Status::converged && !valid) r.status = Status::invalid_input;
  if (r.status != Status::converged) return r;
  const Cso cso(core_of(a), pose_a, core_of(b), pose_b);
  EpaClassicOptions literal;
  literal.eps = options.eps;
  literal.margin = options.margin;
  literal.spheres = options.spheres;
  literal.max_iterations = options.max_iterations;
  literal.observer = options.observer;
  const auto epa = std::make_unique<EpaClassic>();
  const EpaClassicResult found = epa->run(cso, literal);
  r.collision = found.collision;
  r.depth = found.depth;
  r.normal = pose_a.direction_to_world(found.n);
  r.point_a = pose_a.to_world(found.a);
  r.point_b = pose_a.to_world(found.b);
  r.iterations = found.iterations;
  if (found.outcome == EpaClassicOutcome::iteration_limit) r.status = Status::iteration_limit;
  if (is_abort(found.outcome) || found.outcome == EpaClassicOutcome::no_tetrahedron)
    r.status = Status::precision_limit;
  return r;
}

SeparatingVector separating_vector(const Shape& a, const Pose& pose_a, const Shape& b,
                                   const Pose& pose_b, const ReflectionOptions& options) noexcept {
  SeparatingVector r;
  r.status = refusal(a, pose_a, b, pose_b);
  if (r.status == Status::converged && !(is_finite(options.start) && options.reflections >= 0))
    r.status = Status::invalid_input;
  if (r.status != Status::converged) return r;
  const Cso cso(core_of(a), pose_a, core_of(b), pose_b);
  ChungWangOptions search;
  search.start = options.start == Vec3{} ? cso.between_centers()
                                         : normalized(pose_a.direction_to_local(options.start));
  search.reflections = options.reflections;
  search.max_iterations = options.max_iterations;
  search.observer = options.observer;
  const ChungWangResult found = chung_wang(cso, search);
  r.vector = pose_a.direction_to_world(found.bounds.n);
  r.gap = -found.bounds.value;
  r.iterations = found.bounds.iterations;
  r.reflections = found.reflections;
  r.changes_of_direction = found.changes_of_direction;
  if (found.outcome == ChungWangOutcome::separated) r.overlap = Overlap::no;
  if (found.outcome == ChungWangOutcome::overlapping) r.overlap = Overlap::yes;
  if (found.outcome == ChungWangOutcome::undecided)
    r.status = found.bounds.capped ? Status::iteration_limit : Status::precision_limit;
  return r;
}

}  // namespace tactus
