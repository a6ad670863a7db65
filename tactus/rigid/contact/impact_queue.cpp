#include "tactus/rigid/contact/impact_queue.hpp"

#include <algorithm>
#include <limits>

namespace tactus::detail {
namespace {

constexpr double kBeforeAll = -std::numeric_limits<double>::infinity();

}  // namespace

void ImpactQueue::prepare(std::size_t patches) {
  tracks_.assign(patches, {});
  tracked_.clear();
}

void ImpactQueue::begin_substep() {
  for (const std::uint32_t patch : tracked_) tracks_[patch] = {};
  tracked_.clear();
  events_.clear();
  now_ = kBeforeAll;
  step_ = 0;
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
  const double moment = std::max(time, now_);
  const std::uint32_t step = moment == now_ ? step_ + 1 : 0;
  events_.push_back({time, patch, tracks_[patch].version, moment, step});
  std::push_heap(events_.begin(), events_.end(), later);
}

bool ImpactQueue::peek(Event& event) {
  while (!events_.empty()) {
    event = events_.front();
    if (event.version == tracks_[event.patch].version) return true;
    std::pop_heap(events_.begin(), events_.end(), later);
    events_.pop_back();
  }
  return false;
}

bool ImpactQueue::next(Event& event) {
  if (!peek(event)) return false;
  std::pop_heap(events_.begin(), events_.end(), later);
  events_.pop_back();
  now_ = event.moment;
  step_ = event.step;
  return true;
}

bool ImpactQueue::later(const Event& x, const Event& y) {
  if (x.moment != y.moment) return x.moment > y.moment;
  if (x.step != y.step) return x.step > y.step;
  return x.patch > y.patch;
}

}  // namespace tactus::detail
