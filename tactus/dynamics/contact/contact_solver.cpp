#include "tactus/dynamics/contact/contact_solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>

#include "tactus/core/uncleared.hpp"

namespace tactus::detail {
namespace {

/// A patch without load to start from is solved by itself first, until a sweep changes its load by
/// less than this part: a face that lands stops level, and friction acts from the first substep.
constexpr int kMaxFreshSweeps = 20;
constexpr double kFreshTolerance = 1e-3;
/// Friction follows the centre of a patch's load after so many substeps.
constexpr int kFollowLoad = 4;
/// Patches that are prepared one after the other on a thread.
constexpr std::size_t kPreparedTogether = 64;
/// Of a constraint, what a sweep reads of a patch of one point.
constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kFetchedFrom = offsetof(ContactConstraint, body_a);
constexpr std::size_t kFetchedTo =
    offsetof(ContactConstraint, points) + sizeof(ContactConstraint::Point);
constexpr double kPi = 3.14159265358979323846;

}  // namespace

/// A patch while it is swept.
struct ContactSolver::Swept {
  Swept(ContactConstraint& constraint, SolverBody& body_a, SolverBody& body_b)
      : c(&constraint),
        a(&body_a),
        b(&body_b),
        v(constraint, body_a, body_b),
        places(constraint, body_a, body_b),
        left(both(body_a.left, body_b.left)) {}

  ContactConstraint* c;
  SolverBody *a, *b;
  PatchVelocities v;
  PatchPlaces places;
  Both left;                       ///< of the substep, to move
  double sum = 0.0, change = 0.0;  ///< of the normal impulses

  /// An angular impulse on B, with its reaction on A.
  void turn(const Vec3& impulse) {
    v.angular += both(a->inverse_inertia, b->inverse_inertia) * opposed(impulse);
  }
  void solve_friction(int k) {
    ContactConstraint::Point& p = c->points[k];
    // While bodies settle, the push falls short of the load, and the relaxation makes up for it.
    const double load = p.normal_impulse > 0.0 ? std::max(p.normal_impulse, p.load_before) : 0.0;
    detail::solve_friction(p, c->surface.friction * load, c->creep, v);
  }
};

void ContactSolver::prepare(std::span<const ContactPatch> patches,
                            std::span<const PatchImpulses> impulses, double scale,
                            std::span<const SolverBody> bodies, const WorldSettings& settings) {
  // Implicit damped spring, written as velocity bias, softened mass and leak of the impulse.
  const double angle = 2.0 * kPi * settings.contact_frequency;  // radians per substep
  const double a1 = 2.0 * settings.contact_damping + angle;
  const double a2 = angle * a1;
  substep_ = settings.time_step / settings.substeps;
  substep_rate_ = settings.substeps / settings.time_step;
  bias_rate_ = angle * substep_rate_ / a1;
  mass_scale_ = a2 / (1.0 + a2);
  impulse_scale_ = 1.0 / (1.0 + a2);

  max_threads_ = settings.max_threads;
  blocks_.arrange(patches, bodies, settings.gravity);
  constraints_.resize(patches.size());
  left_out_.assign(patches.size(), 0);
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

void ContactSolver::leave_out(std::span<const char> patches, std::span<const SolverBody> bodies) {
  if (std::equal(patches.begin(), patches.end(), left_out_.begin())) return;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    // While it was left out, its rows did not follow the bodies.
    ContactConstraint& c = constraints_[i];
    if (left_out_[i] != 0 && patches[i] == 0 && !c.steady)
      c.turn_rows(bodies[c.body_a], bodies[c.body_b]);
  }
  left_out_.assign(patches.begin(), patches.end());
  blocks_.leave_out(patches);
}

template <class Sweep>
void ContactSolver::sweep(const Sweep& sweep) {
  const auto fetch = [&](std::uint32_t patch) {
    const char* const read = reinterpret_cast<const char*>(&constraints_[patch]);
    for (std::size_t i = kFetchedFrom; i < kFetchedTo; i += kCacheLine)
      __builtin_prefetch(read + i);
  };
  blocks_.for_each_group(sweep, fetch, max_threads_);
}

void ContactSolver::solve(std::span<SolverBody> bodies) {
  sweep([&](Patches patches) { iterate<Mode::push>(patches, bodies); });
}

void ContactSolver::relax(std::span<SolverBody> bodies) {
  sweep([&](Patches patches) {
    iterate<Mode::rigid>(patches, bodies);
    for (const std::uint32_t patch : patches) end_substep(constraints_[patch], bodies);
  });
}

/// The rows are as the last relaxation left them, where no impact has moved the bodies since.
void ContactSolver::begin_substep(ContactConstraint& c, std::span<const SolverBody> bodies) const {
  const SolverBody &a = bodies[c.body_a], &b = bodies[c.body_b];
  if (!c.steady && std::min(a.left, b.left) < substep_) c.turn_rows(a, b);
  c.fresh = true;
  for (int k = 0; k < c.count; ++k) {
    ContactConstraint::Point& p = c.points[k];
    p.load_before = p.normal_impulse;
    if (p.normal_impulse > 0.0) c.fresh = false;
  }
}

/// Prepares the rows for the next substep.
void ContactSolver::end_substep(ContactConstraint& c, std::span<SolverBody> bodies) {
  SolverBody &a = bodies[c.body_a], &b = bodies[c.body_b];
  for (int k = 0; k < c.count; ++k) c.load += c.points[k].normal_impulse;
  if (c.spread == 1.0 || c.age % kFollowLoad != 0) return;
  const BothVec3 before = c.push().angular;
  if (!c.follow_load()) return;
  c.set_friction_rows(a, b);
  c.change_push({{}, c.push().angular - before}, a, b);
}

/// Friction and rolling first, the normal last: not to penetrate is worth most. Points of several
/// patches in turn, since those of one wait for each other's velocities.
template <ContactSolver::Mode Kind>
void ContactSolver::iterate(Patches patches, std::span<SolverBody> bodies) {
  Uncleared<Swept, SolverBlocks::kSideBySide> swept;
  std::size_t count = 0;
  int most = 0;
  for (const std::uint32_t patch : patches) {
    ContactConstraint& c = constraints_[patch];
    most = std::max(most, c.count);
    if (Kind == Mode::push) begin_substep(c, bodies);
    std::construct_at(&swept[count++], c, bodies[c.body_a], bodies[c.body_b]);
    if (Kind == Mode::push) continue;
    // The bodies have moved.
    ++c.age;
    if (!c.steady) c.turn_rows(bodies[c.body_a], bodies[c.body_b]);
  }
  for (int sweep = 0; count > 0; ++sweep) {
    const std::span<Swept> all(swept.data(), count);
    for (Swept& s : all) {
      s.sum = s.change = 0.0;
      if (s.c->rolling_bound > 0.0 || s.c->torsion_bound > 0.0) solve_rolling(s);
    }
    for (int k = 0; k < most; ++k) {
      for (Swept& s : all)
        if (k < s.c->count) s.solve_friction(k);
    }
    for (int k = 0; k < most; ++k) {
      for (Swept& s : all)
        if (k < s.c->count) solve_normal(s, k, Kind);
    }
    std::size_t kept = 0;
    for (Swept& s : all) {
      if (s.c->fresh && sweep + 1 < kMaxFreshSweeps && s.change > kFreshTolerance * s.sum)
        swept[kept++] = s;
      else
        s.v.store(*s.c, *s.a, *s.b);
    }
    count = kept;
  }
}

void ContactSolver::solve_normal(Swept& s, int k, Mode mode) const {
  const ContactConstraint& c = *s.c;
  ContactConstraint::Point& p = s.c->points[k];
  double bias = 0.0, mass_scale = 1.0, impulse_scale = 0.0;
  const double speed = s.v.along(p, 0);
  double gap = s.places.gap(p) + c.bend();
  // After impacts the bodies may have come different ways through the substep.
  const double left = std::min(s.left[0], s.left[1]);
  if (s.left[0] != s.left[1])
    gap += sum(
        (dot(opposed(c.normal), s.v.centers(c, *s.a, *s.b)) + dot(p.rows[0].moment, s.v.angular)) *
        (s.left - both(left, left)));
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
  const double impulse = std::max(wanted, 0.0), change = impulse - p.normal_impulse;
  s.v.apply(p, 0, change);
  p.normal_impulse = impulse;
  s.sum += impulse;
  s.change += std::fabs(change);
}

void ContactSolver::solve_rolling(Swept& s) {
  ContactConstraint& c = *s.c;
  double load = 0.0;
  for (int k = 0; k < c.count; ++k) load += c.points[k].normal_impulse;
  if (load == 0.0 && c.rolling_impulse == Vec3{}) return;
  const Vec3 wanted = c.rolling_impulse - c.angular_mass * s.v.angular.difference();
  const double twist = dot(c.normal, wanted);
  const Vec3 roll = wanted - c.normal * twist;
  const double twist_limit = c.torsion_bound * load, roll_limit = c.rolling_bound * load;
  const double roll_size = norm(roll);
  const Vec3 impulse = c.normal * std::clamp(twist, -twist_limit, twist_limit) +
                       (roll_size > roll_limit ? roll * (roll_limit / roll_size) : roll);
  s.turn(impulse - c.rolling_impulse);
  c.rolling_impulse = impulse;
}

}  // namespace tactus::detail
