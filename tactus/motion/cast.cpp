#include <algorithm>
#include <cmath>

#include "tactus/bvh/point_query.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/motion/mesh_cast.hpp"
#include "tactus/motion/time_derivatives.hpp"
#include "tactus/narrow/difference/swept_hull.hpp"
#include "tactus/narrow/formula/moving_spheres.hpp"
#include "tactus/narrow/pair/convex_cast.hpp"
#include "tactus/narrow/pair/mesh_ray.hpp"
#include "tactus/query.hpp"
#include "tactus/query/certify.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tactus/query/plan/pair_table.hpp"
#include "tactus/query/plan/range.hpp"
#include "tactus/shape.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/compound_data.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus {
using namespace detail;
namespace {

// Roundings of a part's place in its compound, relative to the lengths that it is made of; of a
// speed along a direction, relative to the products that it is made of.
constexpr double kPlacing = 16.0 * kEpsilon;
constexpr double kSpeed = 16.0 * kEpsilon;
// A gap that is less than this part of the way cannot be told from none on all of it.
constexpr double kOfWay = 32.0 * kEpsilon;
// A time computed from a length and a speed, moved to the safe side.
constexpr double kEarlier = 1.0 - 4.0 * kEpsilon;
constexpr double kLater = 1.0 + 4.0 * kEpsilon;
// Growth of bounding radii that covers their rounding.
constexpr double kBall = 1.0 + 64.0 * kEpsilon;
// Directions whose squares are not lost below the range of double.
constexpr double kLeastSpeed = 1e-150;

struct Moving {
  const Shape& shape;
  Pose pose;
  Vec3 motion;
};

/// Parameters of a cast of one pair of parts.
struct Question {
  const QueryOptions& options;
  double last = 1.0;   ///< end of the motion
  double slack = 0.0;  ///< error of the poses given, a length
};

CastResult failed(Status status) {
  CastResult r;
  r.status = status;
  return r;
}

Overlap to_hit(CastOutcome outcome) {
  switch (outcome) {
    case CastOutcome::miss:
      return Overlap::no;
    case CastOutcome::hit:
      return Overlap::yes;
    case CastOutcome::undecided:
      break;
  }
  return Overlap::undecided;
}

CastResult swapped(CastResult r) {
  r.normal = -r.normal;
  std::swap(r.point_a, r.point_b);
  std::swap(r.part_a, r.part_b);
  return r;
}

/// Width of the bracket of time as a length, judged as `converged`.
Status judged(const CastResult& r, const Moving& a, const Moving& b, const QueryOptions& options) {
  if (r.hit == Overlap::no) return Status::converged;
  const double extents[] = {extent(a.shape), extent(b.shape)};
  double size = 0.0;
  for (const double e : extents) size = std::isfinite(e) ? std::max(size, e) : size;
  const double speed = norm(a.motion - b.motion);
  // A point and a half-space have no size: then the way to the contact counts.
  if (size == 0.0) size = r.time * speed;
  const double width = (r.time_upper - r.time) * speed;
  return r.hit == Overlap::yes && width <= options.tolerance * size ? Status::converged
                                                                    : Status::precision_limit;
}

CastResult cast_spheres(const Moving& a, const Moving& b, const Core& core_a, const Core& core_b,
                        const MovingCso& moving, const Question& q) {
  const MovingSpheres found =
      moving_spheres(moving.start.translation, core_a.radius + core_b.radius, moving.motion, q.last,
                     moving.start.error_bound + moving.start_error, moving.motion_error);
  CastResult r;
  r.hit = to_hit(found.outcome);
  r.time = found.time;
  r.time_upper = found.time_upper;
  r.method = Method::closed_form;
  r.iterations = 1;
  if (r.hit != Overlap::no) {
    const Vec3 center_a = a.pose.position() + a.motion * r.time;
    const Vec3 center_b = b.pose.position() + b.motion * r.time;
    const Vec3 between = center_b - center_a;
    const double apart = norm(between);
    r.distance = apart - (core_a.radius + core_b.radius);
    r.unique = apart > moving.start.error_bound;
    // Also where any direction would do within rounding: this one is as far as the distance says.
    r.normal = normalized(between, {0.0, 0.0, 1.0});
    r.point_a = center_a + r.normal * core_a.radius;
    r.point_b = center_b - r.normal * core_b.radius;
  }
  r.status = judged(r, a, b, q.options);
  return r;
}

CastResult cast_convex(const Moving& a, const Moving& b, const Question& q, QueryCache* cache) {
  const Core core_a = core_of(a.shape);
  const Core core_b = core_of(b.shape);
  const MovingCso moving(core_a, a.pose, a.motion, core_b, b.pose, b.motion, q.slack);
  const bool spheres = core_a.kind == CoreKind::point && core_b.kind == CoreKind::point;
  if (spheres && q.options.method != Method::gjk)
    return cast_spheres(a, b, core_a, core_b, moving, q);
  if (q.options.method == Method::closed_form) return failed(Status::unsupported);
  const double size = (core_a.reach + core_a.radius) + (core_b.reach + core_b.radius) +
                      norm(b.pose.position() - a.pose.position()) + norm(a.motion) + norm(b.motion);
  if (size > 0.0 && size < detail::kLeastLength) return failed(Status::precision_limit);
  ConvexOptions convex;
  convex.tolerance = q.options.tolerance;
  convex.max_iterations = q.options.max_iterations;
  convex.observer = q.options.observer;
  WarmStart* const warm = recall<WarmStart>(cache);
  if (warm != nullptr) convex.start = warm->direction;
  Epa epa;
  const PairFormula formula =
      q.options.method == Method::gjk ? PairFormula::none : pair_row(a.shape, b.shape).formula;
  const ConvexCast found = cast_convex_pair(moving, q.last, formula, convex, epa);
  CastResult r;
  r.hit = to_hit(found.outcome);
  r.time = found.time;
  r.time_upper = found.time_upper;
  r.status = found.status;
  r.method = Method::gjk;
  r.iterations = found.iterations;
  if (!is_finite(found.answer.n) || found.answer.n == Vec3{}) return r;
  if (warm != nullptr) warm->direction = found.answer.n;
  r.normal = a.pose.direction_to_world(found.answer.n);
  if (r.hit != Overlap::no) {
    r.distance = found.answer.distance;
    r.unique = found.answer.unique;
    r.point_a = a.pose.to_world(found.answer.point_a) + a.motion * r.time;
    r.point_b = a.pose.to_world(found.answer.point_b) + a.motion * r.time;
  }
  return r;
}

// A is the half-space: the signed distance is linear in time.
CastResult cast_halfspace(const Moving& a, const Moving& b, const Question& q) {
  const DistanceResult start = detail::bare_distance(a.shape, a.pose, b.shape, b.pose, q.options);
  if (start.status != Status::converged) return failed(start.status);
  const double lower = start.lower - q.slack;
  const double upper = start.upper + q.slack;
  const Vec3 motion = a.motion - b.motion;
  const Vec3& n = start.normal;
  const double speed = dot(n, motion);
  const double error =
      kSpeed * dot(component_abs(n), component_abs(a.motion) + component_abs(b.motion));
  CastResult r;
  r.method = Method::closed_form;
  r.iterations = 1;
  r.normal = n;
  if (upper < 0.0) {
    r.hit = Overlap::yes;
    r.time_upper = 0.0;
  } else {
    if (lower > 0.0) r.time = speed + error > 0.0 ? lower / (speed + error) * kEarlier : kInfinity;
    const double way = norm(a.motion) + norm(b.motion);
    const bool beyond = r.time > q.last || r.time == kInfinity;
    if (beyond && lower > kOfWay * way) {
      r.hit = Overlap::no;
      r.time = kInfinity;
    } else if (beyond) {
      r.time = 0.0;
    } else if (speed > error && upper / (speed - error) * kLater <= q.last) {
      r.hit = Overlap::yes;
      r.time_upper = upper / (speed - error) * kLater;
    }
  }
  if (r.hit != Overlap::no) {
    r.distance = start.distance - r.time * speed;
    r.unique = start.unique;
    r.point_b = start.point_b + b.motion * r.time;
    r.point_a = r.point_b - n * r.distance;
  }
  r.status = judged(r, a, b, q.options);
  return r;
}

// A is a mesh, B a point that is not inside of it.
CastResult cast_point_at_mesh(const Moving& a, const Moving& b, const Question& q) {
  const MeshRay found = cast_ray(detail::view_of(std::get<Mesh>(a.shape.geometry())),
                                 a.pose.to_local(b.pose.position()),
                                 a.pose.direction_to_local(b.motion - a.motion), q.last);
  CastResult r;
  r.hit = to_hit(found.outcome);
  r.time = found.time;
  r.time_upper = found.time_upper;
  r.method = Method::closed_form;
  r.iterations = 1;
  if (r.hit != Overlap::no) {
    r.distance = 0.0;
    r.normal = a.pose.direction_to_world(found.normal);
    r.point_a = a.pose.to_world(found.point) + a.motion * r.time;
    r.point_b = b.pose.position() + b.motion * r.time;
  }
  r.status = judged(r, a, b, q.options);
  return r;
}

// Bodies that meet before they have moved, as their distance says.
CastResult met_at_start(const DistanceResult& start) {
  CastResult r;
  r.hit = Overlap::yes;
  r.time_upper = 0.0;
  r.method = start.method;
  r.iterations = start.iterations;
  r.distance = start.distance;
  r.normal = start.normal;
  r.point_a = start.point_a;
  r.point_b = start.point_b;
  r.unique = start.unique;
  r.status = start.status;
  return r;
}

// A is a mesh, B a point inside of it, be it by less than a search for the depth can tell.
CastResult cast_from_inside(const Moving& a, const Moving& b, const Question& q) {
  if (q.options.method != Method::automatic) return failed(Status::unsupported);
  const DistanceResult start = detail::bare_distance(a.shape, a.pose, b.shape, b.pose, q.options);
  if (!std::isfinite(start.lower) || !std::isfinite(start.upper)) return failed(start.status);
  return met_at_start(start);
}

// A is a mesh, B convex or a mesh.
CastResult cast_mesh(const Moving& a, const Moving& b, const Question& q) {
  if (q.options.method != Method::automatic) return failed(Status::unsupported);
  const DistanceResult start = detail::bare_distance(a.shape, a.pose, b.shape, b.pose, q.options);
  if (!std::isfinite(start.lower) || !std::isfinite(start.upper)) return failed(start.status);
  CastResult r;
  r.method = start.method;
  r.iterations = start.iterations;
  if (start.upper < -q.slack) {
    return met_at_start(start);
  }
  const detail::MeshCast found = detail::cast_surface(
      {a.shape, a.pose, a.motion}, {b.shape, b.pose, b.motion}, q.last, q.slack, q.options);
  r.hit = to_hit(found.outcome);
  r.time = found.time;
  r.time_upper = found.time_upper;
  r.iterations += found.iterations;
  if (found.capped) {
    const auto at_time = [&](const Moving& m) {
      return detail::unchecked_pose(m.pose.position() + m.motion * r.time, m.pose.rotation());
    };
    const DistanceResult then =
        detail::bare_distance(a.shape, at_time(a), b.shape, at_time(b), q.options);
    r.distance = then.distance;
    r.normal = then.normal;
    r.point_a = then.point_a;
    r.point_b = then.point_b;
    r.unique = then.unique;
    r.iterations += then.iterations;
  } else if (r.hit != Overlap::no) {
    const Vec3 origin = b.pose.position() + a.motion * r.time;
    r.distance = found.distance;
    r.normal = a.pose.direction_to_world(found.normal);
    r.point_a = origin + a.pose.direction_to_world(found.point_a);
    r.point_b = origin + a.pose.direction_to_world(found.point_b);
    r.unique = found.unique;
  }
  r.status = judged(r, a, b, q.options);
  if (found.capped && r.status != Status::converged) r.status = Status::iteration_limit;
  // The surfaces tell nothing of a body that is inside from the beginning.
  if (start.status == Status::iteration_limit && start.lower < -q.slack) {
    if (r.hit == Overlap::no) return failed(Status::iteration_limit);
    r.time = 0.0;
    r.status = Status::iteration_limit;
    r.distance = start.distance;
    r.normal = start.normal;
    r.point_a = start.point_a;
    r.point_b = start.point_b;
  }
  return r;
}

CastResult cast_pair(const Moving& a, const Moving& b, const Question& q, QueryCache* cache);

bool is_inside(const Moving& mesh, const Moving& point) {
  const Mesh& surface = std::get<Mesh>(mesh.shape.geometry());
  if (!surface.closed()) return false;
  const bvh::Winding around =
      bvh::winding_at(detail::view_of(surface), mesh.pose.to_local(point.pose.position()));
  return !around.on_surface && around.number != 0;
}

// Never nearer than their bounding balls.
bool balls_miss(const Moving& a, double radius_a, const Moving& b, double radius_b, double last) {
  if (!std::isfinite(radius_a) || !std::isfinite(radius_b)) return false;
  const Vec3 offset = b.pose.position() - a.pose.position();
  const double error = kPlacing * (norm(a.pose.position()) + norm(b.pose.position()));
  const double motion_error = kSpeed * (norm(a.motion) + norm(b.motion));
  return moving_spheres(offset, (radius_a + radius_b) * kBall, a.motion - b.motion, last, error,
                        motion_error)
             .outcome == CastOutcome::miss;
}

// Keeps the pair of parts that touches first; of equal times, as at the start, the deeper one, then
// the one that is listed first.
void take_part(CastResult& best, const CastResult& r) {
  const bool better =
      r.time < best.time ||
      (r.time == best.time &&
       (r.distance < best.distance || (r.distance == best.distance && r.part_a < best.part_a)));
  const CastResult& other = better ? best : r;
  CastResult merged = better ? r : best;
  merged.time_upper = std::min(best.time_upper, r.time_upper);
  merged.iterations = best.iterations + r.iterations;
  if (other.hit == Overlap::yes) merged.hit = Overlap::yes;
  best = merged;
}

// The part of the way, from nothing to `last`, on which a point is in a box: whether there is any,
// and where it begins. `at` and `motion` are seen from the box's middle.
bool enters(const Vec3& half, const Vec3& at, const Vec3& motion, double last, double& first) {
  double end = last;
  first = 0.0;
  for (int i = 0; i < 3; ++i) {
    if (std::fabs(at[i]) <= half[i] && std::fabs(at[i] + motion[i] * last) <= half[i]) continue;
    if (motion[i] == 0.0) return false;
    const double side = motion[i] > 0.0 ? half[i] : -half[i];
    first = std::max(first, (-side - at[i]) / motion[i]);
    end = std::min(end, (side - at[i]) / motion[i]);
  }
  return first <= end;
}

// A node of a compound's tree that waits: the ball about the other body meets its box no earlier
// than `first`.
struct NodeOnWay {
  double first;
  std::uint32_t node;
};

// A ball that moves, seen from a compound.
struct MovingBall {
  Vec3 centre, motion;
  double radius, last;

  // Is the node on the way?
  bool meets(const PartNode& node, double& first) const {
    first = 0.0;
    if (!std::isfinite(radius) || !std::isfinite(last)) return true;
    // The pose, the way and the quotients are rounded, all relative to lengths of the pair.
    const double more =
        radius + kPlacing * (max_abs(centre) + max_abs(node.center) + norm(motion) * last + radius);
    const bool met = enters(node.half * kBall + Vec3{more, more, more}, centre - node.center,
                            motion, last, first);
    first *= 1.0 - kPlacing;
    return met;
  }
};

// A is a compound.
class CompoundCast {
 public:
  CompoundCast(const Moving& a, const Moving& b, const Question& q)
      : a_(a),
        b_(b),
        q_(q),
        compound_(std::get<Compound>(a.shape.geometry())),
        radius_b_(bounding_radius(b.shape)) {
    best_.hit = Overlap::no;
    best_.time = kInfinity;
    best_.status = Status::converged;
  }

  CastResult run() {
    if (!walk()) return failed(refused_);
    if (best_.hit == Overlap::no) {
      best_.part_a = best_.part_b = -1;
    } else {
      best_.status = judged(best_, a_, b_, q_.options);
      if (!exact_ && best_.time == 0.0 && best_.time_upper == 0.0)
        best_.status = Status::precision_limit;
    }
    return best_;
  }

 private:
  // The parts on the way, the earlier half first. False where a pair of parts is refused.
  bool walk() {
    const MovingBall ball{a_.pose.to_local(b_.pose.position()),
                          a_.pose.direction_to_local(b_.motion - a_.motion), radius_b_, q_.last};
    const std::vector<PartNode>& nodes = ShapeAccess::data(compound_).nodes;
    NodeOnWay waiting[CompoundData::kDepth];
    int size = 0;
    const auto wait = [&](std::uint32_t node) {
      double first = 0.0;
      if (ball.meets(nodes[node], first)) waiting[size++] = {first, node};
    };
    wait(0);
    while (size > 0) {
      const auto [first, at] = waiting[--size];
      // Contacts proved to begin later than another do not matter.
      if (first > std::min(q_.last, best_.time_upper)) continue;
      if (nodes[at].is_leaf()) {
        if (!measure(nodes[at].part())) return false;
        continue;
      }
      const int before = size;
      wait(nodes[at].link);
      wait(at + 1);
      if (size == before + 2 && waiting[before].first < waiting[before + 1].first)
        std::swap(waiting[before], waiting[before + 1]);
    }
    return true;
  }

  bool measure(std::uint32_t index) {
    const Compound::Part& part = compound_.parts()[index];
    const Moving placed{part.shape, a_.pose * part.pose, a_.motion};
    const double last = std::min(q_.last, best_.time_upper);
    if (balls_miss(placed, bounding_radius(part.shape), b_, radius_b_, last)) return true;
    const double slack =
        q_.slack + kPlacing * (norm(part.pose.position()) + norm(b_.pose.position()));
    CastResult r = cast_pair(placed, b_, {q_.options, last, slack}, nullptr);
    if (r.status == Status::unsupported || r.status == Status::invalid_input) {
      refused_ = r.status;
      return false;
    }
    exact_ = exact_ && r.status == Status::converged;
    r.part_a = static_cast<std::int32_t>(index);
    take_part(best_, r);
    return true;
  }

  const Moving& a_;
  const Moving& b_;
  const Question& q_;
  const Compound& compound_;
  double radius_b_;
  CastResult best_;
  bool exact_ = true;
  Status refused_ = Status::converged;
};

CastResult cast_pair(const Moving& a, const Moving& b, const Question& q, QueryCache* cache) {
  const auto in_order = [&](ShapeType type, auto&& serve) {
    return a.shape.type() == type ? serve(a, b) : swapped(serve(b, a));
  };
  const auto is_point = [](const Shape& s) {
    return s.type() == ShapeType::sphere && std::get<Sphere>(s.geometry()).radius() == 0.0 &&
           s.rounding_radius() == 0.0;
  };
  switch (pair_row(a.shape, b.shape).kind) {
    case PairKind::convex:
      return cast_convex(a, b, q, cache);
    case PairKind::halfspace:
      return in_order(ShapeType::halfspace,
                      [&](const Moving& x, const Moving& y) { return cast_halfspace(x, y, q); });
    case PairKind::compound:
      return in_order(ShapeType::compound, [&](const Moving& x, const Moving& y) {
        return CompoundCast(x, y, q).run();
      });
    case PairKind::mesh:
      if (a.shape.type() == ShapeType::halfspace || b.shape.type() == ShapeType::halfspace) {
        return in_order(ShapeType::halfspace,
                        [&](const Moving& x, const Moving& y) { return cast_halfspace(x, y, q); });
      }
      return in_order(ShapeType::mesh, [&](const Moving& x, const Moving& y) {
        if (!is_point(y.shape)) return cast_mesh(x, y, q);
        return is_inside(x, y) ? cast_from_inside(x, y, q) : cast_point_at_mesh(x, y, q);
      });
    case PairKind::unsupported:
      break;
  }
  return failed(Status::unsupported);
}

// Relative to A's position, so that far from the world's origin nothing is lost.
CastResult cast_near_origin(const Moving& a, const Moving& b, double last,
                            const QueryOptions& given, QueryCache* cache) {
  if (!is_finite(a.pose) || !is_finite(b.pose) || !is_finite(a.motion) || !is_finite(b.motion))
    return failed(Status::invalid_input);
  const Method method = given.method;
  if (method != Method::automatic && method != Method::gjk && method != Method::closed_form)
    return failed(Status::unsupported);
  QueryOptions options = given;
  options.certificate = nullptr;
  options.derivatives = options.motion_derivatives = nullptr;
  options.max_distance = kInfinity;
  const Vec3 origin = a.pose.position();
  const Moving first{a.shape, detail::unchecked_pose({}, a.pose.rotation()), a.motion};
  const Moving second{
      b.shape, detail::unchecked_pose(b.pose.position() - origin, b.pose.rotation()), b.motion};
  const double lengths = detail::length_of(a.shape) + detail::length_of(b.shape);
  if (!detail::in_range(lengths + norm(a.motion) + norm(b.motion), second.pose.position()))
    return failed(Status::precision_limit);
  CastResult r = cast_pair(first, second, {options, last, 0.0}, cache);
  if (r.hit != Overlap::no) {
    r.point_a += origin;
    r.point_b += origin;
  }
  return r;
}

// A ray: a point that moves.
CastResult cast_point(const Shape& shape, const Pose& pose, const Shape& point, const Pose& start,
                      const Vec3& direction, double max_t, const QueryOptions& options) {
  const double speed = norm(direction);
  if (direction == Vec3{} || !is_finite(direction) || !(max_t >= 0.0))
    return failed(Status::invalid_input);
  if (!(speed >= kLeastSpeed)) return failed(Status::precision_limit);
  // Beyond the ball that holds the shape there is nothing to meet.
  const double reach = (norm(pose.position() - start.position()) + bounding_radius(shape)) * kBall;
  const double last = std::min(max_t, 2.0 * reach / speed);
  return cast_near_origin({shape, pose, {}}, {point, start, direction}, last, options, nullptr);
}

}  // namespace

CastResult cast(const Shape& a, const Pose& pose_a, const Vec3& motion_a, const Shape& b,
                const Pose& pose_b, const Vec3& motion_b, const QueryOptions& options,
                QueryCache* cache) noexcept {
  CastResult r =
      cast_near_origin({a, pose_a, motion_a}, {b, pose_b, motion_b}, 1.0, options, cache);
  if (options.certificate != nullptr) {
    detail::certify(a, pose_a, {motion_a, {}}, b, pose_b, {motion_b, {}}, r, *options.certificate);
  }
  fill_time_derivatives(a, pose_a, {motion_a, {}}, b, pose_b, {motion_b, {}}, r, 1.0, options);
  return r;
}

Overlap swept_overlap(const Shape& a, const Pose& pose_a_t0, const Pose& pose_a_t1, const Shape& b,
                      const Pose& pose_b_t0, const Pose& pose_b_t1) noexcept {
  if (a.type() == ShapeType::halfspace || b.type() == ShapeType::halfspace)
    return Overlap::undecided;
  for (const Pose* pose : {&pose_a_t0, &pose_a_t1, &pose_b_t0, &pose_b_t1}) {
    if (!is_finite(*pose)) return Overlap::undecided;
  }
  // Seen from A's origin, only B moves along; the rest is rotation.
  const auto placed = [](const Pose& pose, const Vec3& position) {
    return detail::unchecked_pose(position, pose.rotation());
  };
  const Vec3 b_t0 = pose_b_t0.position() - pose_a_t0.position();
  const Vec3 b_t1 = pose_b_t1.position() - pose_a_t1.position();
  if (!detail::in_range(detail::length_of(a) + detail::length_of(b) + norm(b_t0), b_t1))
    return Overlap::undecided;
  const SweptHull hull_a(a, placed(pose_a_t0, {}), placed(pose_a_t1, {}));
  const SweptHull hull_b(b, placed(pose_b_t0, {}), placed(pose_b_t1, b_t1 - b_t0));
  Cso cso(hull_a.core(), Pose(), hull_b.core(), Pose::translation(b_t0));
  const double positions = norm(b_t0) + norm(b_t1);
  cso.error_bound += kPlacing * (positions + cso.size());
  ConvexOptions options;
  options.sign_only = true;
  Epa epa;
  const ConvexAnswer answer = search_pair(cso, options, epa);
  if (answer.lower > 0.0) return Overlap::no;
  return answer.upper < 0.0 ? Overlap::yes : Overlap::undecided;
}

CastResult ray_cast(const Shape& shape, const Pose& pose, const Vec3& origin, const Vec3& direction,
                    double max_t, const QueryOptions& options) noexcept {
  const Shape point = Sphere(0.0);
  const Pose start = Pose::translation(origin);
  CastResult r = cast_point(shape, pose, point, start, direction, max_t, options);
  fill_time_derivatives(shape, pose, {}, point, start, {direction, {}}, r, max_t, options);
  return r;
}

}  // namespace tactus
