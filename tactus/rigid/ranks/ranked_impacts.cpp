#include "tactus/rigid/ranks/ranked_impacts.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "tactus/rigid/body/find_body.hpp"
#include "tactus/rigid/ranks/agree.hpp"

namespace tactus::detail {
namespace {

/// Every so many rounds records are dropped that may follow from wrong ones.
constexpr int kDropEvery = 8;

}  // namespace

RankedImpacts::Key RankedImpacts::key_of(std::uint32_t patch) const {
  Key key;
  key.patch = name_of(*phase_->step_.contacts, patch);
  if (!looking_) return key;
  key.look = true;
  key.moment = phase_->queue_.present_moment();
  key.step = phase_->queue_.present_step();
  return key;
}

bool RankedImpacts::is_shared(std::uint32_t body) const {
  return phase_->step_.bodies[body].is_awake() && region_.is_shared(body);
}

void RankedImpacts::before_patch(std::uint32_t patch) {
  const ContactStep& step = phase_->step_;
  ContactLists& now = step.contacts->memory().now();
  patches_.push_back({patch, step.solver->constraints()[patch], now.patches[patch], now.keys[patch],
                      step.contacts->pair_of(patch).cache, step.solver->save(patch)});
}

void RankedImpacts::before_bodies(std::uint32_t patch) {
  const ContactConstraint& c = phase_->step_.solver->constraints()[patch];
  for (const std::uint32_t body : {c.body_a, c.body_b})
    if (phase_->step_.bodies[body].is_awake()) bodies_.push_back(phase_->step_.moving->copy(body));
}

void RankedImpacts::happened(std::uint32_t patch, double time, bool held) {
  const ContactConstraint& c = phase_->step_.solver->constraints()[patch];
  Record record;
  record.key = key_of(patch);
  record.time = time;
  record.held = held;
  for (const std::uint32_t body : {c.body_a, c.body_b}) {
    if (is_shared(body))
      record.changes[record.count++] = {phase_->step_.bodies[body].id(),
                                        phase_->step_.moving->flight(body)};
  }
  if (record.count > 0) told_.push_back(record);
}

void RankedImpacts::pushed(std::uint32_t patch, const ContactConstraint::Impulse& change) {
  pushes_.push_back({key_of(patch), change});
}

/// Another rank's impact, as if it had happened here.
void RankedImpacts::take_over(const Record& record) {
  phase_->queue_.set_present(record.key.moment, record.key.step);
  const std::span<const Body> bodies = phase_->step_.bodies;
  std::array<std::uint32_t, 2> places{};
  for (std::uint32_t i = 0; i < record.count; ++i) {
    places[i] = static_cast<std::uint32_t>(find_body(bodies, record.changes[i].body));
    bodies_.push_back(phase_->step_.moving->copy(places[i]));
    phase_->step_.moving->set_flight(places[i], record.changes[i].flight);
  }
  for (std::uint32_t i = 0; i < record.count; ++i) {
    if (!record.held) {
      phase_->follow(places[i], record.time);
      continue;
    }
    phase_->held_[places[i]] = 1;
    phase_->changed_[places[i]] = record.time;
    phase_->moved_.push_back(places[i]);
  }
}

/// Own looks and the records of others, in the order of their keys.
void RankedImpacts::take_looks() {
  std::size_t next = 0;
  try {
    for (;;) {
      ImpactQueue::Event event{};
      const bool own = phase_->queue_.peek(event);
      const bool other = next < heard_.size();
      if (!own && !other) return;
      bool first = own;
      if (own && other) {
        Key key;
        key.look = true;
        key.moment = event.moment;
        key.step = event.step;
        key.patch = name_of(*phase_->step_.contacts, event.patch);
        first = key < heard_[next].key;
      }
      if (first) {
        phase_->queue_.next(event);
        phase_->handle(event);
      } else {
        take_over(heard_[next++]);
      }
    }
  } catch (const StepFault& fault) {
    fault_ = fault;
  }
}

void RankedImpacts::bring_back() {
  const ContactStep& step = phase_->step_;
  ContactLists& now = step.contacts->memory().now();
  while (!patches_.empty()) {
    PatchCopy& copy = patches_.back();
    step.solver->constraints()[copy.patch] = copy.constraint;
    now.patches[copy.patch] = copy.found;
    now.keys[copy.patch] = copy.key;
    step.contacts->cache_of(copy.patch) = std::move(copy.cache);
    step.solver->restore(copy.swept);
    patches_.pop_back();
  }
  for (; !bodies_.empty(); bodies_.pop_back()) step.moving->restore(bodies_.back());
  const Start& start = start_.front();
  phase_->queue_ = start.queue;
  phase_->quiet_.restore(start.quiet);
  phase_->moved_ = start.moved;
  phase_->changed_ = start.changed;
  phase_->held_ = start.held;
  pushes_.resize(first_pushes_);
  told_.clear();
  fault_.reset();
}

/// What the others have to tell now, by keys.
std::vector<RankedImpacts::Record> RankedImpacts::hear() {
  const std::span<const int> neighbours = region_.neighbours();
  const std::span<const Body> bodies = phase_->step_.bodies;
  std::vector<Parcel> parcels(neighbours.size());
  for (const Record& record : told_) {
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      Record part = record;
      part.count = 0;
      for (std::uint32_t i = 0; i < record.count; ++i) {
        const auto knowers = region_.knowers(find_body(bodies, record.changes[i].body));
        if (std::binary_search(knowers.begin(), knowers.end(), neighbours[k]))
          part.changes[part.count++] = record.changes[i];
      }
      if (part.count > 0) parcels[k].add(part);
    }
  }
  std::vector<std::string> messages;
  for (Parcel& parcel : parcels) messages.push_back(parcel.take());
  region_.exchange().trade(neighbours, messages);
  std::vector<Record> heard;
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (!reader.at_end()) heard.push_back(reader.read<Record>());
  }
  std::sort(heard.begin(), heard.end(),
            [](const Record& x, const Record& y) { return x.key < y.key; });
  return heard;
}

namespace {

/// Bit by bit: what is not equal but for the sign of a zero is not the same.
template <class T>
bool same_bits(const T& x, const T& y) {
  return std::memcmp(&x, &y, sizeof x) == 0;
}

}  // namespace

/// Tells and hears; goes through the looks again where something is new. Is nothing new anywhere?
bool RankedImpacts::settle() {
  ++rounds_;
  std::vector<Record> heard = hear();
  std::size_t agreed = 0;
  const auto same = [](const Record& x, const Record& y) {
    return !(x.key < y.key) && !(y.key < x.key) && x.held == y.held && x.count == y.count &&
           same_bits(x.time, y.time) && x.changes[0].body == y.changes[0].body &&
           same_bits(x.changes[0].flight, y.changes[0].flight) &&
           (x.count < 2 || (x.changes[1].body == y.changes[1].body &&
                            same_bits(x.changes[1].flight, y.changes[1].flight)));
  };
  while (agreed < std::min(heard.size(), heard_.size()) && same(heard[agreed], heard_[agreed]))
    ++agreed;
  const bool is_new = agreed < std::max(heard.size(), heard_.size());
  if (!region_.exchange().any(is_new)) return true;
  if (rounds_ % kDropEvery == 0) {
    Parcel mine;
    for (const std::vector<Record>* list : {&heard, &heard_})
      if (agreed < list->size()) mine.add((*list)[agreed].key);
    std::optional<Key> least;
    for (const std::string& message : region_.exchange().gather(mine.take())) {
      ParcelReader reader(message);
      while (!reader.at_end()) {
        const Key key = reader.read<Key>();
        if (!least || key < *least) least = key;
      }
    }
    std::erase_if(heard, [&](const Record& record) { return least && *least < record.key; });
  }
  if (heard.size() == heard_.size() &&
      std::equal(heard.begin(), heard.end(), heard_.begin(), same)) {
    return false;
  }
  bring_back();
  heard_ = std::move(heard);
  take_looks();
  return false;
}

void RankedImpacts::run(ImpactPhase& phase) {
  phase_ = &phase;
  phase.step_.log = this;
  looking_ = false;
  rounds_ = 0;
  pushes_.clear();
  told_.clear();
  heard_.clear();
  patches_.clear();
  bodies_.clear();
  agree(region_.exchange(), [&] { phase.begin(); });
  first_pushes_ = pushes_.size();
  looking_ = true;
  ImpactQueue::Event event{};
  if (region_.exchange().any(phase.queue_.peek(event))) {
    start_.assign(1,
                  {phase.queue_, phase.quiet_.save(), phase.moved_, phase.changed_, phase.held_});
    take_looks();
    while (!settle()) {
    }
    agree(region_.exchange(), [&] {
      if (fault_) throw StepFault(*fault_);
    });
  }
  if (region_.exchange().any(!pushes_.empty()))
    add_pushes(region_, phase.step_.bodies, pushes_, phase.step_.moving->solver_bodies(),
               [](const Key& key) -> const PatchName& { return key.patch; });
  phase.end();
  phase.step_.log = nullptr;
}

}  // namespace tactus::detail
