#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tactus/rigid/solver/contact_constraint.hpp"

namespace tactus::detail {

// How the impulses of contact points are handed on from one detection to the next: they are found
// again by part, then by feature or position.

/// Parts, features and positions by which a patch and its points are found again.
struct PatchKey {
  std::int32_t part_a, part_b;
  int count;
  std::array<std::uint64_t, Manifold::kCapacity> features;
  std::array<Vec3, Manifold::kCapacity> positions;  ///< in A's frame
};

PatchKey make_key(const Manifold& manifold, const Pose& pose_a);

/// Impulses for the points of a patch of a pair from those of its earlier patches, one after the
/// other. A mesh has several patches of the same parts. `size`: of the pair; `alone`: the patch is
/// the only one of its pair now.
PatchImpulses remembered(const PatchKey& key, std::span<const PatchKey> old_keys,
                         std::span<const PatchImpulses> old, double size, bool alone);

/// Impulses for a patch that was detected again, from its own before.
PatchImpulses handed_on(const PatchKey& key, const PatchKey& old_key, const PatchImpulses& old,
                        double size, bool alone);

}  // namespace tactus::detail
