#include "tactus/rigid/ranks/ranked_turns.hpp"

#include <algorithm>

#include "tactus/rigid/solver/solver_blocks.hpp"

namespace tactus::detail {
namespace {

constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

/// The part of a body that sweeps and joints change.
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

std::uint32_t RankedTurns::begin(const SolverBlocks& blocks, std::span<const ContactPatch> patches,
                                 std::span<const SolverBody> bodies) {
  blocks_ = &blocks;
  started_.resize(patches.size());
  starts_.assign(patches.size(), 0);
  const auto last = static_cast<std::uint32_t>(region_.exchange().most(blocks.turns_past_last()));
  const std::span<const int> neighbours = region_.neighbours();
  Turn none;
  none.told.resize(neighbours.size());
  none.heard.resize(neighbours.size());
  shares_.assign(last, none);
  const auto tell = [&](Turn& turn, std::uint32_t body) {
    if (!(bodies[body].inverse_mass > 0.0) || !region_.is_shared(body)) return;
    for (const int rank : region_.knowers(body)) {
      if (rank == region_.me()) continue;
      const auto k =
          std::lower_bound(neighbours.begin(), neighbours.end(), rank) - neighbours.begin();
      turn.told[static_cast<std::size_t>(k)].push_back(body);
    }
  };
  for (std::uint32_t i = 0; i < patches.size(); ++i) {
    // These patches are solved with the joints.
    if (region_.is_jointed(bodies_[patches[i].body_a]) ||
        region_.is_jointed(bodies_[patches[i].body_b]))
      continue;
    tell(shares_[blocks.turn(i)], patches[i].body_a);
    tell(shares_[blocks.turn(i)], patches[i].body_b);
  }
  std::vector<Parcel> parcels(neighbours.size());
  for (Turn& turn : shares_) {
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      Bodies& told = turn.told[k];
      std::sort(told.begin(), told.end());
      told.erase(std::unique(told.begin(), told.end()), told.end());
      std::vector<BodyId> ids;
      for (const std::uint32_t body : told) ids.push_back(bodies_[body].id());
      parcels[k].add_list(ids);
    }
  }
  messages_ = messages_of(parcels);
  region_.exchange().trade(neighbours, messages_);
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    ParcelReader reader(messages_[k]);
    for (Turn& turn : shares_)
      for (const BodyId id : reader.read_list<BodyId>())
        turn.heard[k].push_back(static_cast<std::uint32_t>(find_body(bodies_, id)));
  }
  for (Turn& turn : shares_) {
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      if (turn.told[k].empty() && turn.heard[k].empty()) continue;
      turn.partners.push_back(neighbours[k]);
      turn.places.push_back(k);
    }
  }
  return last;
}

void RankedTurns::push(std::uint32_t patch, const ContactConstraint::Impulse& impulse) {
  started_[patch] = {{blocks_->turn(patch), name_of(*contacts_, patch)}, impulse};
  starts_[patch] = 1;
}

void RankedTurns::end_pushes(std::span<SolverBody> bodies) {
  std::vector<KeyedPush<Key>> pushes;
  for (std::size_t i = 0; i < starts_.size(); ++i)
    if (starts_[i] != 0) pushes.push_back(started_[i]);
  add_pushes(region_, bodies_, pushes, bodies,
             [](const Key& key) -> const PatchName& { return key.patch; });
}

void RankedTurns::after(std::uint32_t number, std::span<SolverBody> bodies) {
  const Turn& turn = shares_[number];
  messages_.resize(turn.partners.size());
  for (std::size_t k = 0; k < messages_.size(); ++k) {
    Parcel parcel;
    for (const std::uint32_t i : turn.told[turn.places[k]]) write(bodies[i], parcel);
    messages_[k] = parcel.take();
  }
  region_.exchange().trade(turn.partners, messages_);
  for (std::size_t k = 0; k < messages_.size(); ++k) {
    ParcelReader reader(messages_[k]);
    for (const std::uint32_t i : turn.heard[turn.places[k]]) read(reader, bodies[i]);
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
  ParcelReader reader(messages[Region::kJointRank]);
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
  ParcelReader reader(messages[Region::kJointRank]);
  SolverBody unknown;
  for (const std::uint32_t i : joined_) read(reader, i == kUnknown ? unknown : bodies[i]);
}

}  // namespace tactus::detail
