#include "tactus/rigid/ranks/ranked_turns.hpp"

#include <algorithm>

#include "tactus/rigid/body/find_body.hpp"

namespace tactus::detail {
namespace {

/// What a sweep, and the preparation of one, change of a body.
struct Token {
  Vec3 linear, angular, impulse, angular_impulse;
};

}  // namespace

std::uint32_t RankedTurns::begin(const SolverBlocks& blocks, std::span<const ContactPatch> patches,
                                 std::span<const SolverBody> bodies) {
  const auto last = static_cast<std::uint32_t>(region_.exchange().most(blocks.turns_past_last()));
  const std::span<const int> neighbours = region_.neighbours();
  turns_.assign(last,
                {std::vector<Bodies>(neighbours.size()), std::vector<Bodies>(neighbours.size())});
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
    tell(turns_[blocks.turn(i)], patches[i].body_a);
    tell(turns_[blocks.turn(i)], patches[i].body_b);
  }
  std::vector<Parcel> parcels(neighbours.size());
  for (Turn& turn : turns_) {
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      Bodies& told = turn.told[k];
      std::sort(told.begin(), told.end());
      told.erase(std::unique(told.begin(), told.end()), told.end());
      std::vector<BodyId> ids;
      for (const std::uint32_t body : told) ids.push_back(ids_[body].id());
      parcels[k].add_list(ids);
    }
  }
  messages_.clear();
  for (Parcel& parcel : parcels) messages_.push_back(parcel.take());
  region_.exchange().trade(neighbours, messages_);
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    ParcelReader reader(messages_[k]);
    for (Turn& turn : turns_)
      for (const BodyId id : reader.read_list<BodyId>())
        turn.heard[k].push_back(static_cast<std::uint32_t>(find_body(ids_, id)));
  }
  return last;
}

void RankedTurns::after(std::uint32_t number, std::span<SolverBody> bodies) {
  const Turn& turn = turns_[number];
  for (std::size_t k = 0; k < messages_.size(); ++k) {
    Parcel parcel;
    for (const std::uint32_t i : turn.told[k]) {
      const SolverBody& body = bodies[i];
      parcel.add(Token{body.linear, body.angular, body.impulse, body.angular_impulse});
    }
    messages_[k] = parcel.take();
  }
  region_.exchange().trade(region_.neighbours(), messages_);
  for (std::size_t k = 0; k < messages_.size(); ++k) {
    ParcelReader reader(messages_[k]);
    for (const std::uint32_t i : turn.heard[k]) {
      SolverBody& body = bodies[i];
      const auto token = reader.read<Token>();
      body.linear = token.linear;
      body.angular = token.angular;
      body.impulse = token.impulse;
      body.angular_impulse = token.angular_impulse;
    }
  }
}

}  // namespace tactus::detail
