#include "tactus/rigid/contact/patch_memory.hpp"

namespace tactus::detail {
namespace {

/// A point with a new feature counts as the old one within this distance, relative to the smaller
/// body's size.
constexpr double kSamePlace = 0.1;

/// Impulses of the points of `key` from those of one earlier patch with the same parts: of the same
/// features; a point whose feature is new takes over from the nearest old point that is left, so
/// that a corner that slips over an edge does not lose its load. `found` tells which points have
/// theirs. Returns whether any point took over.
bool take_over(const PatchKey& key, const PatchKey& old_key, const PatchImpulses& old, double size,
               std::array<bool, Manifold::kCapacity>& found, PatchImpulses& result) {
  const auto count = static_cast<std::size_t>(key.count);
  const auto old_count = static_cast<std::size_t>(old_key.count);
  std::array<bool, Manifold::kCapacity> used{};
  bool taken = false;
  const auto take = [&](std::size_t to, std::size_t from) {
    result.normal[to] = old.normal[from];
    result.friction[to] = old.friction[from];
    found[to] = used[from] = taken = true;
  };
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t j = 0; j < old_count && !found[k]; ++j) {
      if (!used[j] && old_key.features[j] == key.features[k]) take(k, j);
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (found[k]) continue;
    std::size_t nearest = old_count;
    double nearest_squared = kSamePlace * kSamePlace * size * size;
    for (std::size_t j = 0; j < old_count; ++j) {
      const double squared = squared_norm(old_key.positions[j] - key.positions[k]);
      if (used[j] || !(squared < nearest_squared)) continue;
      nearest = j;
      nearest_squared = squared;
    }
    if (nearest < old_count) take(k, nearest);
  }
  return taken;
}

/// The load of one patch that was chosen anew as a whole, as on a rim that turns, in equal parts.
PatchImpulses shared(const PatchImpulses& old, int old_count, int count) {
  PatchImpulses result;
  double normal = 0.0;
  Vec3 friction;
  for (std::size_t j = 0; j < static_cast<std::size_t>(old_count); ++j) {
    normal += old.normal[j] / count;
    friction += old.friction[j] * (1.0 / count);
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    result.normal[k] = normal;
    result.friction[k] = friction;
  }
  return result;
}

}  // namespace

PatchKey make_key(const Manifold& manifold, const Pose& pose_a) {
  PatchKey key{manifold.part_a, manifold.part_b, manifold.count, {}, {}};
  for (std::size_t k = 0; k < manifold.span().size(); ++k) {
    key.features[k] = manifold.points[k].feature;
    key.positions[k] = pose_a.to_local(manifold.points[k].point_a);
  }
  return key;
}

PatchImpulses remembered(const PatchKey& key, std::span<const PatchKey> old_keys,
                         std::span<const PatchImpulses> old, double size, bool alone) {
  PatchImpulses result;
  std::array<bool, Manifold::kCapacity> found{};
  bool seen = false, taken = false;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old_keys[i].part_a != key.part_a || old_keys[i].part_b != key.part_b) continue;
    const bool takes = take_over(key, old_keys[i], old[i], size, found, result);
    if (!takes && alone && old.size() == 1) result = shared(old[i], old_keys[i].count, key.count);
    if (!seen || (takes && !taken)) result.rolling = old[i].rolling;
    seen = true;
    taken = taken || takes;
  }
  return result;
}

PatchImpulses handed_on(const PatchKey& key, const PatchKey& old_key, const PatchImpulses& old,
                        double size, bool alone) {
  PatchImpulses kept;
  std::array<bool, Manifold::kCapacity> found{};
  if (!take_over(key, old_key, old, size, found, kept) && alone)
    kept = shared(old, old_key.count, key.count);
  kept.rolling = old.rolling;
  return kept;
}

}  // namespace tactus::detail
