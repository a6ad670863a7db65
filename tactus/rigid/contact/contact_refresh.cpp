#include "tactus/rigid/contact/contact_refresh.hpp"

#include <algorithm>
#include <utility>

#include "tactus/core.hpp"

namespace tactus::detail {
namespace {

/// A patch whose bodies have moved against each other by this part of the size is detected again:
/// at the start of a substep if it is the only one of its parts, and before an impact. Of round
/// bodies earlier, since other places of a rim follow: soonest where several points of it are
/// known (`kStaleRim`), as of a coin that falls flat.
constexpr double kStale = 0.004;
constexpr double kStaleRound = 0.001;
constexpr double kStaleImpact = 1e-6;
/// One that rolls is detected again at the start of a substep within which its bodies turn by this
/// part of the size: what it is behind resists the rolling.
constexpr double kStaleRolling = 1e-5;
/// More points than these do not roll.
constexpr int kMostRolling = 2;
/// The place of contact moves on in a substep by at most so many times the way by which the bodies
/// turn, as that of a disc that is nearly flat, and by this part of the size.
constexpr double kFarthest = 50.0, kFarthestOfSize = 0.25;
/// Grain size (patches) of the loop that detects patches again.
constexpr std::size_t kDetectedTogether = 8;

}  // namespace

bool ContactRefresh::turns(const ContactConstraint& c) const {
  const auto bodies = std::as_const(*step_.moving).solver_bodies();
  const SolverBody &a = bodies[c.body_a], &b = bodies[c.body_b];
  return (norm(a.angular) * a.radius + norm(b.angular) * b.radius) * step_.substep >
         kStaleRolling * c.size;
}

bool ContactRefresh::is_stale(std::uint32_t patch) const {
  const ContactConstraint& c = std::as_const(*step_.solver).constraints()[patch];
  const auto moved = [&](double part) {
    return c.moved_beyond(part * c.size, step_.moving->solver_bodies());
  };
  if (c.pinched) return true;
  if (c.on_seam) return moved(kStale);
  if (c.follows && !c.open && c.count > 0 && turns(c)) return true;
  if (c.count == 0 || !moved(kStaleRim)) return false;
  if (!c.rolls && c.open) {
    // Gaps are known to first order: they may be less by so much.
    const auto bodies = std::as_const(*step_.moving).solver_bodies();
    const double bent = c.bent(bodies);
    return bent > kStale * c.size && c.nearest_gap(bodies) <= bent;
  }
  if (!c.rolls) return moved(kStale);
  // An open patch cannot touch before its bodies have moved by its least gap.
  if (moved(c.open ? std::max(kStaleRound, c.least_gap / c.size) : kStaleRound)) return true;
  return !c.open && c.count > 1 && c.tilted(step_.moving->solver_bodies()) > kStaleRim * c.size;
}

void ContactRefresh::at_start(std::span<const std::uint32_t> patches) {
  before_.resize(patches.size());
  const auto refresh = [&](std::size_t i, LastLook& last) {
    step_.solver->read(patches[i]);
    before_[i] = std::as_const(*step_.solver).constraints()[patches[i]].impulse();
    detect_rolling(patches[i], last);
  };
  // Patches of one pair share its cache.
  std::vector<std::size_t> pairs;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (i == 0 || !step_.contacts->of_one_pair(patches[i - 1], patches[i])) pairs.push_back(i);
  }
  pairs.push_back(patches.size());
  parallel_for(
      pairs.size() - 1, kDetectedTogether,
      [&](std::size_t begin, std::size_t end) {
        LastLook last;
        for (std::size_t i = pairs[begin]; i < pairs[end]; ++i) refresh(i, last);
      },
      step_.settings->max_threads);
}

void ContactRefresh::judge(std::span<const std::uint32_t> patches) {
  for (const std::uint32_t patch : patches) judge(patch, 0.0);
}

/// A patch that was detected again may be one that others cover now.
void ContactRefresh::judge(std::uint32_t patch, double time) {
  const ContactPatch& p = step_.contacts->patches()[patch];
  const bool any = p.manifold.count > 0;
  step_.contacts->judge_again(patch, {step_.bodies, step_.moving, time});
  if (any && p.manifold.count == 0) lose_points(patch, time);
}

void ContactRefresh::lose_points(std::uint32_t patch, double time) {
  step_.solver->constraints()[patch].place(step_.contacts->patches()[patch],
                                           step_.moving->solver_bodies(), time, nullptr);
}

bool ContactRefresh::at(std::uint32_t patch, double time) {
  const ContactConstraint& c = std::as_const(*step_.solver).constraints()[patch];
  if (!(c.moved(step_.moving->solver_bodies(), time) > kStaleImpact * c.size)) return false;
  if (step_.log != nullptr) step_.log->before_patch(patch);
  step_.solver->read(patch);
  const ContactConstraint::Impulse before = c.impulse();
  LastLook last;
  detect_again(patch, time, false, last);
  judge(patch, time);
  if (step_.log != nullptr) step_.log->found_again(patch);
  take_over(patch, before);
  return true;
}

void ContactRefresh::detect_again(std::uint32_t patch, double time, bool with_impulses,
                                  LastLook& last) {
  ContactConstraint& c = step_.solver->constraints()[patch];
  PatchImpulses impulses = c.impulses();
  const Vec3 image_way =
      c.image_velocity * (step_.moving->solver_bodies()[c.body_b].elapsed + time);
  step_.contacts->refresh(patch, step_.bodies, step_.moving->pose_ahead(c.body_a, time),
                          placed(step_.moving->pose_ahead(c.body_b, time), image_way), impulses,
                          last);
  const bool keep = !c.pinched && (with_impulses || !c.open);
  c.place(step_.contacts->patches()[patch], step_.moving->solver_bodies(), time,
          keep ? &impulses : nullptr);
}

/// At the start of a substep. Where the place of contact moves on, it is looked at half a substep
/// ahead, too.
void ContactRefresh::detect_rolling(std::uint32_t patch, LastLook& last) {
  ContactConstraint& c = step_.solver->constraints()[patch];
  detect_again(patch, 0.0, true, last);
  if (!c.follows || c.open || c.count == 0 || c.count > kMostRolling) {
    c.set_carried_creep(step_.moving->solver_bodies(), step_.substep);
    return;
  }
  const Course a = step_.moving->course(c.body_a), b = step_.moving->course(c.body_b);
  const Manifold ahead = step_.contacts->look_ahead(patch, step_.bodies, a.ahead, b.ahead, last);
  const auto bodies = step_.moving->solver_bodies();
  const double turning =
      norm(a.angular) * bodies[c.body_a].radius + norm(b.angular) * bodies[c.body_b].radius;
  c.set_creep(ahead, step_.contacts->patches()[patch].shift, a, b, bodies, step_.substep,
              std::min(kFarthest * turning * step_.substep, kFarthestOfSize * c.size));
}

/// Sweeps go on with the patch as it was detected again; the bodies are pushed by what it starts
/// from now, no longer by what it did before.
void ContactRefresh::take_over(std::uint32_t patch, const ContactConstraint::Impulse& before) {
  const ContactConstraint& c = std::as_const(*step_.solver).constraints()[patch];
  const ContactConstraint::Impulse now = c.impulse();
  const auto bodies = step_.moving->solver_bodies();
  const ContactConstraint::Impulse change{now.linear - before.linear, now.angular - before.angular};
  if (step_.log != nullptr)
    step_.log->pushed(patch, change);
  else
    ContactConstraint::change_impulse(change, bodies[c.body_a], bodies[c.body_b]);
  step_.solver->write(patch, bodies);
}

}  // namespace tactus::detail
