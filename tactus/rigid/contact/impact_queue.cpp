#include "tactus/rigid/contact/impact_queue.hpp"

#include <algorithm>

namespace tactus::detail {

void ImpactQueue::prepare(std::size_t patches) {
  tracks_.assign(patches, {});
  tracked_.clear();
}

void ImpactQueue::begin_substep() {
  for (const std::uint32_t patch : tracked_) tracks_[patch] = {};
  tracked_.clear();
  events_.clear();
}

ImpactQueue::Track& ImpactQueue::change(std::uint32_t patch) {
  tracked_.push_back(patch);
  return tracks_[patch];
}

void ImpactQueue::note_look(std::uint32_t patch, double time) {
  Track& track = change(patch);
  track.again = track.again || (track.looks > 0 && time <= track.looked);
  ++track.looks;
  track.looked = time;
}

void ImpactQueue::enter(std::uint32_t patch, double time) {
  events_.push_back({time, patch, tracks_[patch].version});
  std::push_heap(events_.begin(), events_.end(), later);
}

bool ImpactQueue::next(Event& event) {
  while (!events_.empty()) {
    std::pop_heap(events_.begin(), events_.end(), later);
    event = events_.back();
    events_.pop_back();
    if (event.version == tracks_[event.patch].version) return true;
  }
  return false;
}

bool ImpactQueue::later(const Event& x, const Event& y) {
  return x.time > y.time || (x.time == y.time && x.patch > y.patch);
}

}  // namespace tactus::detail
