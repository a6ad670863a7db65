#include "tactus/rigid/world/touch_events.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

bool by_ids(const TouchingPair& x, const TouchingPair& y) {
  return std::pair(x.body_a, x.body_b) < std::pair(y.body_a, y.body_b);
}

}  // namespace

void TouchEvents::Lists::swap(Lists& other) noexcept {
  touching.swap(other.touching);
  known.swap(other.known);
  begun.swap(other.begun);
  ended.swap(other.ended);
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
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (touches(i))
      touched_.push_back({bodies[patches[i].body_a].id(), bodies[patches[i].body_b].id()});
  }
}

/// To the rank that keeps the pair, by its ids: the same in all steps.
void TouchEvents::share(const Region& region) {
  const auto ranks = static_cast<std::size_t>(region.exchange().ranks());
  std::vector<Parcel> parcels(ranks);
  for (const TouchingPair& pair : touched_) parcels[(pair.body_a + pair.body_b) % ranks].add(pair);
  std::vector<std::string> messages = messages_of(parcels);
  region.exchange().trade(messages);
  touched_.clear();
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (!reader.at_end()) touched_.push_back(reader.read<TouchingPair>());
  }
}

void TouchEvents::end_step(std::span<const Body> bodies, const ContactSet& contacts,
                           const Region* region) {
  const auto sensed = contacts.sensed();
  for (std::size_t i = 0; i < sensed.size(); ++i) {
    const Body& a = bodies[sensed[i].a];
    const Body& b = bodies[sensed[i].b];
    const Pose pose_b = placed(b.pose(), contacts.sensed_shift(i));
    if (overlap(a.shape(), a.pose(), b.shape(), pose_b).overlap == Overlap::yes)
      touched_.push_back({a.id(), b.id()});
  }
  if (region != nullptr) share(*region);
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
