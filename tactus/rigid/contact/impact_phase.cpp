#include "tactus/rigid/contact/impact_phase.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tactus/rigid/solver/impact.hpp"

namespace tactus::detail {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

void ImpactPhase::prepare(std::span<const Body> bodies, MovingBodies& moving, ContactSet& contacts,
                          ContactSolver& solver, const WorldSettings& settings) {
  step_ = {bodies, &moving, &contacts, &solver, &settings, settings.time_step / settings.substeps,
           nullptr};
  queue_.prepare(solver.constraints().size());
  changed_.assign(bodies.size(), 0.0);
  held_.assign(bodies.size(), 0);
  list_.clear();
  quiet_.prepare();
}

/// The patches of every body that can be pushed: only impacts ask for them.
void ImpactPhase::list_patches() {
  const auto constraints = std::as_const(*step_.solver).constraints();
  const auto pushed = [&](std::uint32_t body) { return step_.bodies[body].is_awake(); };
  first_.assign(step_.bodies.size() + 1, 0);
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

void ImpactPhase::run() {
  begin();
  refresh_.judge(stale_);
  enter_looks();
  ImpactQueue::Event event{};
  while (queue_.next(event)) handle(event);
  end();
}

void ImpactPhase::begin() {
  queue_.begin_substep();
  moved_.clear();
  find_stale();
}

void ImpactPhase::end() {
  // All impacts are done: moves each struck body to the time of its last one.
  for (const std::uint32_t body : moved_) {
    if (changed_[body] > 0.0) step_.moving->go_ahead(body, changed_[body], held_[body] != 0);
    changed_[body] = 0.0;
  }
  for (const std::uint32_t body : moved_) held_[body] = 0;
  quiet_.leave_out_far();
}

void ImpactPhase::look_soon(std::uint32_t patch, QuietPatches::Found& found) const {
  const double time = next_look(patch);
  if (time <= step_.substep) found.soon.push_back({patch, time});
}

/// Detects stale patches again, and finds when each other patch wants to be looked at first. Most
/// of them never do, as the motions of their bodies tell; and no body changes.
void ImpactPhase::find_stale() {
  quiet_.look_at_others([&](std::uint32_t patch, QuietPatches::Found& found) {
    if (refresh_.is_stale(patch))
      found.stale.push_back(patch);
    else
      look_soon(patch, found);
  });
  stale_.clear();
  for (const QuietPatches::Found& found : quiet_.found())
    stale_.insert(stale_.end(), found.stale.begin(), found.stale.end());
  refresh_.at_start(stale_);
}

/// The stale patches, as they were judged, and all that want to be looked at.
void ImpactPhase::enter_looks() {
  const std::span<QuietPatches::Found> all = quiet_.found();
  for (std::size_t i = 0; i < stale_.size(); ++i) {
    quiet_.forget(stale_[i]);
    look_soon(stale_[i], all.front());
    refresh_.take_over(i, stale_[i]);
  }
  for (const QuietPatches::Found& found : all)
    for (const QuietPatches::Soon& soon : found.soon) queue_.enter(soon.patch, soon.time);
}

/// The next moment at which the patch deserves a look.
double ImpactPhase::next_look(std::uint32_t patch) const {
  const ContactConstraint& c = step_.solver->constraints()[patch];
  if (held_[c.body_a] != 0 || held_[c.body_b] != 0) return kNever;
  // With joints, which take their part of a blow: an impact would move the bodies alone.
  if (step_.solver->is_handed_over(patch) && c.surface.restitution == 0.0) return kNever;
  return times_.next(c, queue_.track(patch), std::max(changed_[c.body_a], changed_[c.body_b]));
}

/// It becomes an event, if there is one in this substep.
void ImpactPhase::schedule(std::uint32_t patch) {
  queue_.renew(patch);
  const double time = next_look(patch);
  if (time <= step_.substep) queue_.enter(patch, time);
}

void ImpactPhase::handle(const ImpactQueue::Event& event) {
  const ContactConstraint& c = step_.solver->constraints()[event.patch];
  // Events that were entered before one of their bodies was held are void.
  if (held_[c.body_a] != 0 || held_[c.body_b] != 0) return;
  const ImpactQueue::Track& track = queue_.track(event.patch);
  if (track.looks >= ImpactTime::kMaxLooks || track.impacts >= ImpactTime::kMaxImpacts) {
    hold(event.patch, event.time);
    return;
  }
  queue_.note_look(event.patch, event.time);
  if (refresh_.at(event.patch, event.time)) quiet_.forget(event.patch);
  collide_at(event.patch, event.time);
}

void ImpactPhase::hold(std::uint32_t patch, double time) {
  const ContactConstraint& c = step_.solver->constraints()[patch];
  for (const std::uint32_t body : {c.body_a, c.body_b}) {
    if (!step_.bodies[body].is_awake()) continue;
    held_[body] = 1;
    changed_[body] = time;
    moved_.push_back(body);
  }
  if (step_.log != nullptr) step_.log->happened(patch, time, true);
}

/// On a body with a servo: the momentum that the other body has lost.
void ImpactPhase::note_blow(std::uint32_t body, const SolverBody& other, const Vec3& before) {
  if (!step_.bodies[body].has_servo() || !(other.inverse_mass > 0.0)) return;
  blows_.push_back({step_.bodies[body].id(), (before - other.linear) * (1.0 / other.inverse_mass)});
}

/// Lets the patch collide if it touches and approaches at this moment. Does it?
bool ImpactPhase::collide_now(ContactConstraint& c, std::uint32_t patch, double time) {
  return step_.moving->meet(c.body_a, c.body_b, time, [&](SolverBody& a, SolverBody& b) {
    const double approach = approach_speed(c, a, b);
    const bool fast = approach > step_.threshold(c);
    // An approach too slow for an impact, which was looked at twice at the same time, is stopped
    // here: it would be overlooked from now on.
    const bool hits = fast || (queue_.track(patch).again && approach > 0.0);
    if (!hits) return false;
    const Vec3 before_a = a.linear, before_b = b.linear;
    collide(c, a, b, fast ? c.surface.restitution : 0.0);
    note_blow(c.body_a, b, before_b);
    note_blow(c.body_b, a, before_a);
    return true;
  });
}

/// Lets the patch collide at this moment if it has to, and looks for what comes next.
void ImpactPhase::collide_at(std::uint32_t patch, double time) {
  ContactConstraint& c = step_.solver->constraints()[patch];
  if (step_.log != nullptr) step_.log->before_bodies(patch);
  if (!collide_now(c, patch, time)) {
    schedule(patch);
    return;
  }
  if (step_.log != nullptr) step_.log->before_patch(patch);
  c.struck = true;
  ++queue_.change(patch).impacts;
  for (const std::uint32_t body : {c.body_a, c.body_b}) follow(body, time);
  if (step_.log != nullptr) step_.log->happened(patch, time, false);
}

/// An impact has changed a body: its patches have other moments.
void ImpactPhase::follow(std::uint32_t body, double time) {
  if (!step_.bodies[body].is_awake()) return;
  if (list_.empty()) list_patches();
  changed_[body] = time;
  moved_.push_back(body);
  for (std::uint32_t i = first_[body]; i < first_[body + 1]; ++i) {
    quiet_.come_near(list_[i]);
    queue_.change(list_[i]).again = false;
    schedule(list_[i]);
  }
}

}  // namespace tactus::detail
