#include "tactus/rigid/contact/candidate_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "tactus/core.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/motion/moving_bodies.hpp"

namespace tactus::detail {
namespace {

/// Grain size (bodies) of the loop that computes swept boxes.
constexpr std::size_t kBoxedTogether = 128;
/// Pairs of boxes that a world may have, whatever its size, and per body. A pair that touches takes
/// some 2 kB.
constexpr std::size_t kMostPairs = std::size_t{1} << 19u, kMostPairsPerBody = 64;

}  // namespace

Outlook look_ahead(const Body& body, const WorldSettings& settings, double time) {
  Outlook result;
  result.acceleration = outside_acceleration(body, settings);
  // Without a turn, even what has no bounds comes nowhere by it.
  if (body.type() != BodyType::fixed && body.angular_velocity() != Vec3{})
    result.turning = norm(body.angular_velocity()) * body.radius() * time;
  result.aside = straying(body, settings, time);
  // After an impact it may go within a substep in another direction: the next detection comes at
  // the end of the substep.
  if (body.is_awake())
    result.aside += (norm(body.linear_velocity()) + norm(body.angular_velocity()) * body.radius()) *
                    std::min(settings.time_step / settings.substeps, time);
  return result;
}

Aabb swept_box(const Body& body, const WorldSettings& settings, const Outlook& ahead, double time) {
  Aabb box = bounding_box(body.shape(), body.pose());
  if (!std::isfinite(body.size())) return box;
  const Vec3 travel = (body.linear_velocity() + ahead.acceleration * time) * time;
  const double margin = settings.contact_margin * body.size() + ahead.turning + ahead.aside;
  const Vec3 grown{margin, margin, margin};
  box.lower = component_min(box.lower, box.lower + travel) - grown;
  box.upper = component_max(box.upper, box.upper + travel) + grown;
  return box;
}

void CandidatePairs::find(std::span<const Body> bodies, const WorldSettings& settings,
                          const PairRules& rules, double time) {
  space_ = PeriodicBox(settings.periodic, settings.shear);
  space_.set_time(now_, time);
  entries_.resize(bodies.size());
  outlooks_.resize(bodies.size());
  parallel_for(
      bodies.size(), kBoxedTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          outlooks_[i] = look_ahead(bodies[i], settings, time);
          entries_[i] = {i, swept_box(bodies[i], settings, outlooks_[i], time)};
        }
      },
      settings.max_threads, Schedule::steady);
  if (anew_) {
    broad_ = AutoBroadPhase(settings.max_threads);
    periodic_ = PeriodicPairs();
    anew_ = false;
  }
  const std::size_t most = std::max(kMostPairs, kMostPairsPerBody * bodies.size());
  try {
    find_near(most);
  } catch (const InvalidInput&) {
    throw StepFault(StepError::crowded, {},
                    "more than " + std::to_string(most) + " pairs of " +
                        std::to_string(bodies.size()) +
                        " bodies are near each other: too many to keep in memory");
  }
  sort_out(bodies, rules);
}

/// Keeps the pairs that push each other, and apart those with a sensor.
void CandidatePairs::sort_out(std::span<const Body> bodies, const PairRules& rules) {
  sensed_.clear();
  sensed_images_.clear();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pushing_.size(); ++i) {
    const BroadPair pair = pushing_[i];
    const Body& a = bodies[pair.a];
    const Body& b = bodies[pair.b];
    if (filter_ != nullptr &&
        !filter_->owns(pair.a, pair.b, images_.empty() ? Periods{} : images_[i]))
      continue;
    if (rules.may_push(a, b)) {
      if (!images_.empty()) images_[kept] = images_[i];
      pushing_[kept++] = pair;
    } else if (rules.may_touch(a, b)) {
      if (!images_.empty()) sensed_images_.push_back(images_[i]);
      sensed_.push_back(pair);
    }
  }
  pushing_.resize(kept);
  if (!images_.empty()) images_.resize(kept);
}

void CandidatePairs::find_near(std::size_t most) {
  images_.clear();
  if (space_.any())
    periodic_.find(space_, entries_, broad_, most, pushing_, images_);
  else
    broad_.find_pairs(entries_, pushing_, most);
}

}  // namespace tactus::detail
