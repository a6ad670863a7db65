#include "tactus/rigid/ranks/ranked_turns.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/rigid/solver/solver_blocks.hpp"

namespace tactus::detail {
namespace {

/// Equal to the sign of a zero.
bool has_bits_of(const Vec3& v, const Vec3& w) {
  const auto same = [](double x, double y) {
    return x == y ? std::signbit(x) == std::signbit(y) : std::isnan(x) && std::isnan(y);
  };
  return same(v.x, w.x) && same(v.y, w.y) && same(v.z, w.z);
}

constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

/// The part of a body that joints change.
struct Token {
  Vec3 linear, angular, impulse, angular_impulse;
};

void write(const SolverBody& body, Parcel& parcel) {
  parcel.add(Token{body.linear, body.angular, body.impulse, body.angular_impulse});
}

void read(ParcelReader& reader, SolverBody& body) {
  const auto token = reader.read<Token>();
  body.linear = token.linear;
  body.angular = token.angular;
  body.impulse = token.impulse;
  body.angular_impulse = token.angular_impulse;
}

}  // namespace

/// Stops here of the bodies that others know too, in order.
std::vector<RankedTurns::Stop> RankedTurns::own_stops(std::span<const ContactPatch> patches,
                                                      std::span<const SolverBody> bodies) const {
  std::vector<Stop> stops;
  for (std::uint32_t i = 0; i < patches.size(); ++i) {
    // These patches are solved with the joints.
    if (region_.is_jointed(bodies_[patches[i].body_a]) ||
        region_.is_jointed(bodies_[patches[i].body_b]))
      continue;
    for (const std::uint32_t body : {patches[i].body_a, patches[i].body_b})
      if (bodies[body].inverse_mass > 0.0 && region_.is_shared(body))
        stops.push_back({body, blocks_->turn(i), region_.me()});
  }
  std::sort(stops.begin(), stops.end());
  stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
  return stops;
}

/// All who know a body learn of its stops.
void RankedTurns::add_stops_of_others(std::vector<Stop>& stops) {
  struct Told {
    BodyId body = kNoBody;
    std::uint32_t turn = 0;
  };
  const std::span<const int> neighbours = region_.neighbours();
  std::vector<Parcel> parcels(neighbours.size());
  for (const Stop& stop : stops) {
    for (const int rank : region_.knowers(stop.body)) {
      if (rank == region_.me()) continue;
      const auto k =
          std::lower_bound(neighbours.begin(), neighbours.end(), rank) - neighbours.begin();
      parcels[static_cast<std::size_t>(k)].add(Told{bodies_[stop.body].id(), stop.turn});
    }
  }
  messages_ = messages_of(parcels);
  region_.exchange().trade(neighbours, messages_);
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    ParcelReader reader(messages_[k]);
    while (!reader.at_end()) {
      const auto told = reader.read<Told>();
      stops.push_back(
          {static_cast<std::uint32_t>(find_body(bodies_, told.body)), told.turn, neighbours[k]});
    }
  }
  std::sort(stops.begin(), stops.end());
}

/// After the turn who has swept the body last tells another rank, where either of them is this one.
void RankedTurns::hand_on(const Stop& stop, std::uint32_t turn, int to) {
  if (stop.rank == to) return;
  const auto add = [&](std::vector<int>& ranks, std::vector<Bodies>& lists, int rank) {
    const auto place = std::lower_bound(ranks.begin(), ranks.end(), rank);
    const auto list = lists.begin() + (place - ranks.begin());
    if (place == ranks.end() || *place != rank) {
      lists.insert(list, Bodies{stop.body});
      ranks.insert(place, rank);
    } else {
      list->push_back(stop.body);
    }
  };
  Turn& after = shares_[turn];
  if (stop.rank == region_.me()) add(after.to, after.told, to);
  if (to == region_.me()) add(after.from, after.heard, stop.rank);
}

std::uint32_t RankedTurns::begin(const SolverBlocks& blocks, std::span<const ContactPatch> patches,
                                 std::span<const SolverBody> bodies) {
  const Exchange::About about(region_.exchange(), Exchange::Topic::start);
  blocks_ = &blocks;
  started_.resize(patches.size());
  starts_.assign(patches.size(), 0);
  const auto last = static_cast<std::uint32_t>(region_.exchange().most(blocks.turns_past_last()));
  shares_.assign(last, {});
  std::vector<Stop> stops = own_stops(patches, bodies);
  add_stops_of_others(stops);
  handed_on_.clear();
  for (const Stop& stop : stops)
    if (handed_on_.empty() || handed_on_.back() != stop.body) handed_on_.push_back(stop.body);
  // By bodies, and so alike on both sides.
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const Stop& stop = stops[i];
    if (i + 1 < stops.size() && stops[i + 1].body == stop.body) {
      hand_on(stop, stops[i + 1].turn - 1, stops[i + 1].rank);
      continue;
    }
    for (const int rank : region_.knowers(stop.body)) hand_on(stop, last - 1, rank);
  }
  return last;
}

void RankedTurns::push(std::uint32_t patch, const ContactConstraint::Impulse& impulse) {
  started_[patch] = {{blocks_->turn(patch), name_of(*contacts_, patch)}, impulse};
  starts_[patch] = 1;
}

void RankedTurns::end_pushes(std::span<SolverBody> bodies) {
  const Exchange::About about(region_.exchange(), Exchange::Topic::start);
  std::vector<KeyedPush<Key>> pushes;
  for (std::size_t i = 0; i < starts_.size(); ++i)
    if (starts_[i] != 0) pushes.push_back(started_[i]);
  const auto name = [](const Key& key) -> const PatchName& { return key.patch; };
  trade_pushes(region_, bodies_, pushes, name);
  add_pushes(bodies_, pushes, bodies, name);
}

void RankedTurns::add_up(std::span<std::uint8_t> counts) {
  const Exchange::About about(region_.exchange(), Exchange::Topic::start);
  struct Count {
    BodyId body = kNoBody;
    std::uint8_t count = 0;
  };
  const std::span<const int> neighbours = region_.neighbours();
  std::vector<Parcel> parcels(neighbours.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0 || !bodies_[i].is_dynamic() || !region_.is_shared(i)) continue;
    const auto knowers = region_.knowers(i);
    for (std::size_t k = 0; k < neighbours.size(); ++k)
      if (std::binary_search(knowers.begin(), knowers.end(), neighbours[k]))
        parcels[k].add(Count{bodies_[i].id(), counts[i]});
  }
  messages_ = messages_of(parcels);
  region_.exchange().trade(neighbours, messages_);
  for (const std::string& message : messages_) {
    ParcelReader reader(message);
    while (!reader.at_end()) {
      const auto told = reader.read<Count>();
      std::uint8_t& count = counts[find_body(bodies_, told.body)];
      count = static_cast<std::uint8_t>(std::min(count + told.count, 255));
    }
  }
}

bool RankedTurns::any(bool here) { return region_.exchange().any(here); }

/// Works of friction are added up in the order of patches.
void RankedTurns::mark_rolling(const ContactSolver& solver, std::span<const SolverBody> bodies,
                               std::vector<Rolling>& rolling) {
  solver.mark_rolling(bodies, rolling);
  const std::span<const int> neighbours = region_.neighbours();
  const auto is_shared = [&](std::size_t body) {
    return bodies_[body].is_awake() && region_.is_shared(body);
  };
  std::vector<Parcel> parcels(neighbours.size());
  std::vector<RollingPart> parts;
  const auto constraints = solver.constraints();
  for (std::uint32_t i = 0; i < constraints.size(); ++i) {
    const ContactConstraint& c = constraints[i];
    if (!is_shared(c.body_a) && !is_shared(c.body_b)) continue;
    const ContactSolver::RollingPart part = ContactSolver::rolling_part(c, bodies);
    if (!part.creeps && !part.pushes) continue;
    parts.push_back({name_of(*contacts_, i), part});
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const auto knows = [&](std::size_t body) {
        if (!is_shared(body)) return false;
        const auto knowers = region_.knowers(body);
        return std::binary_search(knowers.begin(), knowers.end(), neighbours[k]);
      };
      if (knows(c.body_a) || knows(c.body_b)) parcels[k].add(parts.back());
    }
  }
  messages_ = messages_of(parcels);
  region_.exchange().trade(neighbours, messages_);
  for (const std::string& message : messages_) {
    ParcelReader reader(message);
    while (!reader.at_end()) parts.push_back(reader.read<RollingPart>());
  }
  std::sort(parts.begin(), parts.end(),
            [](const RollingPart& x, const RollingPart& y) { return x.patch < y.patch; });
  for (std::size_t i = 0; i < rolling.size(); ++i)
    if (is_shared(i)) rolling[i] = {};
  const auto for_each_body = [&](const auto& act) {
    for (const RollingPart& p : parts) {
      for (const BodyId id : {p.patch.body_a, p.patch.body_b}) {
        const std::size_t body = find_body(bodies_, id);
        if (body < bodies_.size() && is_shared(body)) act(p.part, rolling[body]);
      }
    }
  };
  for_each_body([](const ContactSolver::RollingPart& part, Rolling& body) {
    body.rolls = body.rolls || part.creeps;
  });
  for_each_body([](const ContactSolver::RollingPart& part, Rolling& body) { part.add_to(body); });
}

void RankedTurns::before(std::span<const SolverBody> bodies) {
  seen_.resize(bodies.size());
  for (const std::uint32_t i : handed_on_)
    seen_[i] = {bodies[i].impulse, bodies[i].angular_impulse};
}

/// Velocities of all bodies, and then the impulses that are others than before the sweep.
void RankedTurns::after(std::uint32_t number, std::span<SolverBody> bodies) {
  struct Velocities {
    Vec3 linear, angular;
  };
  const Exchange::About about(region_.exchange(), Exchange::Topic::sweeps);
  if (number + 1 == shares_.size()) region_.exchange().count_round();
  const Turn& turn = shares_[number];
  messages_.resize(turn.to.size());
  for (std::size_t k = 0; k < messages_.size(); ++k) {
    Parcel parcel;
    for (const std::uint32_t i : turn.told[k])
      parcel.add(Velocities{bodies[i].linear, bodies[i].angular});
    for (std::uint32_t place = 0; place < turn.told[k].size(); ++place) {
      const std::uint32_t i = turn.told[k][place];
      const ImpulsesOfBody now{bodies[i].impulse, bodies[i].angular_impulse};
      if (has_bits_of(now.linear, seen_[i].linear) && has_bits_of(now.angular, seen_[i].angular))
        continue;
      parcel.add(place);
      parcel.add(now);
    }
    messages_[k] = parcel.take();
  }
  region_.exchange().trade(turn.to, turn.from, messages_);
  for (std::size_t k = 0; k < messages_.size(); ++k) {
    ParcelReader reader(messages_[k]);
    for (const std::uint32_t i : turn.heard[k]) {
      const auto told = reader.read<Velocities>();
      bodies[i].linear = told.linear;
      bodies[i].angular = told.angular;
    }
    while (!reader.at_end()) {
      const std::uint32_t i = turn.heard[k][reader.read<std::uint32_t>()];
      const auto told = reader.read<ImpulsesOfBody>();
      bodies[i].impulse = told.linear;
      bodies[i].angular_impulse = told.angular;
    }
  }
}

void RankedTurns::share_pushed(std::span<char> pushed) {
  Parcel mine;
  if (region_.solves_joints()) {
    for (std::size_t i = 0; i < pushed.size(); ++i)
      if (pushed[i] != 0 && bodies_[i].is_awake()) mine.add(bodies_[i].id());
  }
  joined_.clear();
  const std::vector<std::string> messages = region_.exchange().gather(mine.take());
  ParcelReader reader(messages[RankRegion::kJointRank]);
  // Each rank picks those that it knows.
  while (!reader.at_end()) {
    const std::size_t body = find_body(bodies_, reader.read<BodyId>());
    joined_.push_back(body < bodies_.size() ? static_cast<std::uint32_t>(body) : kUnknown);
    if (body < bodies_.size()) pushed[body] = 1;
  }
}

void RankedTurns::share_joined(std::span<SolverBody> bodies) {
  Parcel mine;
  if (region_.solves_joints())
    for (const std::uint32_t i : joined_) write(bodies[i], mine);
  const std::vector<std::string> messages = region_.exchange().gather(mine.take());
  if (region_.solves_joints()) return;
  ParcelReader reader(messages[RankRegion::kJointRank]);
  SolverBody unknown;
  for (const std::uint32_t i : joined_) read(reader, i == kUnknown ? unknown : bodies[i]);
}

}  // namespace tactus::detail
