#include "tactus/rigid/contact/contact_state.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tactus/rigid/body/find_body.hpp"
#include "tactus/rigid/body/pair_rules.hpp"

namespace tactus::detail {

void ContactLists::swap(ContactLists& other) noexcept {
  pairs.swap(other.pairs);
  keys.swap(other.keys);
  impulses.swap(other.impulses);
  patches.swap(other.patches);
  std::swap(stirring, other.stirring);
  std::swap(reuse, other.reuse);
}

void ContactState::begin_detection() noexcept {
  if (found_ == 1) before_.swap(old_);
  now_.swap(old_);
  ++found_;
}

void ContactState::undo(std::span<const Body> bodies, std::span<const Periods> wrapped) noexcept {
  if (found_ == 1) now_.swap(old_);
  if (found_ > 1) now_.swap(before_);
  found_ = 0;
  // Guests: the ranks that they came from have them again.
  std::erase_if(now_.pairs, [](const ContactPair& pair) { return pair.guest; });
  if (!wrapped.empty()) wrap(bodies, wrapped, -1);
}

/// `sign` -1 takes it back.
void ContactState::wrap(std::span<const Body> bodies, std::span<const Periods> periods, int sign) {
  for (ContactPair& pair : now_.pairs) {
    const std::size_t a = find_body(bodies, pair.body_a), b = find_body(bodies, pair.body_b);
    // Pairs of removed bodies wait for the next detection; unbounded bodies have no images.
    if (a == bodies.size() || b == bodies.size() || !std::isfinite(bodies[a].size()) ||
        !std::isfinite(bodies[b].size()))
      continue;
    pair.image =
        sign > 0 ? pair.image + periods[b] - periods[a] : pair.image + periods[a] - periods[b];
  }
}

void ContactState::remove(std::span<const BodyId> ids) {
  removed_.insert(removed_.end(), ids.begin(), ids.end());
  std::sort(removed_.begin(), removed_.end());
}

void ContactState::clear_removed() {
  if (removed_.empty()) return;
  std::erase_if(now_.pairs, [&](const ContactPair& pair) { return names_one_of(pair, removed_); });
  removed_.clear();
}

void ContactState::save(WorldState& state) const {
  state.pairs.clear();
  state.manifolds.clear();
  state.points.clear();
  for (const ContactPair& pair : now_.pairs) {
    if (names_one_of(pair, removed_)) continue;
    state.pairs.push_back({pair.body_a, pair.body_b, pair.image, pair.cache,
                           static_cast<std::uint32_t>(state.manifolds.size()), pair.count});
    for (std::uint32_t i = pair.first; i < pair.first + pair.count; ++i) {
      const PatchKey& key = now_.keys[i];
      state.manifolds.push_back({key.part_a, key.part_b,
                                 static_cast<std::uint32_t>(state.points.size()),
                                 static_cast<std::uint32_t>(key.count), now_.impulses[i].rolling});
      for (std::size_t k = 0; k < static_cast<std::size_t>(key.count); ++k)
        state.points.push_back({key.features[k], key.positions[k], now_.impulses[i].normal[k],
                                now_.impulses[i].friction[k]});
    }
  }
}

void ContactState::restore(const WorldState& state) {
  removed_.clear();
  now_.pairs.clear();
  now_.keys.clear();
  now_.impulses.clear();
  now_.patches.clear();
  now_.stirring = 0;
  now_.reuse = false;
  for (const PairMemory& pair : state.pairs)
    now_.pairs.push_back(
        {pair.body_a, pair.body_b, pair.cache, pair.first, pair.count, pair.image});
  for (const ManifoldMemory& manifold : state.manifolds) {
    PatchKey key{manifold.part_a, manifold.part_b, static_cast<int>(manifold.count), {}, {}};
    PatchImpulses impulses;
    impulses.rolling = manifold.rolling_impulse;
    for (std::uint32_t k = 0; k < manifold.count; ++k) {
      const ContactPointMemory& point = state.points[manifold.first + k];
      key.features[k] = point.feature;
      key.positions[k] = point.position;
      impulses.normal[k] = point.normal_impulse;
      impulses.friction[k] = point.friction_impulse;
    }
    now_.keys.push_back(key);
    now_.impulses.push_back(impulses);
  }
}

}  // namespace tactus::detail
