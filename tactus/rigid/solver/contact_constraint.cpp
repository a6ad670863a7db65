#include "tactus/rigid/solver/contact_constraint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tactus/core/constants.hpp"
#include "tactus/rigid/body/locks.hpp"

namespace tactus::detail {
namespace {

/// Fewer points than these may roll.
constexpr int kLeastOfFace = 3;
/// Friction below this part of its bound holds.
constexpr double kSticks = 0.99;
/// A place of contact that rolls comes into a substep with its creep, and leaves it with the
/// opposite, so that the impulse does no work. What it comes with beside that is turned round, too,
/// up to this part of the creep; but for a part, so that it dies away.
constexpr double kKeptRest = 0.99, kMostRest = 0.25;

}  // namespace

void ContactConstraint::place(const ContactPatch& patch, std::span<const SolverBody> bodies,
                              double ahead, const PatchImpulses* impulses) {
  const SolverBody& a = bodies[patch.body_a];
  const SolverBody& b = bodies[patch.body_b];
  body_a = patch.body_a;
  body_b = patch.body_b;
  count = patch.manifold.count;
  normal = patch.manifold.normal;
  tangent[0] = any_perpendicular(normal);
  tangent[1] = cross(normal, tangent[0]);
  size = patch.size;
  rolling_impulse = {};
  if (resists_turning()) {
    const Mat3 turning = a.inverse_inertia + b.inverse_inertia;
    angular_mass = (a.locked | b.locked) != 0 ? inverse_where_free(turning) : inverse(turning);
    if (impulses != nullptr) rolling_impulse = impulses->rolling;
  }
  age = 0;
  creeps = held = false;
  surface.friction = pinched ? kPinchedFriction : patch.surface.friction;
  surface.restitution = patch.surface.restitution;
  drive = patch.drive;
  image_velocity = patch.image_velocity;
  open = count > 0;
  on_seam = patch.on_seam;
  // Without points nothing is known of its gap.
  least_gap = on_seam && count == 0 ? 0.0 : patch.reach;
  shift = (b.shift + b.linear * ahead) - (a.shift + a.linear * ahead) +
          image_velocity * (b.elapsed + ahead);
  rotation_a = a.rotation + a.angular * ahead;
  rotation_b = b.rotation + b.angular * ahead;
  Vec3 center;
  double load_of_points = 0.0;
  BothVec3 load_at;
  for (int k = 0; k < count; ++k) {
    const ContactPoint& contact = patch.manifold.points[static_cast<std::size_t>(k)];
    const bool apart = -contact.depth > kOpenGap * patch.size;
    open = open && apart;
    least_gap = std::min(least_gap, std::max(-contact.depth, 0.0));
    Point& p = points[k];
    p = {};
    // Touching bodies share one point, so that the impulses have no moment of their own. Open
    // points are each body's own: they come together when the gap closes.
    const Vec3 middle = (contact.point_a + contact.point_b) * 0.5;
    center += middle * (1.0 / count);
    p.arm = both((apart ? contact.point_a : middle) - patch.center_a,
                 (apart ? contact.point_b : middle) - patch.center_b);
    // The gap that belongs to the first-order changes since the detection of the step, and to those
    // that are to come.
    p.gap = -contact.depth;
    p.gap += (p.gap - gap(p, a, b)) - ahead * speed(p, a, b);
    if (impulses == nullptr) continue;
    p.normal_impulse = impulses->normal[static_cast<std::size_t>(k)];
    const Vec3& friction = impulses->friction[static_cast<std::size_t>(k)];
    p.friction_impulse[0] = dot(tangent[0], friction);
    p.friction_impulse[1] = dot(tangent[1], friction);
    load_of_points += p.normal_impulse;
    load_at += p.arm * p.normal_impulse;
  }
  adheres = false;
  if (patch.surface.adhesion > 0.0) {
    const double pull = patch.pull() * substep;
    for (int k = 0; k < count; ++k) {
      if (!patch.sticks(patch.manifold.points[static_cast<std::size_t>(k)])) continue;
      points[k].pull = pull;
      adheres = true;
    }
  }
  gathered = 1.0 - patch.spread;
  load_center = load_of_points > kLeastLoad
                    ? load_at * (1.0 / load_of_points)
                    : both(center - patch.center_a, center - patch.center_b);
}

void ContactConstraint::find_belts(bool gathering, double (*belts)[2]) const {
  Vec3 middle;
  for (const Point& p : all_points()) middle += p.arm.b() * (1.0 / count);
  for (int k = 0; k < count; ++k) {
    const Vec3 arm = gathering ? friction_arm(points[k]).b() : points[k].arm.b();
    const Vec3 turned = cross(normal, arm - middle) * drive.z;
    belts[k][0] = drive.x + dot(tangent[0], turned);
    belts[k][1] = drive.y + dot(tangent[1], turned);
  }
}

PatchImpulses PatchImpulses::scaled(double factor) const {
  PatchImpulses result = *this;
  for (double& impulse : result.normal) impulse *= factor;
  for (Vec3& impulse : result.friction) impulse *= factor;
  result.rolling *= factor;
  return result;
}

double PatchImpulses::load() const { return std::accumulate(normal.begin(), normal.end(), 0.0); }

PatchImpulses ContactConstraint::impulses() const {
  PatchImpulses result;
  result.rolling = rolling_impulse;
  for (int k = 0; k < count; ++k) {
    const Point& p = points[k];
    result.normal[static_cast<std::size_t>(k)] = p.normal_impulse;
    result.friction[static_cast<std::size_t>(k)] =
        tangent[0] * p.friction_impulse[0] + tangent[1] * p.friction_impulse[1];
  }
  return result;
}

double ContactPatch::pull() const {
  const auto all = manifold.span();
  const auto near =
      std::count_if(all.begin(), all.end(), [&](const ContactPoint& p) { return sticks(p); });
  return near == 0 ? 0.0
                   : 1.5 * kPi * surface.adhesion * reduced_radius / static_cast<double>(near);
}

bool ContactConstraint::pushes() const {
  const auto found = all_points();
  return adheres || rolling_impulse != Vec3{} ||
         std::any_of(found.begin(), found.end(), [](const Point& p) {
           return p.normal_impulse != 0.0 || p.friction_impulse[0] != 0.0 ||
                  p.friction_impulse[1] != 0.0;
         });
}

double ContactConstraint::slip_work(std::span<const SolverBody> bodies) const {
  const SolverBody& a = bodies[body_a];
  const SolverBody& b = bodies[body_b];
  double work = 0.0;
  for (const Point& p : all_points()) {
    const double bound = kSticks * surface.friction * p.normal_impulse;
    const Vec3 friction = tangent[0] * p.friction_impulse[0] + tangent[1] * p.friction_impulse[1];
    if (squared_norm(friction) < bound * bound) continue;
    const BothVec3 speed =
        both(a.linear, b.linear) + cross(both(a.angular, b.angular), friction_arm(p));
    work += dot(friction, speed.difference());
  }
  return std::min(work, 0.0);
}

ContactConstraint::Impulse ContactConstraint::impulse() const {
  double along[3] = {};
  Impulse all;
  for (const Point& p : all_points()) {
    const double impulse[] = {p.normal_impulse - p.pull, p.friction_impulse[0],
                              p.friction_impulse[1]};
    for (int i = 0; i < 3; ++i) along[i] += impulse[i];
    const Vec3 friction = tangent[0] * impulse[1] + tangent[1] * impulse[2];
    all.angular +=
        cross(p.arm, opposed(normal * impulse[0])) + cross(friction_arm(p), opposed(friction));
  }
  all.linear = normal * along[0] + (tangent[0] * along[1] + tangent[1] * along[2]);
  all.angular += opposed(rolling_impulse);
  return all;
}

void ContactConstraint::change_impulse(const Impulse& change, SolverBody& a, SolverBody& b) {
  if (a.inverse_mass > 0.0) {
    a.impulse -= change.linear;
    a.angular_impulse += change.angular.a();
  }
  if (b.inverse_mass > 0.0) {
    b.impulse += change.linear;
    b.angular_impulse += change.angular.b();
  }
}

Vec3 ContactConstraint::within_resistance(const Vec3& wanted, double pressing) const {
  const double twist = dot(normal, wanted);
  const Vec3 roll = wanted - normal * twist;
  const double twist_limit = torsion_bound * pressing, roll_limit = rolling_bound * pressing;
  const double roll_size = norm(roll);
  return normal * std::clamp(twist, -twist_limit, twist_limit) +
         (roll_size > roll_limit ? roll * (roll_limit / roll_size) : roll);
}

double ContactConstraint::nearest_gap(std::span<const SolverBody> bodies) const {
  double least = std::numeric_limits<double>::infinity();
  for (const Point& p : all_points())
    least = std::min(least, gap(p, bodies[body_a], bodies[body_b]));
  return least;
}

/// How each point moves on beside both centres of mass, and the gap that it comes to; false where
/// one is not found again.
bool ContactConstraint::follow(const Manifold& ahead, const BothVec3& centers, double farthest,
                               std::span<Moved> moved) const {
  if (ahead.count != count) return false;
  for (std::size_t k = 0; k < moved.size(); ++k) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const ContactPoint& contact : ahead.span()) {
      const Vec3 middle = (contact.point_a + contact.point_b) * 0.5;
      const BothVec3 arm = (both(middle, middle) - centers) - points[k].arm;
      const double way = std::max(squared_norm(arm.a()), squared_norm(arm.b()));
      if (!(way < nearest)) continue;
      nearest = way;
      moved[k] = {arm, -contact.depth};
    }
    if (!(nearest <= farthest * farthest)) return false;
  }
  return true;
}

void ContactConstraint::set_creep(const Manifold& ahead, const Vec3& image, const Course& a,
                                  const Course& b, std::span<const SolverBody> bodies,
                                  double substep, double farthest) {
  Moved all[Manifold::kCapacity];
  const auto moved = std::span(all).first(static_cast<std::size_t>(count));
  held = creeps = follow(ahead, both(a.center_ahead, b.center_ahead + image), farthest, moved);
  if (!creeps) return;
  double loads = 0.0;
  BothVec3 moved_load;
  for (std::size_t k = 0; k < moved.size(); ++k) {
    loads += points[k].normal_impulse;
    moved_load += moved[k].arm * points[k].normal_impulse;
  }
  const bool loaded = loads > kLeastLoad;
  const Vec3 axes[] = {normal, tangent[0], tangent[1]};
  const Vec3 turned = (ahead.normal - normal) * 0.5;
  const BothVec3 spin = both(a.angular, b.angular);
  for (std::size_t k = 0; k < moved.size(); ++k) {
    Point& p = points[k];
    const BothVec3 center = loaded ? moved_load * (1.0 / loads) : moved[k].arm;
    const BothVec3 arms[] = {p.arm, friction_arm(p)};
    const BothVec3 moves[] = {moved[k].arm, moved[k].arm + (center - moved[k].arm) * gathered};
    const auto speed = [&](const BothVec3& linear, const BothVec3& angular, int i) {
      return dot(axes[i], (linear + cross(angular, arms[std::min(i, 1)])).difference());
    };
    double whole = 0.0, rest[3] = {};
    for (int i = 0; i < 3; ++i) {
      p.creep[i] = 0.5 * dot(axes[i], cross(spin, moves[std::min(i, 1)]).difference());
      if (i == 0)
        p.creep[0] += dot(turned, (both(a.linear, b.linear) + cross(spin, p.arm)).difference());
      p.swerve[i] = speed({}, both(a.turned, b.turned), i);
      rest[i] = speed(both(a.linear_before, b.linear_before),
                      both(a.angular_before, b.angular_before), i) -
                (p.creep[i] + p.swerve[i]);
      whole += std::fabs(p.creep[i]) + std::fabs(p.swerve[i]);
    }
    for (int i = 0; i < 3; ++i)
      p.creep[i] += std::clamp(kKeptRest * rest[i], -kMostRest * whole, kMostRest * whole);
    p.bend = (moved[k].gap - gap(p, bodies[body_a], bodies[body_b])) / substep -
             speed(both(a.linear_after, b.linear_after), both(a.angular_after, b.angular_after), 0);
  }
}

void ContactConstraint::set_carried_creep(std::span<const SolverBody> bodies, double substep) {
  const SolverBody& a = bodies[body_a];
  const SolverBody& b = bodies[body_b];
  const auto turned = [](const SolverBody& body) {
    return body.inverse_mass == 0.0 && body.angular != Vec3{};
  };
  if (count < kLeastOfFace || !(turned(a) || turned(b))) return;
  const BothVec3 angular = both(a.angular, b.angular);
  for (int k = 0; k < count; ++k) {
    Point& p = points[k];
    const auto along = [&](const BothVec3& arm) {
      return cross(angular, cross(angular, arm)).difference() * (0.5 * substep);
    };
    p.creep[0] = p.bend = dot(normal, along(p.arm));
    for (int i = 0; i < 2; ++i) p.creep[i + 1] = dot(tangent[i], along(friction_arm(p)));
  }
  creeps = true;
}

double ContactConstraint::moved(std::span<const SolverBody> bodies, double ahead) const {
  const SolverBody& a = bodies[body_a];
  const SolverBody& b = bodies[body_b];
  const Vec3 shifted = ((b.shift + b.linear * ahead) - (a.shift + a.linear * ahead)) +
                       image_velocity * (b.elapsed + ahead) - shift;
  const Vec3 turned_a = (a.rotation + a.angular * ahead) - rotation_a;
  const Vec3 turned_b = (b.rotation + b.angular * ahead) - rotation_b;
  return norm(shifted) + (norm(turned_a) * a.radius + norm(turned_b) * b.radius);
}

double ContactConstraint::tilted(std::span<const SolverBody> bodies) const {
  const SolverBody& a = bodies[body_a];
  const SolverBody& b = bodies[body_b];
  return norm(cross(a.rotation - rotation_a, normal)) * a.radius +
         norm(cross(b.rotation - rotation_b, normal)) * b.radius;
}

double ContactConstraint::bent(std::span<const SolverBody> bodies) const {
  const SolverBody& a = bodies[body_a];
  const SolverBody& b = bodies[body_b];
  return 0.5 * (squared_norm(a.rotation - rotation_a) * a.radius +
                squared_norm(b.rotation - rotation_b) * b.radius);
}

bool ContactConstraint::moved_beyond(double bound, std::span<const SolverBody> bodies) const {
  const SolverBody& a = bodies[body_a];
  const SolverBody& b = bodies[body_b];
  const double most = most_length((b.shift - a.shift) + image_way(b) - shift) +
                      (most_length(a.rotation - rotation_a) * a.radius +
                       most_length(b.rotation - rotation_b) * b.radius);
  return most > bound && moved(bodies, 0.0) > bound;
}

}  // namespace tactus::detail
