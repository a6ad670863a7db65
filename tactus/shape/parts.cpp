#include "tactus/shape/parts.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/shape.hpp"
#include "tactus/shape/access.hpp"

namespace tactus::detail {
namespace {

// Largest difference between a half-space's unit normal and itself after a way through the world.
constexpr double kSameNormal = 64.0 * kUnit;
// Rounding of an axis of symmetry in the world, and of the part of a vector across it.
constexpr double kAxis = 16.0 * kUnit;

struct Placement {
  Mat3 rotation;
  Vec3 position;
};

Placement placed(const Pose& pose, const RigidMotion& motion, double time) {
  const Pose p = time == 0.0 ? pose : pose_at(pose, motion, time);
  return {p.rotation(), p.position()};
}

double reach_of(const Shape& shape) {
  const double r = bounding_radius(shape);
  const auto* plane = std::get_if<HalfSpace>(&shape.geometry());
  return plane != nullptr ? std::fabs(plane->offset()) : r;
}

// The axis of a body of revolution; nothing of a ball; any other body turns as a whole.
enum class Symmetry { none, axis, ball };

Symmetry symmetry(const Shape& shape) {
  if (!shape.is_convex_body()) return Symmetry::none;
  const Core& core = core_of(shape);
  switch (core.kind) {
    case CoreKind::point:
      return Symmetry::ball;
    case CoreKind::segment:
    case CoreKind::cylinder:
    case CoreKind::cone:
      return Symmetry::axis;
    case CoreKind::ellipsoid:
      return core.half.x == core.half.y ? Symmetry::axis : Symmetry::none;
    default:
      return Symmetry::none;
  }
}

// How a part turns with its body, as a set: what is round about an axis u is the same set without
// its turn about u, exp(t w) exp(-t (w . u) u), whose first derivative is v = w - (w . u) u and
// whose second is at most |v|^2 + |w . u| |v| at every time.
struct Turning {
  Vec3 body, part;  ///< angular velocities of the part's origin and of the part about it
  double bend;      ///< |x(t) - first order| <= t^2 bend + |t| blur
  double blur = 0.0;
};

Turning turning(const Part& part, const Mat3& rotation, const Vec3& angular) {
  const double spin = norm(angular);
  const double origin = norm(part.in_body.position());
  const Symmetry round = symmetry(*part.shape);
  if (round == Symmetry::none || spin == 0.0)
    return {angular, angular, 0.5 * spin * spin * part.reach};
  const double rest = part.reach - origin, of_origin = 0.5 * spin * spin * origin;
  if (round == Symmetry::ball) return {angular, {}, of_origin};
  const Vec3 axis = rotation * part.in_body.direction_to_world({0.0, 0.0, 1.0});
  const double about = dot(angular, axis);
  const Vec3 across = angular - axis * about;
  const double left = norm(across) + kAxis * spin;
  const double bend = 0.5 * left * (left + std::fabs(about)) * rest;
  return {angular, across, of_origin + bend, kAxis * spin * rest};
}

// Largest m . x + way n . x' over points x of a part that turns.
double height(const Part& part, const Mat3& rotation, Range pieces, const Vec3& m, const Vec3& n,
              const Turning& turn, double way) {
  const double own = height(part, rotation, pieces, m + cross(n, turn.part) * way);
  const Vec3 of_origin = cross(n, turn.body - turn.part) * way;
  return own + dot(of_origin, rotation * part.in_body.position());
}

// A half-space `plane` and another body at the middle of a time [-half, half], one of them turning.
// With y from the plane's origin to a point of the body, n(t) . y(t) differs from its first order
// by at most t^2 (w_n |y'| + w_n^2 |y| / 2 + w^2 |q| / 2) and what the last term gains as n turns
// on.
double gap_of_turning_plane(const Part& plane, const Placement& at, const RigidMotion& motion,
                            const Part& body, Range pieces, const Placement& there,
                            const RigidMotion& body_motion, double half, double roundings) {
  const double offset = std::get<HalfSpace>(plane.shape->geometry()).offset();
  const Vec3 n = plane_normal(plane, at.rotation);
  const Vec3 turn = cross(motion.angular, n);
  const Vec3 between = there.position - (at.position + at.rotation * plane.in_body.position());
  const Vec3 motion_between = body_motion.linear - motion.linear -
                              cross(motion.angular, at.rotation * plane.in_body.position());
  const double spin = norm(motion.angular), body_spin = norm(body_motion.angular);
  const Turning turned = turning(body, there.rotation, body_motion.angular);
  const double away = norm(between) + half * norm(motion_between) + body.reach;
  double least = kInfinity;
  for (const double way : {-half, half}) {
    const double low = -height(body, there.rotation, pieces, -(n + turn * way), -n, turned, way) +
                       dot(n, between) + way * (dot(turn, between) + dot(n, motion_between));
    least = std::min(least, low - offset);
  }
  const double square = half * half;
  const double swing = turned.bend * (1.0 + half * spin);
  const double frame = spin * spin * norm(plane.in_body.position());
  const double bend = spin * (norm(motion_between) + body_spin * body.reach) +
                      0.5 * spin * spin * away + swing + frame;
  return least - square * bend - half * turned.blur -
         roundings * kUnit * (away + std::fabs(offset));
}

}  // namespace

std::vector<Part> parts_of(const Shape& shape) {
  std::vector<Part> parts;
  const auto add = [&](const Shape& part, const Pose& pose, std::size_t index, bool whole) {
    parts.push_back({&part, std::get_if<Mesh>(&part.geometry()), pose,
                     whole ? -1 : static_cast<std::int32_t>(index),
                     reach_of(part) + norm(pose.position())});
  };
  const auto* compound = std::get_if<Compound>(&shape.geometry());
  if (compound == nullptr) {
    add(shape, Pose(), 0, true);
    return parts;
  }
  for (std::size_t i = 0; i < compound->parts().size(); ++i)
    add(compound->parts()[i].shape, compound->parts()[i].pose, i, false);
  return parts;
}

double height(const Part& part, const Mat3& rotation, Range pieces, const Vec3& m) {
  const double length = norm(m);
  if (!(length > 0.0)) return 0.0;
  const Vec3 in_body = transpose_times(rotation, m);
  const Vec3 local = part.in_body.direction_to_local(in_body);
  const double offset = dot(in_body, part.in_body.position());
  if (const auto* h = std::get_if<HalfSpace>(&part.shape->geometry())) {
    return norm(local / length - h->normal()) <= kSameNormal ? offset + h->offset() * length
                                                             : kInfinity;
  }
  if (part.mesh == nullptr) return offset + support_value(*part.shape, local / length) * length;
  double most = -kInfinity;
  for (std::size_t i = pieces.first; i < pieces.last; ++i) {
    for (std::size_t k = 0; k < 3; ++k) most = std::max(most, dot(local, part.corner(i, k)));
  }
  return offset + most;
}

Vec3 plane_normal(const Part& part, const Mat3& rotation) {
  const Vec3& own = std::get<HalfSpace>(part.shape->geometry()).normal();
  return rotation * part.in_body.direction_to_world(own);
}

double gap(const Pair& pair, const Part& a, Range of_a, const Part& b, Range of_b, const Vec3& n,
           double t0, double t1, double roundings) {
  const RigidMotion &motion_a = pair.motion_a, &motion_b = pair.motion_b;
  const bool turns = motion_a.angular != Vec3{} || motion_b.angular != Vec3{};
  const double half = 0.5 * (t1 - t0);
  if (turns && (a.is(ShapeType::halfspace) || b.is(ShapeType::halfspace))) {
    const Placement at_a = placed(pair.a, motion_a, t0 + half);
    const Placement at_b = placed(pair.b, motion_b, t0 + half);
    return a.is(ShapeType::halfspace)
               ? gap_of_turning_plane(a, at_a, motion_a, b, of_b, at_b, motion_b, half, roundings)
               : gap_of_turning_plane(b, at_b, motion_b, a, of_a, at_a, motion_a, half, roundings);
  }
  double most = -kInfinity;
  for (const double end : {t0, t1}) {
    // Without turning every time is its own middle, and nothing but the ends is rounded.
    const double middle = turns ? t0 + half : end;
    const double way = turns ? (end == t0 ? -half : half) : 0.0;
    const Placement at_a = placed(pair.a, motion_a, middle);
    const Placement at_b = placed(pair.b, motion_b, middle);
    Vec3 along = n;
    if (a.is(ShapeType::halfspace)) along = plane_normal(a, at_a.rotation);
    if (b.is(ShapeType::halfspace)) along = -plane_normal(b, at_b.rotation);
    const double length = norm(along);
    if (!(length > 0.0) || !std::isfinite(length)) return -kInfinity;
    const Vec3 unit = along / length;
    const Vec3 motion = (motion_b.linear - motion_a.linear) * way;
    const Turning turn_a = turning(a, at_a.rotation, motion_a.angular);
    const Turning turn_b = turning(b, at_b.rotation, motion_b.angular);
    const double value = height(a, at_a.rotation, of_a, unit, unit, turn_a, way) +
                         height(b, at_b.rotation, of_b, -unit, -unit, turn_b, way) -
                         dot(unit, (at_b.position - at_a.position) + motion);
    const double size = a.reach + b.reach + norm(at_a.position) + norm(at_b.position) +
                        std::fabs(way) * (norm(motion_a.linear) + norm(motion_b.linear));
    const double bend = (turn_a.bend + turn_b.bend) * way * way;
    const double blur = (turn_a.blur + turn_b.blur) * std::fabs(way);
    most = std::max(most, value + bend + blur + roundings * kUnit * size);
    if (t0 == t1) break;
  }
  return -most;
}

double lengths(const Pair& pair, const Part& a, const Part& b, double time) {
  double sum = a.reach + b.reach + norm(pair.a.position()) + norm(pair.b.position());
  if (time > 0.0) {
    sum += time * (norm(pair.motion_a.linear) + norm(pair.motion_b.linear) +
                   norm(pair.motion_a.angular) * a.reach + norm(pair.motion_b.angular) * b.reach);
  }
  return sum;
}

const Part* find_part(const std::vector<Part>& parts, std::int32_t index) {
  for (const Part& part : parts) {
    if (part.index == index) return &part;
  }
  return nullptr;
}

}  // namespace tactus::detail
