#pragma once

#include <span>
#include <utility>
#include <vector>

#include "tactus/broad.hpp"
#include "tactus/dynamics/contact_solver.hpp"
#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Two bodies by id, first < second.
using IdPair = std::pair<BodyId, BodyId>;

/// Do type, filters and exclusions (sorted) let two bodies touch? `a` comes before `b`.
bool may_touch(const Body& a, const Body& b, std::span<const IdPair> excluded);

/// All pairs of bodies that are near each other, with what they remember from step to step: the
/// query's cache, and the impulses of the contact points, found again by part, then feature or
/// position. Pairs are ordered by ids, patches by pair.
class ContactSet {
 public:
  /// Finds pairs and patches at the bodies' present poses. A pair's patch is kept when it touches,
  /// is closer than the threshold, or could be hit within a step at the bodies' present velocities.
  /// `bodies` are ordered by id; `excluded` is sorted.
  void detect(std::span<const Body> bodies, const WorldSettings& settings,
              std::span<const IdPair> excluded);

  /// Detects one patch again, with its bodies at other poses. It may lose all its points.
  void refresh(std::size_t patch, std::span<const Body> bodies, const Pose& pose_a,
               const Pose& pose_b, const WorldSettings& settings);

  std::size_t pair_count() const { return pairs_.size(); }
  /// `body_a` and `body_b` are positions in the span given to `detect`.
  std::span<const ContactPatch> patches() const { return patches_; }
  std::span<PatchImpulses> impulses() { return impulses_; }
  std::span<const PatchImpulses> impulses() const { return impulses_; }
  /// For each pair that has patches: the first of them, and their number.
  template <class F>
  void for_each_touching_pair(F&& f) const {
    for (const Pair& pair : pairs_) {
      if (pair.count > 0)
        f(std::span<const ContactPatch>(patches_).subspan(pair.first, pair.count));
    }
  }
  /// Wall-clock milliseconds of the last `detect`.
  double broad_ms() const { return broad_ms_; }
  double narrow_ms() const { return narrow_ms_; }

  /// Forgets the pairs of one body.
  void remove(BodyId id);

  /// Writes the pairs, patches and points.
  void save(WorldState& state) const;
  /// Takes over what `save` wrote; the patches' geometry comes with the next `detect`.
  void restore(const WorldState& state);

 private:
  struct Pair {
    BodyId body_a, body_b;
    WarmStart cache;
    std::uint32_t first, count;  ///< in the lists of patches
  };
  /// What identifies a patch and its points.
  struct PatchKey {
    std::int32_t part_a, part_b;
    int count;
    std::array<std::uint64_t, Manifold::kCapacity> features;
    std::array<Vec3, Manifold::kCapacity> positions;  ///< in A's frame
  };

  void find_candidates(std::span<const Body> bodies, const WorldSettings& settings,
                       std::span<const IdPair> excluded);
  void add_patches(std::uint32_t a, std::uint32_t b, std::span<const Body> bodies,
                   const WorldSettings& settings, Pair& pair, const Pair* old);
  std::span<const Manifold> query(const Body& a, const Pose& pose_a, const Body& b,
                                  const Pose& pose_b, double threshold, WarmStart& cache);
  static PatchKey make_key(const Manifold& manifold, const Pose& pose_a);
  PatchImpulses remembered(const PatchKey& key, const Pair* old, double size) const;

  SweepAndPrune broad_;
  std::vector<BroadEntry> entries_;
  std::vector<BroadPair> candidates_;
  std::vector<Manifold> scratch_;

  std::vector<Pair> pairs_, old_pairs_;
  std::vector<PatchKey> keys_, old_keys_;
  std::vector<PatchImpulses> impulses_, old_impulses_;
  std::vector<ContactPatch> patches_;
  std::vector<std::uint32_t> pair_of_patch_;
  double broad_ms_ = 0.0, narrow_ms_ = 0.0;
};

}  // namespace tactus::detail
