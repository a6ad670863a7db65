#include "tactus/rigid/contact/impact_phase.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tactus/rigid/solver/impact.hpp"

namespace tactus::detail {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Per patch and substep.
constexpr int kMaxImpacts = 32;
constexpr int kMaxLooks = 64;
/// A patch whose bodies have moved against each other by this part of the size is detected again:
/// at the start of a substep if it is the only one of its pair, and before an impact. Of round
/// bodies earlier, since other places of a rim follow: soonest where several points of it are
/// known, as of a coin that falls flat.
constexpr double kStale = 0.004;
constexpr double kStaleRound = 0.001;
constexpr double kStaleRim = 0.00025;
constexpr double kStaleImpact = 1e-6;
/// Bodies that turn by less than this part of the size in a substep, if they are apart since they
/// were detected, are seen by their points alone.
constexpr double kTurning = 0.02;
/// Bodies that touch and turn fast are looked at again when they could overlap by this part.
constexpr double kLookAgain = 0.005;
/// Safety factor, for rounding, of bounds by the motion of each body alone.
constexpr double kQuiet = 0.9;
/// A patch that cannot touch in the substep at this multiple of its bodies' speeds is left out of
/// the solver; the multiple leaves room for what the solver does to these speeds.
constexpr double kFarSpeed = 4.0;
/// Points of contacts lie within the radius of their body to this part.
constexpr double kSlower = 0.9;
/// Grain size (patches) of the loop that detects patches again.
constexpr std::size_t kDetectedTogether = 8;
/// Grain size (patches) of the loops that look at all patches.
constexpr std::size_t kLookedAtTogether = 512;

bool is_round(const Shape& shape) {
  return shape.type() == ShapeType::cylinder || shape.type() == ShapeType::cone ||
         shape.type() == ShapeType::ellipsoid;
}
/// Does the place where two bodies touch move on smoothly? Not from corner to corner.
bool rolls(const Shape& a, const Shape& b) {
  const bool one = a.is_convex_body() || a.type() == ShapeType::halfspace;
  const bool other = b.is_convex_body() || b.type() == ShapeType::halfspace;
  return one && other && (is_round(a) || is_round(b));
}

}  // namespace

void ImpactPhase::prepare(std::span<const Body> bodies, MovingBodies& moving, ContactSet& contacts,
                          ContactSolver& solver, const WorldSettings& settings) {
  bodies_ = bodies;
  moving_ = &moving;
  contacts_ = &contacts;
  solver_ = &solver;
  settings_ = &settings;
  substep_ = settings.time_step / settings.substeps;
  const std::size_t patches = solver.constraints().size();
  tracks_.assign(patches, {});
  far_.assign(patches, 0);
  looks_.resize(patches / kLookedAtTogether + 1);
  for (Looks& looks : looks_) looks.clear();
  tracked_.clear();
  changed_.assign(bodies.size(), 0.0);
  held_.assign(bodies.size(), 0);
  list_.clear();
  find_quiet();
}

/// The patches of every body that can be pushed: only impacts ask for them.
void ImpactPhase::list_patches() {
  const auto constraints = std::as_const(*solver_).constraints();
  const auto pushed = [&](std::uint32_t body) { return bodies_[body].is_awake(); };
  first_.assign(bodies_.size() + 1, 0);
  for (const ContactConstraint& c : constraints) {
    for (const std::uint32_t body : {c.body_a, c.body_b}) first_[body + 1] += pushed(body) ? 1 : 0;
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  list_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    for (const std::uint32_t body : {constraints[i].body_a, constraints[i].body_b})
      if (pushed(body)) list_[next[body]++] = static_cast<std::uint32_t>(i);
  }
}

/// Finds each patch's kind of contact, and the bounds on both bodies' motions up to which `stale`,
/// `next_impact` and `next_turn` need not look at it.
void ImpactPhase::find_quiet() {
  const auto constraints = solver_->constraints();
  quiet_.resize(constraints.size());
  const auto find = [&](std::size_t i) {
    ContactConstraint& c = constraints[i];
    c.alone = contacts_->alone(i);
    c.rolls = rolls(bodies_[c.body_a].shape(), bodies_[c.body_b].shape());
    const double turning = (kTurning - kStaleRim) * c.size / substep_;
    // Faster approaches are impacts, which have happened when the solver changes velocities.
    const double room = kQuiet * c.least_gap - threshold(c) * substep_;
    quiet_[i] = {c.body_a, c.body_b, kQuiet * kStaleRim * c.size,
                 kQuiet * std::min(kSlower * threshold(c), turning), room};
  };
  parallel_for(
      constraints.size(), kLookedAtTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) find(i);
      },
      settings_->max_threads, Schedule::steady);
}

bool ImpactPhase::later(const Event& x, const Event& y) {
  return x.time > y.time || (x.time == y.time && x.patch > y.patch);
}

void ImpactPhase::run() {
  for (const std::uint32_t patch : tracked_) tracks_[patch] = {};
  tracked_.clear();
  moved_.clear();
  events_.clear();
  look_at_all();
  detect_stale();
  for (const Looks& looks : looks_)
    for (const Event& event : looks.soon) enter(event.patch, event.time);
  while (!events_.empty()) {
    std::pop_heap(events_.begin(), events_.end(), later);
    const Event event = events_.back();
    events_.pop_back();
    if (event.version == tracks_[event.patch].version) handle(event);
  }
  // All impacts are done: moves each struck body to the time of its last one.
  for (const std::uint32_t body : moved_) {
    if (changed_[body] > 0.0) moving_->go_ahead(body, changed_[body], held_[body] != 0);
    changed_[body] = 0.0;
  }
  for (const std::uint32_t body : moved_) held_[body] = 0;
  for (const Looks& looks : looks_)
    for (const std::uint32_t patch : looks.turned) solver_->leave_out(patch, far_[patch] != 0);
}

/// When each patch wants to be looked at first. Most of them never do, as the motions of their
/// bodies tell; and no body changes.
void ImpactPhase::look_at_all() {
  const std::span<const MovingBodies::Motion> motions = moving_->motions();
  const auto look = [&](std::uint32_t patch, Looks& looks) {
    const Quiet& quiet = quiet_[patch];
    const MovingBodies::Motion &a = motions[quiet.body_a], &b = motions[quiet.body_b];
    const double way = a.way + b.way, speed = a.speed + b.speed;
    const bool far = way + kFarSpeed * speed * substep_ < quiet.room && !solver_->pushes(patch);
    if (far != (far_[patch] != 0)) {
      far_[patch] = far;
      looks.turned.push_back(patch);
    }
    if (far || (way <= quiet.way && speed <= quiet.speed)) return;
    if (stale(patch))
      looks.stale.push_back(patch);
    else
      look_soon(patch, looks);
  };
  parallel_for(
      tracks_.size(), kLookedAtTogether,
      [&](std::size_t begin, std::size_t end) {
        Looks& looks = looks_[begin / kLookedAtTogether];
        looks.clear();
        for (std::size_t i = begin; i < end; ++i) look(static_cast<std::uint32_t>(i), looks);
      },
      settings_->max_threads, Schedule::steady);
}

void ImpactPhase::look_soon(std::uint32_t patch, Looks& looks) const {
  const double time = next_look(patch);
  if (time <= substep_) looks.soon.push_back({time, patch, 0});
}

/// Is the patch to be detected again at the start of the substep?
bool ImpactPhase::stale(std::uint32_t patch) const {
  const ContactConstraint& c = std::as_const(*solver_).constraints()[patch];
  const auto moved = [&](double part) {
    return c.moved_beyond(part * c.size, moving_->solver_bodies());
  };
  if (c.count == 0 || !c.alone || !moved(kStaleRim)) return false;
  if (!c.rolls) return !c.open && moved(kStale);
  // An open patch cannot touch before its bodies have moved by its least gap.
  if (moved(c.open ? std::max(kStaleRound, c.least_gap / c.size) : kStaleRound)) return true;
  return !c.open && c.count > 1 && c.tilted(moving_->solver_bodies()) > kStaleRim * c.size;
}

/// Detects the stale patches again, in parallel: no body changes meanwhile.
void ImpactPhase::detect_stale() {
  stale_.clear();
  for (const Looks& looks : looks_)
    stale_.insert(stale_.end(), looks.stale.begin(), looks.stale.end());
  before_.resize(stale_.size());
  parallel_for(
      stale_.size(), kDetectedTogether,
      [&](std::size_t begin, std::size_t end) {
        std::vector<Manifold> scratch;
        for (std::size_t i = begin; i < end; ++i) {
          solver_->read(stale_[i]);
          before_[i] = std::as_const(*solver_).constraints()[stale_[i]].impulse();
          detect_rolling(stale_[i], scratch);
        }
      },
      settings_->max_threads);
  for (std::size_t i = 0; i < stale_.size(); ++i) {
    look_soon(stale_[i], looks_.front());
    take_over(stale_[i], before_[i]);
  }
}

/// Sweeps go on with the patch as it was detected again; the bodies are pushed by what it starts
/// from now, no longer by what it did before.
void ImpactPhase::take_over(std::uint32_t patch, const ContactConstraint::Impulse& before) {
  const ContactConstraint& c = std::as_const(*solver_).constraints()[patch];
  const ContactConstraint::Impulse now = c.impulse();
  const auto bodies = moving_->solver_bodies();
  ContactConstraint::change_impulse({now.linear - before.linear, now.angular - before.angular},
                                    bodies[c.body_a], bodies[c.body_b]);
  solver_->write(patch, bodies);
}

/// The next moment at which the patch deserves a look.
double ImpactPhase::next_look(std::uint32_t patch) const {
  const ContactConstraint& c = solver_->constraints()[patch];
  if (held_[c.body_a] != 0 || held_[c.body_b] != 0) return kNever;
  const Track& track = tracks_[patch];
  const double from = std::max(changed_[c.body_a], changed_[c.body_b]);
  const double turn = next_turn(c, track, from);
  return std::min(turn, next_impact(c, track, from));
}

/// It becomes an event, if there is one in this substep.
void ImpactPhase::schedule(std::uint32_t patch) {
  tracked_.push_back(patch);
  ++tracks_[patch].version;
  const double time = next_look(patch);
  if (time <= substep_) enter(patch, time);
}

void ImpactPhase::enter(std::uint32_t patch, double time) {
  events_.push_back({time, patch, tracks_[patch].version});
  std::push_heap(events_.begin(), events_.end(), later);
}

/// Slower approaches are stopped, not bounced. An elastic pair never comes to rest.
double ImpactPhase::threshold(const ContactConstraint& c) const {
  return c.surface.restitution == 1.0 ? 0.0 : settings_->restitution_threshold;
}

/// When the gap of an approaching point closes.
double ImpactPhase::next_impact(const ContactConstraint& c, const Track& track, double from) const {
  if (track.impacts >= kMaxImpacts || track.looks >= kMaxLooks) return kNever;
  const auto bodies = moving_->solver_bodies();
  const SolverBody& a = bodies[c.body_a];
  const SolverBody& b = bodies[c.body_b];
  const double enough = threshold(c);
  // Most pairs are too slow to approach anywhere: no point is needed to see it.
  if (most_length(a.linear - b.linear) +
          (most_length(a.angular) * a.radius + most_length(b.angular) * b.radius) <=
      kSlower * enough)
    return kNever;
  double time = kNever;
  for (const ContactConstraint::Point& p : c.all_points()) {
    const double approach = -c.speed(p, a, b);
    if (!(approach > enough)) continue;
    time = std::min(time, std::max(c.gap(p, a, b) / approach, from));
  }
  // The velocities of the start do not foresee how the bodies turn on: they may ask again and again
  // for a time that has gone by, at which nothing hits. The next look comes when the bodies have
  // moved on.
  if (track.again && time <= track.looked) time = track.looked + look_again(c, a, b);
  return time;
}

/// How long bodies that touch take to overlap by kLookAgain at most.
double ImpactPhase::look_again(const ContactConstraint& c, const SolverBody& a,
                               const SolverBody& b) {
  const double speed = most_length(a.linear - b.linear) +
                       (most_length(a.angular) * a.radius + most_length(b.angular) * b.radius);
  return kLookAgain * c.size / speed;
}

/// When bodies that turn fast could first be nearer than now.
double ImpactPhase::next_turn(const ContactConstraint& c, const Track& track, double from) const {
  const auto bodies = moving_->solver_bodies();
  const SolverBody& a = bodies[c.body_a];
  const SolverBody& b = bodies[c.body_b];
  // Turns about the normal leave the gap as it is.
  const auto together = [&](const Vec3& rotation_a, const Vec3& rotation_b) {
    return norm(cross(rotation_a, c.normal)) * a.radius +
           norm(cross(rotation_b, c.normal)) * b.radius;
  };
  // Most bodies turn too slowly for that: no root is needed to see it.
  const double most = most_length(a.angular) * a.radius + most_length(b.angular) * b.radius;
  if (!c.open && most * substep_ <= kTurning * c.size) return kNever;
  const double turning = together(a.angular, b.angular);
  const double turned =
      c.open ? together(a.rotation - c.rotation_a, b.rotation - c.rotation_b) : 0.0;
  if (!(turned + turning * substep_ > kTurning * c.size)) return kNever;
  const double speed = std::max(dot(c.normal, a.linear - b.linear), 0.0) + turning;
  const double start = std::max(from, track.looked);
  const double room = c.least_gap - c.moved(bodies, start);
  return start + std::max(room, track.looks > 0 ? kLookAgain * c.size : 0.0) / speed;
}

void ImpactPhase::handle(const Event& event) {
  const ContactConstraint& c = solver_->constraints()[event.patch];
  // Events that were entered before one of their bodies was held are void.
  if (held_[c.body_a] != 0 || held_[c.body_b] != 0) return;
  Track& track = tracks_[event.patch];
  if (track.looks >= kMaxLooks || track.impacts >= kMaxImpacts) {
    hold(event.patch, event.time);
    return;
  }
  tracked_.push_back(event.patch);
  track.again = track.again || (track.looks > 0 && event.time <= track.looked);
  ++track.looks;
  track.looked = event.time;
  if (c.moved(moving_->solver_bodies(), event.time) > kStaleImpact * c.size) {
    solver_->read(event.patch);
    const ContactConstraint::Impulse before = c.impulse();
    detect_again(event.patch, event.time, false, scratch_);
    take_over(event.patch, before);
  }
  collide_at(event.patch, event.time);
}

void ImpactPhase::detect_again(std::uint32_t patch, double time, bool with_impulses,
                               std::vector<Manifold>& scratch) {
  ContactConstraint& c = solver_->constraints()[patch];
  PatchImpulses impulses = c.impulses();
  contacts_->refresh(patch, bodies_, moving_->pose_ahead(c.body_a, time),
                     moving_->pose_ahead(c.body_b, time), impulses, scratch);
  const bool keep = with_impulses || !c.open;
  c.place(contacts_->patches()[patch], moving_->solver_bodies(), time, keep ? &impulses : nullptr);
  // Its bodies have moved since the start, by more than it has since now.
  quiet_[patch].way = -1.0;
  quiet_[patch].room = 0.0;
}

/// At the start of a substep. Of a round body that touches at one point, the gap that was foreseen
/// and the one that is found tell how the next ones will differ from what the velocities say.
void ImpactPhase::detect_rolling(std::uint32_t patch, std::vector<Manifold>& scratch) {
  ContactConstraint& c = solver_->constraints()[patch];
  const auto bodies = moving_->solver_bodies();
  const double foreseen = c.nearest_gap(bodies);
  const int substeps = c.age;
  const bool one_point = c.count == 1 && !c.open;
  const BothVec3 arm = c.points[0].arm;
  detect_again(patch, 0.0, true, scratch);
  if (one_point && c.count == 1 && c.rolls) {
    c.set_curvature(foreseen, c.nearest_gap(bodies), substeps, substep_, bodies);
    c.set_creep(arm, substeps, bodies);
  }
}

void ImpactPhase::hold(std::uint32_t patch, double time) {
  const ContactConstraint& c = solver_->constraints()[patch];
  for (const std::uint32_t body : {c.body_a, c.body_b}) {
    if (!bodies_[body].is_awake()) continue;
    held_[body] = 1;
    changed_[body] = time;
    moved_.push_back(body);
  }
}

/// Lets the patch collide if it touches and approaches at this moment, and looks for what comes
/// next.
void ImpactPhase::collide_at(std::uint32_t patch, double time) {
  ContactConstraint& c = solver_->constraints()[patch];
  const auto bodies = moving_->solver_bodies();
  SolverBody& a = bodies[c.body_a];
  SolverBody& b = bodies[c.body_b];
  // Velocities belong to the middle of the substep: those of this moment differ by what outside
  // forces change until then.
  const double ahead = time - 0.5 * substep_;
  const Vec3 change_a = moving_->acceleration(c.body_a) * ahead;
  const Vec3 change_b = moving_->acceleration(c.body_b) * ahead;
  for (const std::uint32_t body : {c.body_a, c.body_b}) moving_->advance(body, time);
  a.linear += change_a;
  b.linear += change_b;
  const double approach = approach_speed(c, a, b);
  const bool fast = approach > threshold(c);
  // An approach too slow for an impact, which was looked at twice at the same time, is stopped
  // here: it would be overlooked from now on.
  const bool hits = fast || (tracks_[patch].again && approach > 0.0);
  if (hits) collide(c, a, b, fast ? c.surface.restitution : 0.0);
  a.linear -= change_a;
  b.linear -= change_b;
  for (const std::uint32_t body : {c.body_a, c.body_b}) moving_->advance(body, -time);
  if (!hits) {
    schedule(patch);
    return;
  }
  c.struck = true;
  ++tracks_[patch].impacts;
  if (list_.empty()) list_patches();
  for (const std::uint32_t body : {c.body_a, c.body_b}) {
    if (!bodies_[body].is_awake()) continue;
    changed_[body] = time;
    moved_.push_back(body);
    for (std::uint32_t i = first_[body]; i < first_[body + 1]; ++i) {
      if (far_[list_[i]] != 0) looks_.front().turned.push_back(list_[i]);
      far_[list_[i]] = 0;
      tracks_[list_[i]].again = false;
      schedule(list_[i]);
    }
  }
}

}  // namespace tactus::detail
