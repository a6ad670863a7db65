#include "tactus/rigid/solver/contact_constraint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tactus/rigid/body/locks.hpp"

namespace tactus::detail {

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
  curvature = 0.0;
  creep[0] = creep[1] = 0.0;
  surface.friction = patch.surface.friction;
  surface.restitution = patch.surface.restitution;
  drive = patch.drive;
  open = count > 0;
  on_seam = patch.on_seam;
  // Without points nothing is known of its gap.
  least_gap = on_seam && count == 0 ? 0.0 : patch.reach;
  shift = (b.shift + b.linear * ahead) - (a.shift + a.linear * ahead);
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

bool ContactConstraint::pushes() const {
  const auto found = all_points();
  return rolling_impulse != Vec3{} || std::any_of(found.begin(), found.end(), [](const Point& p) {
           return p.normal_impulse != 0.0 || p.friction_impulse[0] != 0.0 ||
                  p.friction_impulse[1] != 0.0;
         });
}

ContactConstraint::Impulse ContactConstraint::impulse() const {
  double along[3] = {};
  Impulse all;
  for (const Point& p : all_points()) {
    const double impulse[] = {p.normal_impulse, p.friction_impulse[0], p.friction_impulse[1]};
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

void ContactConstraint::set_curvature(double foreseen, double found, int substeps, double substep,
                                      std::span<const SolverBody> bodies) {
  if (substeps == 0 || !std::isfinite(found - foreseen)) return;
  const SolverBody& a = bodies[body_a];
  const SolverBody& b = bodies[body_b];
  // The centre of a body that rolls is accelerated, too; more comes from another place.
  const double most = 16.0 * substep * substep *
                      (squared_norm(a.angular) * a.radius + squared_norm(b.angular) * b.radius);
  curvature = std::clamp(2.0 * (found - foreseen) / (substeps * substeps), -most, most);
}

void ContactConstraint::set_creep(const BothVec3& before, int substeps,
                                  std::span<const SolverBody> bodies) {
  if (substeps == 0) return;
  const double half = 0.5 / substeps;
  const Vec3 change = cross(bodies[body_b].angular, (points[0].arm.b() - before.b()) * half) -
                      cross(bodies[body_a].angular, (points[0].arm.a() - before.a()) * half);
  for (int i = 0; i < 2; ++i) creep[i] = dot(tangent[i], change);
}

double ContactConstraint::moved(std::span<const SolverBody> bodies, double ahead) const {
  const SolverBody& a = bodies[body_a];
  const SolverBody& b = bodies[body_b];
  const Vec3 shifted = ((b.shift + b.linear * ahead) - (a.shift + a.linear * ahead)) - shift;
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

bool ContactConstraint::moved_beyond(double bound, std::span<const SolverBody> bodies) const {
  const SolverBody& a = bodies[body_a];
  const SolverBody& b = bodies[body_b];
  const double most =
      most_length((b.shift - a.shift) - shift) + (most_length(a.rotation - rotation_a) * a.radius +
                                                  most_length(b.rotation - rotation_b) * b.radius);
  return most > bound && moved(bodies, 0.0) > bound;
}

}  // namespace tactus::detail
