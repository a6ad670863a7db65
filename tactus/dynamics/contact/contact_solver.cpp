#include "tactus/dynamics/contact/contact_solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tactus::detail {
namespace {

/// A patch without load to start from is solved by itself first, until a sweep changes its load by
/// less than this part: a face that lands stops level, and friction acts from the first substep.
constexpr int kMaxFreshSweeps = 20;
constexpr double kFreshTolerance = 1e-3;
/// Patches that are prepared one after the other on a thread.
constexpr std::size_t kPreparedTogether = 64;
/// Of a constraint, what a sweep reads of a patch of one point.
constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kFetched =
    offsetof(ContactConstraint, points) + sizeof(ContactConstraint::Point);
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

template <class Sweep>
void ContactSolver::sweep(const Sweep& sweep) {
  blocks_.for_each([&](std::uint32_t patch) { sweep(constraints_[patch]); },
                   [&](std::uint32_t patch) {
                     const char* const read = reinterpret_cast<const char*>(&constraints_[patch]);
                     for (std::size_t i = 0; i < kFetched; i += kCacheLine)
                       __builtin_prefetch(read + i);
                   },
                   max_threads_);
}

void ContactSolver::start(std::span<SolverBody> bodies) {
  sweep([&](ContactConstraint& c) { warm_start(c, bodies); });
}

void ContactSolver::solve(std::span<SolverBody> bodies) {
  sweep([&](ContactConstraint& c) { iterate<Mode::push>(c, bodies); });
}

void ContactSolver::relax(std::span<SolverBody> bodies) {
  sweep([&](ContactConstraint& c) {
    ++c.age;
    iterate<Mode::rigid>(c, bodies);
    for (int k = 0; k < c.count; ++k) c.load += c.points[k].normal_impulse;
  });
}

/// Friction acts nearer to the centre of the load than the corners that carry it.
void ContactSolver::spread_friction(ContactConstraint& c) {
  if (c.spread == 1.0) return;
  double load = 0.0;
  BothVec3 sum;
  for (int k = 0; k < c.count; ++k) {
    const ContactConstraint::Point& p = c.points[k];
    load += p.normal_impulse;
    sum += p.arm * p.normal_impulse;
  }
  if (!(load > 0.0)) return;
  const BothVec3 center = sum * (1.0 / load);
  for (int k = 0; k < c.count; ++k) c.rubs[k] = center + (c.points[k].arm - center) * c.spread;
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
      v.apply(c.rubs[k], friction);
    }
  }
  if (c.rolling_bound > 0.0 || c.torsion_bound > 0.0) v.apply_angular(c.rolling_impulse);
  v.store(bodies[c.body_a], bodies[c.body_b]);
}

/// Friction and rolling first, the normal last: not to penetrate is worth most.
template <ContactSolver::Mode Kind>
void ContactSolver::iterate(ContactConstraint& c, std::span<SolverBody> bodies) const {
  SolverBody& a = bodies[c.body_a];
  SolverBody& b = bodies[c.body_b];
  PairVelocities v{a, b};
  const PairPlaces places{a, b};
  const Both left{a.left, b.left};
  for (int sweep = 0; sweep < kMaxFreshSweeps; ++sweep) {
    double sum = 0.0, change = 0.0;
    if (c.rolling_bound > 0.0 || c.torsion_bound > 0.0) solve_rolling(c, v);
    for (int k = 0; k < c.count; ++k) {
      ContactConstraint::Point& p = c.points[k];
      // While bodies settle, the push falls short of the load, and the relaxation makes up for it.
      const double load = p.normal_impulse > 0.0 ? std::max(p.normal_impulse, p.load_before) : 0.0;
      solve_friction(c, p, c.friction_arm(k), c.surface.friction * load, c.creep, v);
    }
    for (int k = 0; k < c.count; ++k) {
      ContactConstraint::Point& p = c.points[k];
      const double before = p.normal_impulse;
      solve_normal(c, p, c.gap(p, places) + c.bend(), Kind, left, v);
      sum += p.normal_impulse;
      change += std::fabs(p.normal_impulse - before);
    }
    if (!c.fresh || change <= kFreshTolerance * sum) break;
  }
  v.store(a, b);
}

void ContactSolver::solve_normal(const ContactConstraint& c, ContactConstraint::Point& p,
                                 double gap, Mode mode, Both times, PairVelocities& v) const {
  double bias = 0.0, mass_scale = 1.0, impulse_scale = 0.0;
  const BothVec3 at = v.at(p.arm);
  const double speed = dot(c.normal, at.difference());
  // After impacts the bodies may have come different ways through the substep.
  const double left = std::min(times[0], times[1]);
  if (times[0] != times[1]) gap += dot(c.normal, (at * (times - both(left, left))).difference());
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
  const Vec3 wanted = c.rolling_impulse - c.angular_mass * (v.angular.difference());
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
