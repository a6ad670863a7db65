#include "tactus/rigid/world/touch_events.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "tactus/math/angle.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

bool by_ids(const TouchingPair& x, const TouchingPair& y) {
  return std::pair(x.body_a, x.body_b) < std::pair(y.body_a, y.body_b);
}

/// The motion that leads from one pose to another in a time of 1.
RigidMotion motion_between(const Pose& from, const Pose& to) {
  if (from == to) return {};
  return {to.position() - from.position(), rotation_between(from.rotation(), to.rotation())};
}

}  // namespace

void TouchEvents::Lists::swap(Lists& other) noexcept {
  touching.swap(other.touching);
  known.swap(other.known);
  begun.swap(other.begun);
  ended.swap(other.ended);
}

void TouchEvents::begin_step(std::span<const Body> bodies) {
  touched_.clear();
  sensed_.clear();
  starts_.clear();
  if (std::none_of(bodies.begin(), bodies.end(), [](const Body& b) { return b.is_sensor(); }))
    return;
  for (const Body& body : bodies) starts_.push_back(body.pose());
}

void TouchEvents::note(std::span<const Body> bodies, const ContactSet& contacts,
                       const ContactSolver& solver) {
  const auto patches = contacts.all_patches();
  const auto resting = contacts.all_impulses();
  const auto constraints = solver.constraints();
  const auto touches = [&](std::size_t i) {
    const auto points = patches[i].manifold.span();
    const bool pushed = i < constraints.size() ? constraints[i].struck || constraints[i].load > 0.0
                                               : resting[i].load() > 0.0;
    return pushed || patches[i].overlaps ||
           std::any_of(points.begin(), points.end(),
                       [](const ContactPoint& point) { return point.depth >= 0.0; });
  };
  const auto sensed = contacts.sensed();
  for (std::size_t i = 0; i < sensed.size(); ++i)
    sensed_.push_back({sensed[i].a, sensed[i].b, contacts.sensed_shift(i)});
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (touches(i))
      touched_.push_back({bodies[patches[i].body_a].id(), bodies[patches[i].body_b].id()});
  }
}

/// Do bodies that are apart at the start of the step meet on their ways to where they are now?
bool TouchEvents::passes(const Sensed& pair, std::span<const Body> bodies) const {
  const Body &a = bodies[pair.a], &b = bodies[pair.b];
  const Pose &start_a = starts_[pair.a], start_b = placed(starts_[pair.b], pair.shift);
  const Pose pose_b = placed(b.pose(), pair.shift);
  if (start_a == a.pose() && start_b == pose_b) return false;
  if (swept_overlap(a.shape(), start_a, a.pose(), b.shape(), start_b, pose_b) == Overlap::no)
    return false;
  if (overlap(a.shape(), start_a, b.shape(), start_b).overlap == Overlap::yes) return false;
  return impact(a.shape(), start_a, motion_between(start_a, a.pose()), b.shape(), start_b,
                motion_between(start_b, pose_b))
             .hit == Overlap::yes;
}

void TouchEvents::end_step(std::span<const Body> bodies) {
  // Several detections find the same pairs.
  const auto key = [](const Sensed& pair) {
    return std::tuple(pair.a, pair.b, pair.shift.x, pair.shift.y, pair.shift.z);
  };
  std::sort(sensed_.begin(), sensed_.end(),
            [&](const Sensed& x, const Sensed& y) { return key(x) < key(y); });
  sensed_.erase(std::unique(sensed_.begin(), sensed_.end(),
                            [&](const Sensed& x, const Sensed& y) { return key(x) == key(y); }),
                sensed_.end());
  for (const Sensed& pair : sensed_) {
    const Body &a = bodies[pair.a], &b = bodies[pair.b];
    const Pose pose_b = placed(b.pose(), pair.shift);
    if (overlap(a.shape(), a.pose(), b.shape(), pose_b).overlap == Overlap::yes ||
        passes(pair, bodies))
      touched_.push_back({a.id(), b.id()});
  }
  // Patches come in the order of their pairs: only several detections or sensors upset it.
  if (!std::is_sorted(touched_.begin(), touched_.end(), by_ids))
    std::sort(touched_.begin(), touched_.end(), by_ids);
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  now_.begun.clear();
  now_.ended.clear();
  const std::vector<TouchingPair>& earlier = before_.known;
  std::set_difference(touched_.begin(), touched_.end(), earlier.begin(), earlier.end(),
                      std::back_inserter(now_.begun), by_ids);
  std::set_difference(earlier.begin(), earlier.end(), touched_.begin(), touched_.end(),
                      std::back_inserter(now_.ended), by_ids);
  now_.touching = now_.known = touched_;
}

void TouchEvents::forget(std::span<const BodyId> ids) {
  std::erase_if(now_.touching, [ids](const TouchingPair& pair) { return names_one_of(pair, ids); });
}

void TouchEvents::clear() {
  for (std::vector<TouchingPair>* list : {&now_.touching, &now_.known, &now_.begun, &now_.ended})
    list->clear();
}

}  // namespace tactus::detail
