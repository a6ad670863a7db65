#include "tactus/rigid/world/touch_events.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "tactus/math/angle.hpp"
#include "tactus/query.hpp"
#include "tactus/rigid/body/find_body.hpp"

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

std::vector<BodyId> sorted_once(std::vector<BodyId> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace

bool TouchEvents::before_id(const Place& place, BodyId id) { return place.body < id; }

const TouchEvents::Place* TouchEvents::find(const Places& places, BodyId id) {
  const auto at = std::lower_bound(places.begin(), places.end(), id, before_id);
  return at != places.end() && at->body == id ? &*at : nullptr;
}

/// One of several ranks tells of a body that moves; one that nothing pushes is known to all.
TouchEvents::Places TouchEvents::places_of(std::span<const Body> bodies, const RankRegion* region) {
  Places result;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const bool told = region != nullptr && bodies[i].is_dynamic() && region->counts(i);
    result.push_back({bodies[i].id(), bodies[i].pose(), told});
  }
  return result;
}

void TouchEvents::Lists::swap(Lists& other) noexcept {
  touching.swap(other.touching);
  known.swap(other.known);
  begun.swap(other.begun);
  ended.swap(other.ended);
}

void TouchEvents::begin_step(std::span<const Body> bodies, const RankRegion* region) {
  touched_.clear();
  sensed_.clear();
  starts_.clear();
  senses_ = region != nullptr && !region->knows_all()
                ? region->table().has_sensors()
                : std::any_of(bodies.begin(), bodies.end(),
                              [](const Body& body) { return body.is_sensor(); });
  if (senses_) starts_ = places_of(bodies, region);
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
    sensed_.push_back(
        {bodies[sensed[i].a].id(), bodies[sensed[i].b].id(), contacts.sensed_shift(i)});
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (touches(i))
      touched_.push_back({bodies[patches[i].body_a].id(), bodies[patches[i].body_b].id()});
  }
}

/// To the rank that keeps the pair, by its ids: the same in all steps.
void TouchEvents::share(const RankRegion& region) {
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

/// Do bodies that are apart at the start of the step meet on their ways to where they are now?
bool TouchEvents::passes(const Way& a, const Way& b, const Vec3& shift) {
  const Pose start_b = placed(b.start, shift), end_b = placed(b.end, shift);
  if (a.start == a.end && start_b == end_b) return false;
  if (swept_overlap(a.shape, a.start, a.end, b.shape, start_b, end_b) == Overlap::no) return false;
  if (overlap(a.shape, a.start, b.shape, start_b).overlap == Overlap::yes) return false;
  return impact(a.shape, a.start, motion_between(a.start, a.end), b.shape, start_b,
                motion_between(start_b, end_b))
             .hit == Overlap::yes;
}

/// Bodies come to a rank within a step, and leave it: those who know where one of them was at the
/// start, and where it is at the end, tell who has looked at it in between.
void TouchEvents::ask_for_others(const RankRegion& region, std::span<const BodyId> wanted) {
  const auto lacks = [](const Places& places, BodyId id) { return find(places, id) == nullptr; };
  std::vector<BodyId> lacking;
  for (const BodyId id : wanted)
    if (lacks(starts_, id) || lacks(ends_, id)) lacking.push_back(id);
  Parcel question;
  for (const BodyId id : lacking) question.add(id);
  std::vector<BodyId> asked;
  for (const std::string& message : region.exchange().gather(question.take())) {
    ParcelReader reader(message);
    while (!reader.at_end()) asked.push_back(reader.read<BodyId>());
  }
  if (asked.empty()) return;
  Parcel answer;
  for (const BodyId id : sorted_once(asked)) {
    for (const bool at_end : {false, true}) {
      const Place* const place = find(at_end ? ends_ : starts_, id);
      if (place == nullptr || !place->told) continue;
      answer.add(at_end);
      answer.add(*place);
    }
  }
  for (const std::string& message : region.exchange().gather(answer.take())) {
    ParcelReader reader(message);
    while (!reader.at_end()) {
      Places& places = reader.read<bool>() ? ends_ : starts_;
      const auto place = reader.read<Place>();
      const auto at = std::lower_bound(places.begin(), places.end(), place.body, before_id);
      if (at == places.end() || at->body != place.body) places.insert(at, place);
    }
  }
}

/// Adds the pairs of `sensed_` that overlap.
void TouchEvents::look_at_sensors(std::span<const Body> bodies, const RankRegion* region) {
  // Several detections find the same pairs.
  const auto key = [](const Sensed& pair) {
    return std::tuple(pair.a, pair.b, pair.shift.x, pair.shift.y, pair.shift.z);
  };
  std::sort(sensed_.begin(), sensed_.end(),
            [&](const Sensed& x, const Sensed& y) { return key(x) < key(y); });
  sensed_.erase(std::unique(sensed_.begin(), sensed_.end()), sensed_.end());
  ends_ = places_of(bodies, region);
  if (region != nullptr) {
    std::vector<BodyId> wanted;
    for (const Sensed& pair : sensed_) wanted.insert(wanted.end(), {pair.a, pair.b});
    ask_for_others(*region, sorted_once(wanted));
  }
  const auto way = [&](BodyId id) {
    const std::size_t known = find_body(bodies, id);
    const Body& body = known < bodies.size() ? bodies[known] : region->table().kind(id);
    return Way{body.shape(), find(starts_, id)->pose, find(ends_, id)->pose};
  };
  for (const Sensed& pair : sensed_) {
    const Way a = way(pair.a), b = way(pair.b);
    if (overlap(a.shape, a.end, b.shape, placed(b.end, pair.shift)).overlap == Overlap::yes ||
        passes(a, b, pair.shift))
      touched_.push_back({pair.a, pair.b});
  }
}

void TouchEvents::end_step(std::span<const Body> bodies, const RankRegion* region) {
  if (senses_) look_at_sensors(bodies, region);
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
