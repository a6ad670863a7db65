#pragma once

#include <algorithm>
#include <compare>
#include <string>
#include <vector>

#include "tactus/rigid/body/find_body.hpp"
#include "tactus/rigid/ranks/rank_region.hpp"

namespace tactus::detail {

/// A patch, wherever it is known: bodies, image, and its place among those of the pair.
struct PatchName {
  BodyId body_a = kNoBody, body_b = kNoBody;
  Periods image{};
  std::uint32_t place = 0;
  friend bool operator==(const PatchName&, const PatchName&) = default;
  // Not defaulted: some libraries have no order of three ways for arrays.
  friend std::strong_ordering operator<=>(const PatchName& x, const PatchName& y) {
    if (const auto c = x.body_a <=> y.body_a; c != 0) return c;
    if (const auto c = x.body_b <=> y.body_b; c != 0) return c;
    for (std::size_t i = 0; i < x.image.size(); ++i)
      if (const auto c = x.image[i] <=> y.image[i]; c != 0) return c;
    return x.place <=> y.place;
  }
};

inline PatchName name_of(const ContactSet& contacts, std::uint32_t patch) {
  const ContactPair& pair = contacts.pair_of(patch);
  return {pair.body_a, pair.body_b, pair.image, patch - pair.first};
}

/// An impulse on the bodies of a patch; the key ends with its name.
template <class Key>
struct KeyedPush {
  Key key;
  ContactConstraint::Impulse change;
};

/// Adds the pushes of other ranks that concern bodies known here. `name(key)` is that of the patch.
template <class Key, class Name>
void trade_pushes(const RankRegion& region, std::span<const Body> bodies,
                  std::vector<KeyedPush<Key>>& pushes, const Name& name) {
  const std::span<const int> neighbours = region.neighbours();
  std::vector<Parcel> parcels(neighbours.size());
  for (const KeyedPush<Key>& push : pushes) {
    const PatchName& patch = name(push.key);
    const std::size_t a = find_body(bodies, patch.body_a), b = find_body(bodies, patch.body_b);
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const auto knows = [&](std::size_t body) {
        if (!bodies[body].is_awake()) return false;
        const auto knowers = region.knowers(body);
        return std::binary_search(knowers.begin(), knowers.end(), neighbours[k]);
      };
      if (knows(a) || knows(b)) parcels[k].add(push);
    }
  }
  std::vector<std::string> messages = messages_of(parcels);
  region.exchange().trade(neighbours, messages);
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (!reader.at_end()) pushes.push_back(reader.read<KeyedPush<Key>>());
  }
}

/// Gives the bodies what patches push, in the order of the keys, and so alike on all ranks that
/// know them.
template <class Key, class Name>
void add_pushes(std::span<const Body> bodies, std::vector<KeyedPush<Key>>& pushes,
                std::span<SolverBody> solver_bodies, const Name& name) {
  std::sort(pushes.begin(), pushes.end(),
            [](const KeyedPush<Key>& x, const KeyedPush<Key>& y) { return x.key < y.key; });
  SolverBody unknown_a, unknown_b;
  for (const KeyedPush<Key>& push : pushes) {
    const PatchName& patch = name(push.key);
    const std::size_t a = find_body(bodies, patch.body_a), b = find_body(bodies, patch.body_b);
    ContactConstraint::change_impulse(push.change, a < bodies.size() ? solver_bodies[a] : unknown_a,
                                      b < bodies.size() ? solver_bodies[b] : unknown_b);
  }
}

}  // namespace tactus::detail
