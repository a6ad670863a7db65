#include "tactus/rigid/contact/quiet_patches.hpp"

#include <algorithm>

#include "tactus/rigid/contact/contact_refresh.hpp"
#include "tactus/rigid/contact/impact_time.hpp"

namespace tactus::detail {
namespace {

/// Safety factor, for rounding, of bounds by the motion of each body alone.
constexpr double kQuiet = 0.9;
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

void QuietPatches::prepare() {
  const std::size_t patches = step_.solver->constraints().size();
  far_.assign(patches, 0);
  found_.resize(patches / kLookedAtTogether + 1);
  for (Found& found : found_) found.clear();
  const auto constraints = step_.solver->constraints();
  quiet_.resize(constraints.size());
  const auto find = [&](std::size_t i) {
    ContactConstraint& c = constraints[i];
    c.alone = step_.contacts->alone(i);
    c.rolls = rolls(step_.bodies[c.body_a].shape(), step_.bodies[c.body_b].shape());
    const double turning =
        (ImpactTime::kTurning - ContactRefresh::kStaleRim) * c.size / step_.substep;
    // Faster approaches are impacts, which have happened when the solver changes velocities.
    const double room = kQuiet * c.least_gap - step_.threshold(c) * step_.substep;
    quiet_[i] = {c.body_a, c.body_b, kQuiet * ContactRefresh::kStaleRim * c.size,
                 kQuiet * std::min(ImpactTime::kSlower * step_.threshold(c), turning), room};
  };
  parallel_for(
      constraints.size(), kLookedAtTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) find(i);
      },
      step_.settings->max_threads, Schedule::steady);
}

void QuietPatches::come_near(std::uint32_t patch) {
  if (far_[patch] != 0) found_.front().turned.push_back(patch);
  far_[patch] = 0;
}

QuietPatches::State QuietPatches::save() const { return {quiet_, far_, found_.front().turned}; }

void QuietPatches::restore(const State& state) {
  quiet_ = state.quiet;
  far_ = state.far;
  found_.front().turned = state.turned;
}

void QuietPatches::leave_out_far() {
  for (const Found& found : found_)
    for (const std::uint32_t patch : found.turned) step_.solver->leave_out(patch, far_[patch] != 0);
}

}  // namespace tactus::detail
