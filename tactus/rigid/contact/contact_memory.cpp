#include <algorithm>
#include <cmath>

#include "tactus/rigid/body/find_body.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/contact/contact_set.hpp"

// How a contact set keeps its pairs and impulses from step to step, and goes back to earlier ones.

namespace tactus::detail {

void ContactSet::swap_with_old() noexcept {
  pairs_.swap(old_pairs_);
  keys_.swap(old_keys_);
  impulses_.swap(old_impulses_);
  patches_.swap(old_patches_);
}

/// With the old lists, or with those of now.
void ContactSet::swap_before_with(bool old) noexcept {
  pairs_before_.swap(old ? old_pairs_ : pairs_);
  keys_before_.swap(old ? old_keys_ : keys_);
  impulses_before_.swap(old ? old_impulses_ : impulses_);
  patches_before_.swap(old ? old_patches_ : patches_);
}

void ContactSet::remember() noexcept {
  found_ = 0;
  reuse_before_ = reuse_;
  stirring_before_ = stirring_;
}

void ContactSet::undo(std::span<const Body> bodies, std::span<const Periods> wrapped) noexcept {
  if (found_ == 1) swap_with_old();
  if (found_ > 1) swap_before_with(false);
  found_ = 0;
  reuse_ = reuse_before_;
  stirring_ = stirring_before_;
  broad_anew_ = true;
  if (wrapped.empty()) return;
  wrap(bodies, wrapped, -1);
}

void ContactSet::require_finite() const {
  const auto finite = [](const PatchImpulses& p) {
    return is_finite(p.rolling) &&
           std::all_of(p.normal.begin(), p.normal.end(),
                       [](double x) { return std::isfinite(x); }) &&
           std::all_of(p.friction.begin(), p.friction.end(),
                       [](const Vec3& v) { return is_finite(v); });
  };
  const std::span<const PatchImpulses> all = impulses();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (finite(all[i])) continue;
    const Pair& pair = pairs_[pair_of_patch_[i]];
    throw StepFault(StepError::not_finite, {pair.body_a, pair.body_b},
                    "their contact pushes with what is no number");
  }
}

void ContactSet::wrap(std::span<const Body> bodies, std::span<const Periods> periods) {
  wrap(bodies, periods, 1);
}

/// `sign` -1 takes it back.
void ContactSet::wrap(std::span<const Body> bodies, std::span<const Periods> periods, int sign) {
  for (Pair& pair : pairs_) {
    const std::size_t a = find_body(bodies, pair.body_a), b = find_body(bodies, pair.body_b);
    // Pairs of removed bodies wait for the next detection; unbounded bodies have no images.
    if (a == bodies.size() || b == bodies.size() || !std::isfinite(bodies[a].size()) ||
        !std::isfinite(bodies[b].size()))
      continue;
    pair.image =
        sign > 0 ? pair.image + periods[b] - periods[a] : pair.image + periods[a] - periods[b];
  }
}

void ContactSet::remove(std::span<const BodyId> ids) {
  removed_.insert(removed_.end(), ids.begin(), ids.end());
  std::sort(removed_.begin(), removed_.end());
}

void ContactSet::clear_removed() {
  if (removed_.empty()) return;
  std::erase_if(pairs_, [&](const Pair& pair) { return names_one_of(pair, removed_); });
  removed_.clear();
}

void ContactSet::save(WorldState& state) const {
  state.pairs.clear();
  state.manifolds.clear();
  state.points.clear();
  for (const Pair& pair : pairs_) {
    if (names_one_of(pair, removed_)) continue;
    state.pairs.push_back({pair.body_a, pair.body_b, pair.image, pair.cache,
                           static_cast<std::uint32_t>(state.manifolds.size()), pair.count});
    for (std::uint32_t i = pair.first; i < pair.first + pair.count; ++i) {
      const PatchKey& key = keys_[i];
      state.manifolds.push_back({key.part_a, key.part_b,
                                 static_cast<std::uint32_t>(state.points.size()),
                                 static_cast<std::uint32_t>(key.count), impulses_[i].rolling});
      for (std::size_t k = 0; k < static_cast<std::size_t>(key.count); ++k)
        state.points.push_back(
            {key.features[k], key.positions[k], impulses_[i].normal[k], impulses_[i].friction[k]});
    }
  }
}

void ContactSet::restore(const WorldState& state) {
  removed_.clear();
  pairs_.clear();
  keys_.clear();
  impulses_.clear();
  patches_.clear();
  stirring_ = 0;
  reuse_ = false;
  for (const PairMemory& pair : state.pairs)
    pairs_.push_back({pair.body_a, pair.body_b, pair.cache, pair.first, pair.count, pair.image});
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
    keys_.push_back(key);
    impulses_.push_back(impulses);
  }
}

}  // namespace tactus::detail
