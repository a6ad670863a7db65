#include "tactus/rigid/contact/contact_refresh.hpp"

#include <algorithm>
#include <utility>

#include "tactus/core.hpp"

namespace tactus::detail {
namespace {

/// A patch whose bodies have moved against each other by this part of the size is detected again:
/// at the start of a substep if it is the only one of its pair, and before an impact. Of round
/// bodies earlier, since other places of a rim follow: soonest where several points of it are
/// known (`kStaleRim`), as of a coin that falls flat.
constexpr double kStale = 0.004;
constexpr double kStaleRound = 0.001;
constexpr double kStaleImpact = 1e-6;
/// Grain size (patches) of the loop that detects patches again.
constexpr std::size_t kDetectedTogether = 8;

}  // namespace

bool ContactRefresh::is_stale(std::uint32_t patch) const {
  const ContactConstraint& c = std::as_const(*step_.solver).constraints()[patch];
  const auto moved = [&](double part) {
    return c.moved_beyond(part * c.size, step_.moving->solver_bodies());
  };
  if (c.on_seam) return moved(kStale);
  if (c.count == 0 || !c.alone || !moved(kStaleRim)) return false;
  if (!c.rolls) return !c.open && moved(kStale);
  // An open patch cannot touch before its bodies have moved by its least gap.
  if (moved(c.open ? std::max(kStaleRound, c.least_gap / c.size) : kStaleRound)) return true;
  return !c.open && c.count > 1 && c.tilted(step_.moving->solver_bodies()) > kStaleRim * c.size;
}

void ContactRefresh::at_start(std::span<const std::uint32_t> patches) {
  before_.resize(patches.size());
  const auto refresh = [&](std::size_t i, std::vector<Manifold>& scratch) {
    step_.solver->read(patches[i]);
    before_[i] = std::as_const(*step_.solver).constraints()[patches[i]].impulse();
    detect_rolling(patches[i], scratch);
  };
  // Patches on seams may share their pair's cache with others; all others are alone in their pair.
  std::vector<std::size_t> on_seams;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (std::as_const(*step_.solver).constraints()[patches[i]].on_seam) on_seams.push_back(i);
  }
  parallel_for(
      patches.size(), kDetectedTogether,
      [&](std::size_t begin, std::size_t end) {
        std::vector<Manifold> scratch;
        for (std::size_t i = begin; i < end; ++i) {
          if (!std::binary_search(on_seams.begin(), on_seams.end(), i)) refresh(i, scratch);
        }
      },
      step_.settings->max_threads);
  for (const std::size_t i : on_seams) refresh(i, scratch_);
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
  detect_again(patch, time, false, scratch_);
  judge(patch, time);
  if (step_.log != nullptr) step_.log->found_again(patch);
  take_over(patch, before);
  return true;
}

void ContactRefresh::detect_again(std::uint32_t patch, double time, bool with_impulses,
                                  std::vector<Manifold>& scratch) {
  ContactConstraint& c = step_.solver->constraints()[patch];
  PatchImpulses impulses = c.impulses();
  step_.contacts->refresh(patch, step_.bodies, step_.moving->pose_ahead(c.body_a, time),
                          step_.moving->pose_ahead(c.body_b, time), impulses, scratch);
  const bool keep = with_impulses || !c.open;
  c.place(step_.contacts->patches()[patch], step_.moving->solver_bodies(), time,
          keep ? &impulses : nullptr);
}

/// At the start of a substep. Of a round body that touches at one point, the gap that was foreseen
/// and the one that is found tell how the next ones will differ from what the velocities say.
void ContactRefresh::detect_rolling(std::uint32_t patch, std::vector<Manifold>& scratch) {
  ContactConstraint& c = step_.solver->constraints()[patch];
  const auto bodies = step_.moving->solver_bodies();
  const double foreseen = c.nearest_gap(bodies);
  const int substeps = c.age;
  const bool one_point = c.count == 1 && !c.open;
  const BothVec3 arm = c.points[0].arm;
  detect_again(patch, 0.0, true, scratch);
  if (one_point && c.count == 1 && c.rolls) {
    c.set_curvature(foreseen, c.nearest_gap(bodies), substeps, step_.substep, bodies);
    c.set_creep(arm, substeps, bodies);
  }
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
