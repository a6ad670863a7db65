#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/motion/impact_arrival.hpp"
#include "tactus/motion/impact_search.hpp"
#include "tactus/motion/time_derivatives.hpp"
#include "tactus/query.hpp"
#include "tactus/query/certify.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/query/plan/range.hpp"
#include "tactus/shape.hpp"

namespace tactus {
using namespace detail;
namespace {

using detail::ImpactPair;
using detail::ImpactQuestion;
using detail::MovingBody;

// Poses at which a pair is looked at, and those of bodies made of parts, for each of
// `max_iterations`.
constexpr std::int64_t kPairLooks = 20, kPartsLooks = 2000;
// More radians than that are not computed with.
constexpr double kMostTurn = 1e6;
// Width of the brackets of distances asked for, relative to size.
constexpr double kTight = 1e-13;

CastResult failed(Status status) {
  CastResult r;
  r.status = status;
  return r;
}

double finite_or_zero(double x) { return std::isfinite(x) ? x : 0.0; }

double fastest(const MovingBody& body) {
  return norm(body.motion.angular) * finite_or_zero(bounding_radius(body.shape));
}

CastResult missed() {
  CastResult r;
  r.hit = Overlap::no;
  r.time = r.time_upper = kInfinity;
  r.status = Status::converged;
  return r;
}

CastResult impact_of_two(const MovingBody& a, const MovingBody& b, const ImpactQuestion& q,
                         QueryCache* cache) {
  const MovingPart part_a(a.shape, a.pose, {}, a.motion);
  const MovingPart part_b(b.shape, b.pose, {}, b.motion);
  ImpactPair two(part_a, part_b, b.pose.position(), 0.0);
  MovingPair& pair = two.pair;
  // A half-space comes first in the pair, whose cache would be another one's.
  QueryCache* const own = two.swapped ? nullptr : cache;
  while (pair.state() == MovingPair::State::apart && pair.looks() < q.most_looks)
    pair.step(q.options, own);
  CastResult r;
  if (pair.state() == MovingPair::State::clear) {
    r = missed();
  } else if (pair.state() == MovingPair::State::near) {
    r = impact_of_near(two, b.pose.position(), q);
  } else {
    r.time = pair.time();
    r.status = pair.state() == MovingPair::State::apart ? Status::iteration_limit
                                                        : Status::precision_limit;
  }
  r.iterations = pair.looks();
  return r;
}

// Result for bodies that overlap at the start, from their distance then.
CastResult at_start(const DistanceResult& d) {
  CastResult r;
  r.hit = Overlap::yes;
  r.time_upper = 0.0;
  r.distance = d.distance;
  r.normal = d.normal;
  r.point_a = d.point_a;
  r.point_b = d.point_b;
  r.status = d.status;
  r.method = d.method;
  r.unique = d.unique;
  r.iterations = 1;
  r.part_a = d.part_a;
  r.part_b = d.part_b;
  return r;
}

// Result for a start that may be in overlap, as its distance ended early: contact by the time when
// the surfaces meet (`found`) at the latest.
CastResult from_start(const CastResult& found, const DistanceResult& d) {
  if (found.hit == Overlap::no) return failed(Status::iteration_limit);
  CastResult r = at_start(d);
  r.hit = found.hit;
  r.time_upper = found.time_upper;
  r.status = Status::iteration_limit;
  return r;
}

// Made of parts that are moved one by one; against a half-space the hull of a mesh counts.
bool is_compound(const Shape& shape) {
  return shape.type() == ShapeType::compound || shape.type() == ShapeType::mesh;
}

bool computable(const MovingBody& a, const MovingBody& b) {
  double lengths = norm(b.pose.position());
  for (const MovingBody* body : {&a, &b}) {
    if (!(norm(body->motion.angular) <= kMostTurn)) return false;
    lengths += norm(body->motion.linear) + finite_or_zero(bounding_radius(body->shape));
  }
  return lengths <= detail::kLongestInRange;
}

CastResult find_impact(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a,
                       const Shape& b, const Pose& pose_b, const RigidMotion& motion_b,
                       const QueryOptions& options, QueryCache* cache) {
  if (!is_finite(pose_a) || !is_finite(pose_b) || !is_finite(motion_a) || !is_finite(motion_b))
    return failed(Status::invalid_input);
  if (options.method != Method::automatic && options.method != Method::gjk)
    return failed(Status::unsupported);
  const Vec3 origin = pose_a.position();
  const MovingBody first{a, detail::unchecked_pose({}, pose_a.rotation()), motion_a};
  const MovingBody second{b, detail::unchecked_pose(pose_b.position() - origin, pose_b.rotation()),
                          motion_b};
  ImpactQuestion q{options};
  q.options.certificate = nullptr;
  q.options.derivatives = q.options.motion_derivatives = nullptr;
  q.options.max_distance = kInfinity;
  if (!is_finite(second.pose)) return failed(Status::precision_limit);
  const DistanceResult start =
      detail::bare_distance(a, first.pose, b, second.pose, q.options, cache);
  if (start.status == Status::unsupported || start.status == Status::invalid_input)
    return failed(start.status);
  if (!computable(first, second) || !std::isfinite(start.upper) || !is_finite(start.normal))
    return failed(Status::precision_limit);
  CastResult r;
  if (start.upper < 0.0) {
    r = at_start(start);
  } else {
    const double size = std::max(finite_or_zero(extent(a)), finite_or_zero(extent(b)));
    q.width = options.tolerance * size;
    q.speed = norm(motion_a.linear - motion_b.linear) + fastest(first) + fastest(second);
    q.options.tolerance = std::min(options.tolerance, kTight);
    const bool parts = is_compound(a) || is_compound(b);
    q.most_looks = (parts ? kPartsLooks : kPairLooks) * std::max(options.max_iterations, 1);
    r = parts ? search_impact(first, second, q) : impact_of_two(first, second, q, cache);
    // The surfaces tell nothing of a body that is inside from the beginning.
    if (parts && start.status == Status::iteration_limit && start.lower < 0.0)
      r = from_start(r, start);
  }
  if (r.hit != Overlap::no) {
    r.point_a += origin;
    r.point_b += origin;
  }
  if (options.certificate != nullptr)
    detail::certify(a, pose_a, motion_a, b, pose_b, motion_b, r, *options.certificate);
  return r;
}

}  // namespace

CastResult impact(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
                  const Pose& pose_b, const RigidMotion& motion_b, const QueryOptions& options,
                  QueryCache* cache) noexcept {
  CastResult r = find_impact(a, pose_a, motion_a, b, pose_b, motion_b, options, cache);
  fill_time_derivatives(a, pose_a, motion_a, b, pose_b, motion_b, r, 1.0, options);
  return r;
}

}  // namespace tactus
