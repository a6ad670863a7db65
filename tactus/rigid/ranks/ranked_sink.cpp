#include "tactus/rigid/ranks/ranked_sink.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tactus::detail {
namespace {

std::size_t place_in(std::span<const BodyId> ids, BodyId id) {
  return static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
}

void sort_out(std::vector<BodyId>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

void RankedSink::hear_supports(const ContactSet& contacts, std::span<const double> loads,
                               std::span<const double> overlaps, std::span<const Body> bodies,
                               const Vec3& up) {
  std::vector<Parcel> parcels(static_cast<std::size_t>(region_.exchange().ranks()));
  const auto patches = contacts.all_patches();
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (!(loads[i] > 0.0)) continue;
    const ContactPatch& patch = patches[i];
    const double upward = dot(patch.manifold.normal, up);
    const std::uint32_t above = upward > 0.0 ? patch.body_b : patch.body_a;
    const std::uint32_t below = above == patch.body_a ? patch.body_b : patch.body_a;
    if (!bodies[above].is_dynamic()) continue;
    const ContactPair& pair = contacts.pair_of(i);
    Support s;
    s.rests = pair.rests;
    s.body_a = pair.body_a;
    s.body_b = pair.body_b;
    s.image = pair.image;
    s.place = static_cast<std::uint32_t>(i) - pair.first;
    s.above = bodies[above].id();
    s.below = bodies[below].id();
    if (bodies[below].is_dynamic()) s.below_home = region_.home(below);
    s.height_above = dot(bodies[above].center_of_mass(), up);
    s.height_below = dot(bodies[below].center_of_mass(), up);
    s.weight = loads[i] * std::fabs(upward);
    s.overlap = overlaps[i];
    parcels[static_cast<std::size_t>(region_.home(above))].add(s);
  }
  std::vector<std::string> messages = messages_of(parcels);
  region_.exchange().trade(messages);
  supports_.clear();
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (!reader.at_end()) supports_.push_back(reader.read<Support>());
  }
  const auto key = [](const Support& s) {
    return std::tie(s.height_above, s.above, s.rests, s.body_a, s.body_b, s.image, s.place);
  };
  std::sort(supports_.begin(), supports_.end(),
            [&](const Support& x, const Support& y) { return key(x) < key(y); });
}

/// Tells the homes of the bodies below that their sinks are wanted.
void RankedSink::ask() {
  const auto ranks = static_cast<std::size_t>(region_.exchange().ranks());
  asked_.assign(ranks, {});
  wanted_.assign(ranks, {});
  ids_.clear();
  for (const Support& s : supports_) {
    ids_.push_back(s.above);
    if (s.below_home < 0) continue;
    ids_.push_back(s.below);
    if (s.below_home != region_.me())
      asked_[static_cast<std::size_t>(s.below_home)].push_back(s.below);
  }
  std::vector<Parcel> parcels(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    sort_out(asked_[r]);
    parcels[r].add_list(asked_[r]);
  }
  std::vector<std::string> messages = messages_of(parcels);
  region_.exchange().trade(messages);
  for (std::size_t r = 0; r < ranks; ++r) {
    wanted_[r] = ParcelReader(messages[r]).read_list<BodyId>();
    ids_.insert(ids_.end(), wanted_[r].begin(), wanted_[r].end());
  }
  sort_out(ids_);
  sinks_.assign(ids_.size(), 0.0);
}

/// From below, with the sinks that are known of bodies elsewhere. Has any changed since?
bool RankedSink::add_up() {
  bool changed = false;
  for (std::size_t first = 0, past = 0; first < supports_.size(); first = past) {
    double sum = 0.0, weights = 0.0;
    const Support& body = supports_[first];
    for (; past < supports_.size() && supports_[past].above == body.above; ++past) {
      const Support& s = supports_[past];
      // A body that lies higher has no sink yet when this body's is added up.
      const bool known = s.below_home >= 0 &&
                         std::tie(s.height_below, s.below) < std::tie(s.height_above, s.above);
      sum += s.weight * (s.overlap + (known ? sinks_[place_in(ids_, s.below)] : 0.0));
      weights += s.weight;
    }
    const double sink = weights > 0.0 ? sum / weights : 0.0;
    double& mine = sinks_[place_in(ids_, body.above)];
    changed = changed || mine != sink;
    mine = sink;
  }
  return changed;
}

Softness RankedSink::find(const ContactSet& contacts, std::span<const double> loads,
                          std::span<const double> overlaps, std::span<const Body> bodies,
                          const Vec3& gravity) {
  const Exchange::About about(region_.exchange(), Exchange::Topic::choice);
  Softness result;
  for (const double overlap : overlaps) result.overlap = std::max(result.overlap, overlap);
  result.overlap = region_.exchange().most(result.overlap);
  if (gravity == Vec3{}) return result;
  hear_supports(contacts, loads, overlaps, bodies, -normalized(gravity));
  ask();
  while (region_.exchange().any(add_up())) {
    region_.exchange().count_round();
    std::vector<Parcel> parcels(wanted_.size());
    for (std::size_t r = 0; r < wanted_.size(); ++r)
      for (const BodyId id : wanted_[r]) parcels[r].add(sinks_[place_in(ids_, id)]);
    std::vector<std::string> messages = messages_of(parcels);
    region_.exchange().trade(messages);
    for (std::size_t r = 0; r < asked_.size(); ++r) {
      ParcelReader reader(messages[r]);
      for (const BodyId id : asked_[r]) sinks_[place_in(ids_, id)] = reader.read<double>();
    }
  }
  for (const double sink : sinks_) result.sink = std::max(result.sink, sink);
  result.sink = region_.exchange().most(result.sink);
  return result;
}

}  // namespace tactus::detail
