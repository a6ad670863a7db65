#include "tactus/rigid/ranks/ranked_impacts.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tactus/rigid/body/find_body.hpp"
#include "tactus/rigid/ranks/agree.hpp"

namespace tactus::detail {
namespace {

/// Every so many rounds records are dropped that may follow from wrong ones.
constexpr int kDropEvery = 8;
/// Anything that a rank has for others, the most of it: looks to take or news of them, or pushes of
/// bodies that others know.
constexpr double kNews = 2.0, kPushes = 1.0;

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
  if (record.count > 0) told_.records.push_back(record);
}

void RankedImpacts::found_again(std::uint32_t patch) {
  const ContactStep& step = phase_->step_;
  if (!seams_.concerned(*step.contacts, step.bodies, patch).empty())
    told_.findings.push_back({key_of(patch), step.contacts->patches()[patch]});
}

/// Begins, and judges the patches that were found again: beside those of other ranks, where these
/// concern each other. One question to all serves for that and for faults.
void RankedImpacts::begin() {
  const ContactStep& step = phase_->step_;
  std::optional<StepFault> fault;
  try {
    phase_->begin();
  } catch (const StepFault& reason) {
    fault = reason;
  }
  const bool concerns =
      std::any_of(phase_->stale_.begin(), phase_->stale_.end(), [&](std::uint32_t patch) {
        return !seams_.concerned(*step.contacts, step.bodies, patch).empty();
      });
  constexpr double kFault = 2.0, kConcerns = 1.0;
  const double most = region_.exchange().most(fault ? kFault : concerns ? kConcerns : 0.0);
  if (most == kFault) {
    agree(region_.exchange(), [&] {
      if (fault) throw StepFault(*fault);
    });
  }
  if (most == kConcerns)
    judge_in_order(phase_->stale_);
  else
    phase_->refresh_.judge(phase_->stale_);
}

/// A patch that is judged at the start of the substep, here or by its owner.
struct RankedImpacts::Judged {
  static constexpr std::uint32_t kGuest = ~std::uint32_t{0};
  PatchName name;
  ContactPatch* patch;
  ContactPatch found;          ///< before it is judged
  std::uint32_t own = kGuest;  ///< its place among the patches of this rank
  bool dropped = false;
};

/// Tells something of own patches to the ranks that they concern.
template <class Write, class Read>
void RankedImpacts::tell(std::span<const Judged> patches, const Write& write, const Read& read) {
  const ContactStep& step = phase_->step_;
  const std::span<const int> neighbours = region_.neighbours();
  std::vector<Parcel> parcels(neighbours.size());
  for (const Judged& judged : patches) {
    if (judged.own == Judged::kGuest) continue;
    const std::vector<int> ranks = seams_.concerned(*step.contacts, step.bodies, judged.own);
    for (std::size_t k = 0; k < neighbours.size(); ++k)
      if (std::binary_search(ranks.begin(), ranks.end(), neighbours[k])) write(judged, parcels[k]);
  }
  std::vector<std::string> messages = messages_of(parcels);
  region_.exchange().trade(neighbours, messages);
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (!reader.at_end()) read(reader);
  }
}

/// These patches, and those of others that were found again and are known here, by name.
std::vector<RankedImpacts::Judged> RankedImpacts::with_guests(
    std::span<const std::uint32_t> patches) {
  ContactSet& contacts = *phase_->step_.contacts;
  std::vector<ContactPatch>& own = contacts.memory().now().patches;
  std::vector<Judged> judged, guests;
  for (const std::uint32_t patch : patches)
    judged.push_back({name_of(contacts, patch), &own[patch], own[patch], patch});
  tell(
      judged,
      [](const Judged& own_one, Parcel& parcel) {
        parcel.add(own_one.name);
        parcel.add(own_one.found);
      },
      [&](ParcelReader& reader) {
        const auto name = reader.read<PatchName>();
        const auto found = reader.read<ContactPatch>();
        ContactPatch* guest = seams_.guest(contacts, name);
        if (guest == nullptr) return;
        RankedSeams::renew(*guest, found);
        guests.push_back({name, guest, *guest});
      });
  judged.insert(judged.end(), guests.begin(), guests.end());
  std::sort(judged.begin(), judged.end(),
            [](const Judged& x, const Judged& y) { return x.name < y.name; });
  return judged;
}

/// Judges them one after the other in the order of all ranks, though each rank judges its own: what
/// another one drops is known in the next round, until nothing is dropped or kept that was not
/// before.
void RankedImpacts::judge_in_order(std::span<const std::uint32_t> patches) {
  const ContactStep& step = phase_->step_;
  std::vector<Judged> all = with_guests(patches);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Judged& judged : all) *judged.patch = judged.found;
    for (Judged& judged : all) {
      if (judged.own == Judged::kGuest) {
        if (judged.dropped) judged.patch->manifold.count = 0;
        continue;
      }
      step.contacts->judge_again(judged.own, {step.bodies, step.moving, 0.0});
      judged.dropped = judged.found.manifold.count > 0 && judged.patch->manifold.count == 0;
    }
    tell(
        all,
        [](const Judged& judged, Parcel& parcel) {
          parcel.add(judged.name);
          parcel.add(judged.dropped);
        },
        [&](ParcelReader& reader) {
          const auto name = reader.read<PatchName>();
          const bool dropped = reader.read<bool>();
          const auto judged =
              std::lower_bound(all.begin(), all.end(), name,
                               [](const Judged& x, const PatchName& y) { return x.name < y; });
          if (judged == all.end() || judged->name != name || judged->dropped == dropped) return;
          judged->dropped = dropped;
          changed = true;
        });
    changed = region_.exchange().any(changed);
  }
  for (const Judged& judged : all)
    if (judged.own != Judged::kGuest && judged.dropped)
      phase_->refresh_.lose_points(judged.own, 0.0);
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

/// Own looks and the news of others, in the order of their keys.
void RankedImpacts::take_looks() {
  ContactSet& contacts = *phase_->step_.contacts;
  std::size_t record = 0, finding = 0;
  try {
    for (;;) {
      ImpactQueue::Event event{};
      const bool own = phase_->queue_.peek(event);
      Key key;
      key.look = true;
      key.moment = std::numeric_limits<double>::infinity();
      if (own) {
        key.moment = event.moment;
        key.step = event.step;
        key.patch = name_of(contacts, event.patch);
      }
      const bool has_record = record < heard_.records.size();
      const bool has_finding = finding < heard_.findings.size();
      const Key end{true, std::numeric_limits<double>::infinity(), 0, {}};
      const Key& next_record = has_record ? heard_.records[record].key : end;
      const Key& next_finding = has_finding ? heard_.findings[finding].key : end;
      if (!own && !has_record && !has_finding) return;
      if (has_finding && !(next_record < next_finding) && !(own && key < next_finding)) {
        const Finding& found = heard_.findings[finding++];
        ContactPatch* guest = seams_.guest(contacts, found.key.patch);
        if (guest == nullptr) continue;
        guests_.emplace_back(guest, *guest);
        RankedSeams::renew(*guest, found.found);
      } else if (has_record && !(own && key < next_record)) {
        take_over(heard_.records[record++]);
      } else {
        phase_->queue_.next(event);
        phase_->handle(event);
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
  for (; !guests_.empty(); guests_.pop_back()) *guests_.back().first = guests_.back().second;
  for (; !bodies_.empty(); bodies_.pop_back()) step.moving->restore(bodies_.back());
  const Start& start = start_.front();
  phase_->queue_ = start.queue;
  phase_->quiet_.restore(start.quiet);
  phase_->moved_ = start.moved;
  phase_->changed_ = start.changed;
  phase_->held_ = start.held;
  pushes_.resize(first_pushes_);
  told_ = {};
  fault_.reset();
}

/// News of the other ranks, by keys.
RankedImpacts::News RankedImpacts::hear() {
  const std::span<const int> neighbours = region_.neighbours();
  const std::span<const Body> bodies = phase_->step_.bodies;
  std::vector<Parcel> parcels(neighbours.size());
  for (const Record& record : told_.records) {
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      Record part = record;
      part.count = 0;
      for (std::uint32_t i = 0; i < record.count; ++i) {
        const auto knowers = region_.knowers(find_body(bodies, record.changes[i].body));
        if (std::binary_search(knowers.begin(), knowers.end(), neighbours[k]))
          part.changes[part.count++] = record.changes[i];
      }
      if (part.count == 0) continue;
      parcels[k].add(true);
      parcels[k].add(part);
    }
  }
  for (const Finding& finding : told_.findings) {
    const auto ranks = seams_.concerned_by(*phase_->step_.contacts, bodies, finding.found);
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      if (!std::binary_search(ranks.begin(), ranks.end(), neighbours[k])) continue;
      parcels[k].add(false);
      parcels[k].add(finding);
    }
  }
  std::vector<std::string> messages = messages_of(parcels);
  region_.exchange().trade(neighbours, messages);
  News heard;
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (!reader.at_end()) {
      if (reader.read<bool>())
        heard.records.push_back(reader.read<Record>());
      else
        heard.findings.push_back(reader.read<Finding>());
    }
  }
  const auto by_key = [](const auto& x, const auto& y) { return x.key < y.key; };
  std::sort(heard.records.begin(), heard.records.end(), by_key);
  std::sort(heard.findings.begin(), heard.findings.end(), by_key);
  return heard;
}

namespace {

/// Bit by bit: what is not equal but for the sign of a zero is not the same.
template <class T>
bool same_bits(const T& x, const T& y) {
  const auto* first = reinterpret_cast<const unsigned char*>(&x);
  return std::equal(first, first + sizeof x, reinterpret_cast<const unsigned char*>(&y));
}

}  // namespace

bool RankedImpacts::same(const Record& x, const Record& y) {
  if (x.key < y.key || y.key < x.key || x.held != y.held || x.count != y.count ||
      !same_bits(x.time, y.time))
    return false;
  for (std::uint32_t i = 0; i < x.count; ++i)
    if (x.changes[i].body != y.changes[i].body ||
        !same_bits(x.changes[i].flight, y.changes[i].flight))
      return false;
  return true;
}

bool RankedImpacts::same(const Finding& x, const Finding& y) {
  const Manifold &m = x.found.manifold, &n = y.found.manifold;
  if (x.key < y.key || y.key < x.key || m.count != n.count || !same_bits(m.normal, n.normal) ||
      !same_bits(x.found.center_a, y.found.center_a) ||
      !same_bits(x.found.center_b, y.found.center_b))
    return false;
  for (std::size_t k = 0; k < m.span().size(); ++k)
    if (!same_bits(m.points[k].point_a, n.points[k].point_a) ||
        !same_bits(m.points[k].point_b, n.points[k].point_b))
      return false;
  return true;
}

/// The least key at which the news differ from those that were taken over; none if they are the
/// same.
std::optional<RankedImpacts::Key> RankedImpacts::first_difference(const News& news) const {
  std::optional<Key> least;
  const auto compare = [&](const auto& now, const auto& then) {
    std::size_t agreed = 0;
    while (agreed < std::min(now.size(), then.size()) && same(now[agreed], then[agreed])) ++agreed;
    for (const auto* list : {&now, &then})
      if (agreed < list->size() && (!least || (*list)[agreed].key < *least))
        least = (*list)[agreed].key;
  };
  compare(news.records, heard_.records);
  compare(news.findings, heard_.findings);
  return least;
}

/// Drops what comes after the least key at which any rank hears something new.
void RankedImpacts::drop_behind(const Key* mine, News& news) {
  Parcel parcel;
  if (mine != nullptr) parcel.add(*mine);
  std::optional<Key> least;
  for (const std::string& message : region_.exchange().gather(parcel.take())) {
    ParcelReader reader(message);
    if (reader.at_end()) continue;
    const Key key = reader.read<Key>();
    if (!least || key < *least) least = key;
  }
  const auto behind = [&](const auto& item) { return least && *least < item.key; };
  std::erase_if(news.records, behind);
  std::erase_if(news.findings, behind);
}

bool RankedImpacts::pushes_of_others() const {
  return std::any_of(pushes_.begin(), pushes_.end(), [&](const Push& push) {
    const std::span<const Body> bodies = phase_->step_.bodies;
    const PatchName& patch = push.key.patch;
    return is_shared(static_cast<std::uint32_t>(find_body(bodies, patch.body_a))) ||
           is_shared(static_cast<std::uint32_t>(find_body(bodies, patch.body_b)));
  });
}

/// Tells and hears; goes through the looks again where something is new. Is nothing new anywhere?
bool RankedImpacts::settle() {
  region_.exchange().count_round();
  const bool tells = !told_.records.empty() || !told_.findings.empty();
  const double pushes = pushes_of_others() ? kPushes : 0.0;
  News heard;
  std::optional<Key> difference;
  if (++rounds_ == 1) {
    // Whatever is told at first is new to who hears it.
    ahead_ = region_.exchange().most(tells ? kNews : pushes);
    if (ahead_ < kNews) return true;
    heard = hear();
    difference = first_difference(heard);
  } else {
    heard = hear();
    difference = first_difference(heard);
    ahead_ = region_.exchange().most(difference ? kNews : pushes);
    if (ahead_ < kNews) return true;
  }
  if (rounds_ % kDropEvery == 0) {
    drop_behind(difference ? &*difference : nullptr, heard);
    difference = first_difference(heard);
  }
  if (!difference) return false;
  bring_back();
  heard_ = std::move(heard);
  take_looks();
  return false;
}

void RankedImpacts::run(ImpactPhase& phase) {
  const Exchange::About about(region_.exchange(), Exchange::Topic::impacts);
  phase_ = &phase;
  phase.step_.log = this;
  looking_ = false;
  rounds_ = 0;
  pushes_.clear();
  told_ = heard_ = {};
  guests_.clear();
  patches_.clear();
  bodies_.clear();
  begin();
  phase.enter_looks();
  first_pushes_ = pushes_.size();
  looking_ = true;
  ImpactQueue::Event event{};
  ahead_ = region_.exchange().most(phase.queue_.peek(event) ? kNews
                                   : pushes_of_others()     ? kPushes
                                                            : 0.0);
  if (ahead_ == kNews) {
    start_.assign(1,
                  {phase.queue_, phase.quiet_.save(), phase.moved_, phase.changed_, phase.held_});
    take_looks();
    while (!settle()) {
    }
    agree(region_.exchange(), [&] {
      if (fault_) throw StepFault(*fault_);
    });
  }
  const auto name = [](const Key& key) -> const PatchName& { return key.patch; };
  if (ahead_ > 0.0) trade_pushes(region_, phase.step_.bodies, pushes_, name);
  add_pushes(phase.step_.bodies, pushes_, phase.step_.moving->solver_bodies(), name);
  phase.end();
  phase.step_.log = nullptr;
}

}  // namespace tactus::detail
