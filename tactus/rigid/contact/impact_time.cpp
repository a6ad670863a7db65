#include "tactus/rigid/contact/impact_time.hpp"

#include <algorithm>
#include <limits>

namespace tactus::detail {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Bodies that touch and turn fast are looked at again when they could overlap by this part.
constexpr double kLookAgain = 0.005;
/// `ImpactTime::kTurning` of a patch that creeps: it follows to second order.
constexpr double kTurningAlong = 0.05;

/// How long bodies that touch take to overlap by kLookAgain at most.
double look_again(const ContactConstraint& c, const SolverBody& a, const SolverBody& b) {
  const double speed = most_length(c.closing(a, b)) +
                       (most_length(a.angular) * a.radius + most_length(b.angular) * b.radius);
  return kLookAgain * c.size / speed;
}

}  // namespace

double ImpactTime::next(const ContactConstraint& c, const ImpactQueue::Track& track,
                        double from) const {
  if (c.on_seam && c.count == 0) return kNever;
  const double turn = next_turn(c, track, from);
  return std::min(turn, next_impact(c, track, from));
}

/// When the gap of an approaching point closes.
double ImpactTime::next_impact(const ContactConstraint& c, const ImpactQueue::Track& track,
                               double from) const {
  if (track.impacts >= kMaxImpacts || track.looks >= kMaxLooks) return kNever;
  const auto bodies = step_.moving->solver_bodies();
  const SolverBody& a = bodies[c.body_a];
  const SolverBody& b = bodies[c.body_b];
  const double enough = step_.threshold(c);
  // Most pairs are too slow to approach anywhere: no point is needed to see it.
  if (most_length(c.closing(a, b)) +
          (most_length(a.angular) * a.radius + most_length(b.angular) * b.radius) <=
      kSlower * enough)
    return kNever;
  double time = kNever;
  for (const ContactConstraint::Point& p : c.all_points()) {
    // The approach that is foreseen of a place that moves on is no impact.
    const double approach = -c.speed(p, a, b) + std::min(p.creep[0], 0.0);
    if (!(approach > enough)) continue;
    time = std::min(time, std::max(c.gap(p, a, b) / approach, from));
  }
  // The velocities of the start do not foresee how the bodies turn on: they may ask again and again
  // for a time that has gone by, at which nothing hits. The next look comes when the bodies have
  // moved on.
  if (track.again && time <= track.looked) time = track.looked + look_again(c, a, b);
  return time;
}

/// When bodies that turn fast could first be nearer than now.
double ImpactTime::next_turn(const ContactConstraint& c, const ImpactQueue::Track& track,
                             double from) const {
  const auto bodies = step_.moving->solver_bodies();
  const SolverBody& a = bodies[c.body_a];
  const SolverBody& b = bodies[c.body_b];
  // Turns about the normal leave the gap as it is.
  const auto together = [&](const Vec3& rotation_a, const Vec3& rotation_b) {
    return norm(cross(rotation_a, c.normal)) * a.radius +
           norm(cross(rotation_b, c.normal)) * b.radius;
  };
  // Most bodies turn too slowly for that: no root is needed to see it.
  const double most = most_length(a.angular) * a.radius + most_length(b.angular) * b.radius;
  const double slow = (c.creeps ? kTurningAlong : kTurning) * c.size;
  if (!c.open && most * step_.substep <= slow) return kNever;
  const double turning = together(a.angular, b.angular);
  const double turned =
      c.open ? together(a.rotation - c.rotation_a, b.rotation - c.rotation_b) : 0.0;
  if (!(turned + turning * step_.substep > slow)) return kNever;
  const double speed = std::max(dot(c.normal, c.closing(a, b)), 0.0) + turning;
  const double start = std::max(from, track.looked);
  const double room = c.least_gap - c.moved(bodies, start);
  return start + std::max(room, track.looks > 0 ? kLookAgain * c.size : 0.0) / speed;
}

}  // namespace tactus::detail
