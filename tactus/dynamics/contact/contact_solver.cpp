#include "tactus/dynamics/contact/contact_solver.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

/// A patch without load to start from is solved by itself first, until a sweep changes its load by
/// less than this part: a face that lands stops level, and friction acts from the first substep.
constexpr int kMaxFreshSweeps = 20;
constexpr double kFreshTolerance = 1e-3;
/// Patches that are prepared one after the other on a thread.
constexpr std::size_t kPreparedTogether = 64;
constexpr double kPi = 3.14159265358979323846;

}  // namespace

void ContactSolver::prepare(std::span<const ContactPatch> patches,
                            std::span<const PatchImpulses> impulses, double scale,
                            std::span<const SolverBody> bodies, const WorldSettings& settings) {
  // Implicit damped spring, written as velocity bias, softened mass and leak of the impulse.
  const double angle = 2.0 * kPi * settings.contact_frequency;  // radians per substep
  const double a1 = 2.0 * settings.contact_damping + angle;
  const double a2 = angle * a1;
  substep_rate_ = settings.substeps / settings.time_step;
  bias_rate_ = angle * substep_rate_ / a1;
  mass_scale_ = a2 / (1.0 + a2);
  impulse_scale_ = 1.0 / (1.0 + a2);

  max_threads_ = settings.max_threads;
  blocks_.arrange(patches, bodies, settings.gravity);
  constraints_.resize(patches.size());
  const auto make = [&](std::size_t i) {
    const ContactPatch& patch = patches[i];
    ContactConstraint& c = constraints_[i];
    c.surface = patch.surface;
    c.rolling_bound = patch.surface.rolling_friction * patch.rolling_radius;
    c.torsion_bound = patch.surface.torsional_friction * patch.rolling_radius;
    c.push_speed = settings.max_push_speed * patch.size;
    c.load = 0.0;
    c.struck = false;
    const PatchImpulses start = impulses[i].scaled(scale);
    c.place(patch, bodies, 0.0, &start);
  };
  parallel_for(
      patches.size(), kPreparedTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) make(i);
      },
      max_threads_);
}

void ContactSolver::start(std::span<SolverBody> bodies) {
  blocks_.for_each([&](std::uint32_t patch) { warm_start(constraints_[patch], bodies); },
                   max_threads_);
}

void ContactSolver::solve(std::span<SolverBody> bodies) {
  blocks_.for_each([&](std::uint32_t patch) { iterate(constraints_[patch], bodies, Mode::push); },
                   max_threads_);
}

void ContactSolver::relax(std::span<SolverBody> bodies) {
  const auto sweep = [&](std::uint32_t patch) {
    ContactConstraint& c = constraints_[patch];
    ++c.age;
    iterate(c, bodies, Mode::rigid);
    for (int k = 0; k < c.count; ++k) c.load += c.points[k].normal_impulse;
  };
  blocks_.for_each(sweep, max_threads_);
}

/// Friction acts nearer to the centre of the load than the corners that carry it.
void ContactSolver::spread_friction(ContactConstraint& c) {
  if (c.spread == 1.0) return;
  double load = 0.0;
  ContactConstraint::Arms sum;
  for (int k = 0; k < c.count; ++k) {
    const ContactConstraint::Point& p = c.points[k];
    load += p.normal_impulse;
    sum.a += p.arm.a * p.normal_impulse;
    sum.b += p.arm.b * p.normal_impulse;
  }
  if (!(load > 0.0)) return;
  const ContactConstraint::Arms center{sum.a * (1.0 / load), sum.b * (1.0 / load)};
  for (int k = 0; k < c.count; ++k) {
    ContactConstraint::Point& p = c.points[k];
    p.rub.a = center.a + (p.arm.a - center.a) * c.spread;
    p.rub.b = center.b + (p.arm.b - center.b) * c.spread;
  }
}

void ContactSolver::warm_start(ContactConstraint& c, std::span<SolverBody> bodies) {
  PairVelocities v{bodies[c.body_a], bodies[c.body_b]};
  spread_friction(c);
  c.fresh = true;
  for (int k = 0; k < c.count; ++k) {
    ContactConstraint::Point& p = c.points[k];
    p.load_before = p.normal_impulse;
    if (p.normal_impulse > 0.0) c.fresh = false;
    const Vec3 normal = c.normal * p.normal_impulse;
    const Vec3 friction =
        c.tangent[0] * p.friction_impulse[0] + c.tangent[1] * p.friction_impulse[1];
    if (c.spread == 1.0) {
      v.apply(p.arm, normal + friction);
    } else {
      v.apply(p.arm, normal);
      v.apply(p.rub, friction);
    }
  }
  if (c.rolling_bound > 0.0 || c.torsion_bound > 0.0) v.apply_angular(c.rolling_impulse);
  v.store(bodies[c.body_a], bodies[c.body_b]);
}

/// Friction and rolling first, the normal last: not to penetrate is worth most.
void ContactSolver::iterate(ContactConstraint& c, std::span<SolverBody> bodies, Mode mode) const {
  SolverBody& a = bodies[c.body_a];
  SolverBody& b = bodies[c.body_b];
  PairVelocities v{a, b};
  for (int sweep = 0; sweep < kMaxFreshSweeps; ++sweep) {
    double sum = 0.0, change = 0.0;
    if (c.rolling_bound > 0.0 || c.torsion_bound > 0.0) solve_rolling(c, v);
    for (int k = 0; k < c.count; ++k) {
      ContactConstraint::Point& p = c.points[k];
      // While bodies settle, the push falls short of the load, and the relaxation makes up for it.
      const double load = p.normal_impulse > 0.0 ? std::max(p.normal_impulse, p.load_before) : 0.0;
      solve_friction(c, p, c.surface.friction * load, c.creep, v);
    }
    for (int k = 0; k < c.count; ++k) {
      ContactConstraint::Point& p = c.points[k];
      const double before = p.normal_impulse;
      solve_normal(c, p, c.gap(p, a, b) + c.bend(), mode, v);
      sum += p.normal_impulse;
      change += std::fabs(p.normal_impulse - before);
    }
    if (!c.fresh || change <= kFreshTolerance * sum) break;
  }
  v.store(a, b);
}

void ContactSolver::solve_normal(const ContactConstraint& c, ContactConstraint::Point& p,
                                 double gap, Mode mode, PairVelocities& v) const {
  double bias = 0.0, mass_scale = 1.0, impulse_scale = 0.0;
  const Vec3 at_a = v.linear_a + cross(v.angular_a, p.arm.a);
  const Vec3 at_b = v.linear_b + cross(v.angular_b, p.arm.b);
  const double speed = dot(c.normal, at_b - at_a);
  // After impacts the bodies may have come different ways through the substep.
  const double left = std::min(v.a.left, v.b.left);
  if (v.a.left != v.b.left)
    gap += dot(c.normal, at_b * (v.b.left - left) - at_a * (v.a.left - left));
  if (gap > 0.0) {
    // Not hit yet: that is for the next substep, when the speed of the impact is known.
    if (!(left > 0.0) || (mode == Mode::rigid && p.normal_impulse == 0.0)) return;
    bias = (mode == Mode::push ? gap + c.bend_ahead() : gap) / left;
  } else if (mode == Mode::push) {
    bias = std::max(bias_rate_ * gap, -c.push_speed) + c.bend_ahead() * substep_rate_;
    mass_scale = mass_scale_;
    impulse_scale = impulse_scale_;
  }
  const double wanted = p.normal_impulse - p.normal_mass * mass_scale * (speed + bias) -
                        impulse_scale * p.normal_impulse;
  const double impulse = std::max(wanted, 0.0);
  v.apply(p.arm, c.normal * (impulse - p.normal_impulse));
  p.normal_impulse = impulse;
}

void ContactSolver::solve_rolling(ContactConstraint& c, PairVelocities& v) {
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

}  // namespace tactus::detail
