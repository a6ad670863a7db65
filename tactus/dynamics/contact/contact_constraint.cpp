#include "tactus/dynamics/contact/contact_constraint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tactus::detail {
namespace {

/// The centre of a load has moved when it has by this part of the size.
constexpr double kSameCenter = 1e-6;

ContactConstraint::Row row_at(const BothVec3& arm, const Vec3& axis,
                              const BothMat3& inverse_inertia) {
  const BothVec3 moment = cross(arm, opposed(axis));
  return {moment, inverse_inertia * moment};
}

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
  spread = patch.spread;
  rolling_impulse = {};
  if (rolling_bound > 0.0 || torsion_bound > 0.0) {
    angular_mass = inverse(a.inverse_inertia + b.inverse_inertia);
    if (impulses != nullptr) rolling_impulse = impulses->rolling;
  }
  age = 0;
  curvature = 0.0;
  creep[0] = creep[1] = 0.0;
  open = count > 0;
  least_gap = patch.reach;
  shift = (b.shift + b.linear * ahead) - (a.shift + a.linear * ahead);
  turn = a.turn + a.angular * ahead;
  turn_b = b.turn + b.angular * ahead;
  Vec3 center;
  for (const ContactPoint& contact : patch.manifold.span())
    center += (contact.point_a + contact.point_b) * (0.5 / count);
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
    arms[k] = both((apart ? contact.point_a : middle) - patch.center_a,
                   (apart ? contact.point_b : middle) - patch.center_b);
    p.gap = -contact.depth;
    if (impulses == nullptr) continue;
    p.normal_impulse = impulses->normal[static_cast<std::size_t>(k)];
    const Vec3& friction = impulses->friction[static_cast<std::size_t>(k)];
    p.friction_impulse[0] = dot(tangent[0], friction);
    p.friction_impulse[1] = dot(tangent[1], friction);
  }
  if (spread != 1.0) {
    gather_friction(both(center - patch.center_a, center - patch.center_b));
    follow_load();
  }
  set_rows(a, b);
  steady = a.steady_inertia && b.steady_inertia;
  // The gap that belongs to the first-order changes since the detection of the step, and to those
  // that are to come.
  const PatchVelocities v(*this, a, b);
  const PatchPlaces places(*this, a, b);
  for (Point& p : std::span(points, static_cast<std::size_t>(count))) {
    p.gap += (p.gap - places.gap(p)) - ahead * v.along(p, 0);
    set_masses(p, v.inverse_mass);
  }
}

void ContactConstraint::set_rows(const SolverBody& a, const SolverBody& b) {
  const BothMat3 inverse_inertia = both(a.inverse_inertia, b.inverse_inertia);
  for (int k = 0; k < count; ++k)
    set_rows(points[k], arms[k], spread == 1.0 ? arms[k] : rubs[k], inverse_inertia);
}

void ContactConstraint::set_rows(Point& p, const BothVec3& arm, const BothVec3& friction_arm,
                                 const BothMat3& inverse_inertia) const {
  p.rows[0] = row_at(arm, normal, inverse_inertia);
  p.rows[1] = row_at(friction_arm, tangent[0], inverse_inertia);
  p.rows[2] = row_at(friction_arm, tangent[1], inverse_inertia);
}

void ContactConstraint::set_friction_rows(const SolverBody& a, const SolverBody& b) {
  const BothMat3 inverse_inertia = both(a.inverse_inertia, b.inverse_inertia);
  for (int k = 0; k < count; ++k) {
    points[k].rows[1] = row_at(rubs[k], tangent[0], inverse_inertia);
    points[k].rows[2] = row_at(rubs[k], tangent[1], inverse_inertia);
  }
}

void ContactConstraint::gather_friction(const BothVec3& center) {
  load_center = center;
  for (int k = 0; k < count; ++k) rubs[k] = center + (arms[k] - center) * spread;
}

bool ContactConstraint::follow_load() {
  double total = 0.0;
  BothVec3 sum;
  for (int k = 0; k < count; ++k) {
    total += points[k].normal_impulse;
    sum += arms[k] * points[k].normal_impulse;
  }
  if (!(total > 0.0)) return false;
  const BothVec3 center = sum * (1.0 / total);
  if (most_length((center - load_center).a()) <= kSameCenter * size) return false;
  gather_friction(center);
  return true;
}

void ContactConstraint::turn_rows(const SolverBody& a, const SolverBody& b) {
  const BothMat3 inverse_inertia = both(a.inverse_inertia, b.inverse_inertia);
  for (Point& p : std::span(points, static_cast<std::size_t>(count))) {
    for (Row& row : p.rows) row.angular = inverse_inertia * row.moment;
  }
}

double ContactConstraint::mobility(const Point& p, double inverse_mass, int i, int j) {
  return (i == j ? inverse_mass : 0.0) + sum(dot(p.rows[i].moment, p.rows[j].angular));
}

void ContactConstraint::set_masses(Point& p, double inverse_mass) {
  p.normal_mass = 1.0 / mobility(p, inverse_mass, 0, 0);
  const double m11 = mobility(p, inverse_mass, 1, 1), m12 = mobility(p, inverse_mass, 1, 2),
               m22 = mobility(p, inverse_mass, 2, 2);
  const double determinant = m11 * m22 - m12 * m12;
  p.friction_inverse[0] = m22 / determinant;
  p.friction_inverse[1] = -m12 / determinant;
  p.friction_inverse[2] = m11 / determinant;
  const double difference = 0.5 * (m11 - m22);
  p.friction_step = 1.0 / (0.5 * (m11 + m22) + std::sqrt(difference * difference + m12 * m12));
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
  return rolling_impulse != Vec3{} || std::any_of(points, points + count, [](const Point& p) {
           return p.normal_impulse != 0.0 || p.friction_impulse[0] != 0.0 ||
                  p.friction_impulse[1] != 0.0;
         });
}

ContactConstraint::Push ContactConstraint::push() const {
  double along[3] = {};
  Push push;
  for (const Point& p : std::span(points, static_cast<std::size_t>(count))) {
    const double impulse[] = {p.normal_impulse, p.friction_impulse[0], p.friction_impulse[1]};
    for (int i = 0; i < 3; ++i) {
      along[i] += impulse[i];
      push.angular += p.rows[i].moment * impulse[i];
    }
  }
  push.linear = normal * along[0] + (tangent[0] * along[1] + tangent[1] * along[2]);
  push.angular += opposed(rolling_impulse);
  return push;
}

void ContactConstraint::change_push(const Push& change, SolverBody& a, SolverBody& b) {
  if (a.inverse_mass > 0.0) {
    a.push -= change.linear;
    a.twist += change.angular.a();
  }
  if (b.inverse_mass > 0.0) {
    b.push += change.linear;
    b.twist += change.angular.b();
  }
}

double ContactConstraint::nearest_gap(std::span<const SolverBody> bodies) const {
  const PatchPlaces places(*this, bodies[body_a], bodies[body_b]);
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < count; ++k) least = std::min(least, places.gap(points[k]));
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
  const Vec3 change = cross(bodies[body_b].angular, (arms[0].b() - before.b()) * half) -
                      cross(bodies[body_a].angular, (arms[0].a() - before.a()) * half);
  for (int i = 0; i < 2; ++i) creep[i] = dot(tangent[i], change);
}

double ContactConstraint::moved(std::span<const SolverBody> bodies, double ahead) const {
  const SolverBody& a = bodies[body_a];
  const SolverBody& b = bodies[body_b];
  const Vec3 shifted = ((b.shift + b.linear * ahead) - (a.shift + a.linear * ahead)) - shift;
  const Vec3 turned_a = (a.turn + a.angular * ahead) - turn;
  const Vec3 turned_b = (b.turn + b.angular * ahead) - turn_b;
  return norm(shifted) + (norm(turned_a) * a.radius + norm(turned_b) * b.radius);
}

double ContactConstraint::tilted(std::span<const SolverBody> bodies) const {
  const SolverBody& a = bodies[body_a];
  const SolverBody& b = bodies[body_b];
  return norm(cross(a.turn - turn, normal)) * a.radius +
         norm(cross(b.turn - turn_b, normal)) * b.radius;
}

bool ContactConstraint::moved_beyond(double bound, std::span<const SolverBody> bodies) const {
  const SolverBody& a = bodies[body_a];
  const SolverBody& b = bodies[body_b];
  const double most =
      most_length((b.shift - a.shift) - shift) +
      (most_length(a.turn - turn) * a.radius + most_length(b.turn - turn_b) * b.radius);
  return most > bound && moved(bodies, 0.0) > bound;
}

}  // namespace tactus::detail
