#include "tactus/dynamics/contact_solver.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

/// Sweeps over the impacts of a substep, and the change of speed, relative to the wanted one, that
/// ends them: four points of a face share the impulse with a residual that shrinks by a third per
/// sweep.
constexpr int kMaxBounceSweeps = 50;
constexpr double kBounceTolerance = 1e-6;
/// A patch without load to start from is solved by itself first, until a sweep changes its load by
/// less than this part: a face that lands stops level, and friction acts from the first substep.
constexpr int kMaxFreshSweeps = 20;
constexpr double kFreshTolerance = 1e-3;
/// Gap, relative to the smaller body's size, beyond which a point counts as not touching: above the
/// gaps of bodies at rest, and small enough for the normal of an impact.
constexpr double kOpenGap = 1e-4;
constexpr double kPi = 3.14159265358979323846;

/// Change of the relative velocity at a point, along `direction`, per impulse along `other`.
double mobility(const SolverBody& a, const SolverBody& b, const Vec3& arm_a, const Vec3& arm_b,
                const Vec3& direction, const Vec3& other) {
  const double linear = (a.inverse_mass + b.inverse_mass) * dot(direction, other);
  const double angular_a = dot(cross(arm_a, direction), a.inverse_inertia * cross(arm_a, other));
  const double angular_b = dot(cross(arm_b, direction), b.inverse_inertia * cross(arm_b, other));
  return linear + (angular_a + angular_b);
}

}  // namespace

/// Velocities of both bodies, held outside the bodies while one constraint is solved.
struct ContactSolver::Velocities {
  const SolverBody& a;
  const SolverBody& b;
  Vec3 linear_a = a.linear, angular_a = a.angular;
  Vec3 linear_b = b.linear, angular_b = b.angular;

  Vec3 at(const Point& p) const {
    return (linear_b + cross(angular_b, p.arm_b)) - (linear_a + cross(angular_a, p.arm_a));
  }
  void apply(const Point& p, const Vec3& impulse) {
    linear_a -= impulse * a.inverse_mass;
    angular_a -= a.inverse_inertia * cross(p.arm_a, impulse);
    linear_b += impulse * b.inverse_mass;
    angular_b += b.inverse_inertia * cross(p.arm_b, impulse);
  }
  void apply_angular(const Vec3& impulse) {
    angular_a -= a.inverse_inertia * impulse;
    angular_b += b.inverse_inertia * impulse;
  }
  void store(SolverBody& body_a, SolverBody& body_b) const {
    body_a.linear = linear_a;
    body_a.angular = angular_a;
    body_b.linear = linear_b;
    body_b.angular = angular_b;
  }
};

void ContactSolver::prepare(std::span<const ContactPatch> patches,
                            std::span<const PatchImpulses> impulses,
                            std::span<const SolverBody> bodies, const WorldSettings& settings) {
  substep_ = settings.time_step / settings.substeps;
  rate_ = settings.substeps / settings.time_step;
  restitution_threshold_ = settings.restitution_threshold;
  // Implicit damped spring, written as velocity bias, softened mass and leak of the impulse.
  const double angle = 2.0 * kPi * settings.contact_frequency;  // radians per substep
  const double a1 = 2.0 * settings.contact_damping + angle;
  const double a2 = angle * a1;
  bias_rate_ = angle * rate_ / a1;
  mass_scale_ = a2 / (1.0 + a2);
  impulse_scale_ = 1.0 / (1.0 + a2);

  constraints_.resize(patches.size());
  bouncing_.clear();
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const ContactPatch& patch = patches[i];
    Constraint& c = constraints_[i];
    c.body_a = patch.body_a;
    c.body_b = patch.body_b;
    c.surface = patch.surface;
    c.rolling_bound = patch.surface.rolling_friction * patch.rolling_radius;
    c.torsion_bound = patch.surface.torsional_friction * patch.rolling_radius;
    c.push_speed = settings.max_push_speed * patch.size;
    if (c.surface.restitution > 0.0) bouncing_.push_back(static_cast<std::uint32_t>(i));
    place(c, patch, bodies, 0.0);
    if (c.rolling_bound > 0.0 || c.torsion_bound > 0.0) c.rolling_impulse = impulses[i].rolling;
    for (int k = 0; k < c.count; ++k) {
      Point& p = c.points[k];
      p.normal_impulse = impulses[i].normal[static_cast<std::size_t>(k)];
      const Vec3& friction = impulses[i].friction[static_cast<std::size_t>(k)];
      p.friction_impulse[0] = dot(c.tangent[0], friction);
      p.friction_impulse[1] = dot(c.tangent[1], friction);
    }
  }
}

/// Geometry and effective masses of a patch, detected with both bodies moved ahead in time; without
/// impulses.
void ContactSolver::place(Constraint& c, const ContactPatch& patch,
                          std::span<const SolverBody> bodies, double ahead) {
  const SolverBody& a = bodies[patch.body_a];
  const SolverBody& b = bodies[patch.body_b];
  const Velocities v{a, b};
  c.count = patch.manifold.count;
  c.normal = patch.manifold.normal;
  c.tangent[0] = any_perpendicular(c.normal);
  c.tangent[1] = cross(c.normal, c.tangent[0]);
  c.outside_acceleration = dot(c.normal, b.acceleration - a.acceleration);
  c.rolling_impulse = {};
  if (c.rolling_bound > 0.0 || c.torsion_bound > 0.0)
    c.angular_mass = inverse(a.inverse_inertia + b.inverse_inertia);
  c.open = c.count > 0;
  for (int k = 0; k < c.count; ++k) {
    const ContactPoint& contact = patch.manifold.points[static_cast<std::size_t>(k)];
    const bool open = -contact.depth > kOpenGap * patch.size;
    c.open = c.open && open;
    Point& p = c.points[k];
    p = {};
    // Touching bodies share one point, so that the impulses have no moment of their own. Open
    // points are each body's own: they come together when the gap closes.
    const Vec3 middle = (contact.point_a + contact.point_b) * 0.5;
    p.arm_a = (open ? contact.point_a : middle) - patch.center_a;
    p.arm_b = (open ? contact.point_b : middle) - patch.center_b;
    p.gap = -contact.depth;
    p.gap += (p.gap - current_gap(c, p, a, b)) - ahead * dot(c.normal, v.at(p));
    p.normal_mass = 1.0 / mobility(a, b, p.arm_a, p.arm_b, c.normal, c.normal);
    const double m11 = mobility(a, b, p.arm_a, p.arm_b, c.tangent[0], c.tangent[0]);
    const double m12 = mobility(a, b, p.arm_a, p.arm_b, c.tangent[0], c.tangent[1]);
    const double m22 = mobility(a, b, p.arm_a, p.arm_b, c.tangent[1], c.tangent[1]);
    const double determinant = m11 * m22 - m12 * m12;
    p.friction_inverse[0] = m22 / determinant;
    p.friction_inverse[1] = -m12 / determinant;
    p.friction_inverse[2] = m11 / determinant;
    const double spread = 0.5 * (m11 - m22);
    p.friction_step = 1.0 / (0.5 * (m11 + m22) + std::sqrt(spread * spread + m12 * m12));
  }
}

const std::vector<ContactSolver::Impact>& ContactSolver::find_impacts(
    std::span<const SolverBody> bodies) {
  impacts_.clear();
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& c = constraints_[i];
    if (!c.open) continue;
    const SolverBody& a = bodies[c.body_a];
    const SolverBody& b = bodies[c.body_b];
    const Velocities v{a, b};
    double time = 2.0 * substep_;
    for (int k = 0; k < c.count; ++k) {
      const Point& p = c.points[k];
      const double gap = std::max(current_gap(c, p, a, b), 0.0);
      const double speed = dot(c.normal, v.at(p));
      if (gap + speed * substep_ < 0.0) time = std::min(time, -gap / speed);
    }
    if (time <= substep_) impacts_.push_back({static_cast<std::uint32_t>(i), time});
  }
  return impacts_;
}

void ContactSolver::replace(const Impact& impact, const ContactPatch& patch,
                            std::span<const SolverBody> bodies) {
  place(constraints_[impact.patch], patch, bodies, impact.time);
}

void ContactSolver::solve(std::span<SolverBody> bodies) {
  for (const std::uint32_t i : bouncing_) measure_impacts(constraints_[i], bodies);
  for (Constraint& c : constraints_) warm_start(c, bodies);
  for (Constraint& c : constraints_) iterate(c, bodies, Mode::push);
}

void ContactSolver::relax(std::span<SolverBody> bodies) {
  for (Constraint& c : constraints_) iterate(c, bodies, Mode::rigid);
  for (const std::uint32_t i : bouncing_) drop_missed_impacts(constraints_[i]);
  for (int sweep = 0; sweep < kMaxBounceSweeps; ++sweep) {
    double change = 0.0;
    for (const std::uint32_t i : bouncing_)
      change = std::max(change, bounce(constraints_[i], bodies));
    if (change <= kBounceTolerance) break;
  }
  for (const std::uint32_t i : bouncing_) forget_impacts(constraints_[i]);
}

PatchImpulses ContactSolver::impulses(std::size_t patch) const {
  const Constraint& c = constraints_[patch];
  PatchImpulses result;
  result.rolling = c.rolling_impulse;
  for (int k = 0; k < c.count; ++k) {
    const Point& p = c.points[k];
    result.normal[static_cast<std::size_t>(k)] = p.normal_impulse;
    result.friction[static_cast<std::size_t>(k)] =
        c.tangent[0] * p.friction_impulse[0] + c.tangent[1] * p.friction_impulse[1];
  }
  return result;
}

double ContactSolver::current_gap(const Constraint& c, const Point& p, const SolverBody& a,
                                  const SolverBody& b) {
  const Vec3 moved = (b.shift + cross(b.turn, p.arm_b)) - (a.shift + cross(a.turn, p.arm_a));
  return p.gap + dot(c.normal, moved);
}

/// Finds the points that would be hit within this substep, and the speed at which they shall
/// separate.
void ContactSolver::measure_impacts(Constraint& c, std::span<const SolverBody> bodies) const {
  const SolverBody& a = bodies[c.body_a];
  const SolverBody& b = bodies[c.body_b];
  const Velocities v{a, b};
  // The steps conserve energy exactly when velocities are read half a kick earlier (here, the kick
  // is already in) or later (after the bounce): without this, bounces would gain or lose height
  // with the size of the substep.
  const double half_kick = 0.5 * substep_ * c.outside_acceleration;
  for (int k = 0; k < c.count; ++k) {
    Point& p = c.points[k];
    p.bounce_speed = 0.0;
    const double gap = current_gap(c, p, a, b);
    const double speed = dot(c.normal, v.at(p));
    if (gap + speed * substep_ > 0.0) continue;
    const double centered = speed - half_kick;
    const double squared = centered * centered - 2.0 * c.outside_acceleration * std::max(gap, 0.0);
    const double impact = centered < 0.0 ? std::sqrt(std::max(squared, 0.0)) : 0.0;
    if (impact > restitution_threshold_)
      p.bounce_speed = std::max(c.surface.restitution * impact - half_kick, 0.0);
  }
}

void ContactSolver::warm_start(Constraint& c, std::span<SolverBody> bodies) {
  Velocities v{bodies[c.body_a], bodies[c.body_b]};
  c.fresh = true;
  for (int k = 0; k < c.count; ++k) {
    const Point& p = c.points[k];
    if (p.normal_impulse > 0.0) c.fresh = false;
    v.apply(p, c.normal * p.normal_impulse +
                   (c.tangent[0] * p.friction_impulse[0] + c.tangent[1] * p.friction_impulse[1]));
  }
  v.apply_angular(c.rolling_impulse);
  v.store(bodies[c.body_a], bodies[c.body_b]);
}

/// Friction and rolling first, the normal last: not to penetrate is worth most.
void ContactSolver::iterate(Constraint& c, std::span<SolverBody> bodies, Mode mode) const {
  SolverBody& a = bodies[c.body_a];
  SolverBody& b = bodies[c.body_b];
  Velocities v{a, b};
  for (int sweep = 0; sweep < kMaxFreshSweeps; ++sweep) {
    double load = 0.0, change = 0.0;
    if (c.rolling_bound > 0.0 || c.torsion_bound > 0.0) solve_rolling(c, v);
    for (int k = 0; k < c.count; ++k) solve_friction(c, c.points[k], v);
    for (int k = 0; k < c.count; ++k) {
      Point& p = c.points[k];
      const double before = p.normal_impulse;
      solve_normal(c, p, current_gap(c, p, a, b), mode, v);
      load += p.normal_impulse;
      change += std::fabs(p.normal_impulse - before);
    }
    if (!c.fresh || change <= kFreshTolerance * load) break;
  }
  v.store(a, b);
}

void ContactSolver::solve_normal(const Constraint& c, Point& p, double gap, Mode mode,
                                 Velocities& v) const {
  double bias = 0.0, mass_scale = 1.0, impulse_scale = 0.0;
  if (gap > 0.0) {
    // Not hit yet: that is for the next substep, when the speed of the impact is known.
    if (mode == Mode::rigid && p.normal_impulse == 0.0) return;
    bias = gap * rate_;
  } else if (mode == Mode::push) {
    bias = std::max(bias_rate_ * gap, -c.push_speed);
    mass_scale = mass_scale_;
    impulse_scale = impulse_scale_;
  }
  const double speed = dot(c.normal, v.at(p));
  const double wanted = p.normal_impulse - p.normal_mass * mass_scale * (speed + bias) -
                        impulse_scale * p.normal_impulse;
  const double impulse = std::max(wanted, 0.0);
  v.apply(p, c.normal * (impulse - p.normal_impulse));
  p.normal_impulse = impulse;
}

/// Another contact stopped the body before it came here.
void ContactSolver::drop_missed_impacts(Constraint& c) {
  for (int k = 0; k < c.count; ++k) {
    if (!(c.points[k].normal_impulse > 0.0)) c.points[k].bounce_speed = 0.0;
  }
}

/// The impulse of an impact is no load that persists: the next substep starts without it.
void ContactSolver::forget_impacts(Constraint& c) {
  for (int k = 0; k < c.count; ++k) {
    Point& p = c.points[k];
    if (p.bounce_speed > 0.0)
      p.normal_impulse = p.friction_impulse[0] = p.friction_impulse[1] = 0.0;
  }
}

/// Returns the largest change of speed at a point, relative to the wanted speed.
double ContactSolver::bounce(Constraint& c, std::span<SolverBody> bodies) {
  Velocities v{bodies[c.body_a], bodies[c.body_b]};
  double change = 0.0;
  for (int k = 0; k < c.count; ++k) {
    Point& p = c.points[k];
    if (!(p.bounce_speed > 0.0)) continue;
    const double lack = p.bounce_speed - dot(c.normal, v.at(p));
    const double impulse = std::max(p.normal_impulse + p.normal_mass * lack, 0.0);
    change =
        std::max(change, std::fabs(impulse - p.normal_impulse) / (p.normal_mass * p.bounce_speed));
    v.apply(p, c.normal * (impulse - p.normal_impulse));
    p.normal_impulse = impulse;
    solve_friction(c, p, v);
  }
  v.store(bodies[c.body_a], bodies[c.body_b]);
  return change;
}

void ContactSolver::solve_rolling(Constraint& c, Velocities& v) {
  double load = 0.0;
  for (int k = 0; k < c.count; ++k) load += c.points[k].normal_impulse;
  if (load == 0.0 && c.rolling_impulse == Vec3{}) return;
  const Vec3 wanted = c.rolling_impulse - c.angular_mass * (v.angular_b - v.angular_a);
  const double twist = dot(c.normal, wanted);
  const Vec3 roll = wanted - c.normal * twist;
  const double twist_limit = c.torsion_bound * load, roll_limit = c.rolling_bound * load;
  const double roll_size = norm(roll);
  const Vec3 impulse = c.normal * std::clamp(twist, -twist_limit, twist_limit) +
                       (roll_size > roll_limit ? roll * (roll_limit / roll_size) : roll);
  v.apply_angular(impulse - c.rolling_impulse);
  c.rolling_impulse = impulse;
}

/// Stops the sliding when the disc allows it. Otherwise a projected step with one scalar for both
/// directions: at its fixed point the force is opposite to the sliding velocity, which scaling back
/// the first solution would miss.
void ContactSolver::solve_friction(const Constraint& c, Point& p, Velocities& v) {
  if (p.normal_impulse == 0.0 && p.friction_impulse[0] == 0.0 && p.friction_impulse[1] == 0.0)
    return;
  const Vec3 sliding = v.at(p);
  const double u0 = dot(c.tangent[0], sliding), u1 = dot(c.tangent[1], sliding);
  const double limit = c.surface.friction * p.normal_impulse;
  const double old0 = p.friction_impulse[0], old1 = p.friction_impulse[1];
  double new0 = old0 - (p.friction_inverse[0] * u0 + p.friction_inverse[1] * u1);
  double new1 = old1 - (p.friction_inverse[1] * u0 + p.friction_inverse[2] * u1);
  if (new0 * new0 + new1 * new1 > limit * limit) {
    new0 = old0 - p.friction_step * u0;
    new1 = old1 - p.friction_step * u1;
    const double size = std::sqrt(new0 * new0 + new1 * new1);
    const double scale = size > limit ? limit / size : 1.0;
    new0 *= scale;
    new1 *= scale;
  }
  p.friction_impulse[0] = new0;
  p.friction_impulse[1] = new1;
  v.apply(p, c.tangent[0] * (new0 - old0) + c.tangent[1] * (new1 - old1));
}

}  // namespace tactus::detail
