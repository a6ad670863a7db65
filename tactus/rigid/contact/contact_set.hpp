#pragma once

#include <span>
#include <utility>
#include <vector>

#include "tactus/broad.hpp"
#include "tactus/rigid/body/pair_rules.hpp"
#include "tactus/rigid/body/periodic.hpp"
#include "tactus/rigid/solver/contact_constraint.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// How a body may move within the time of a detection.
struct Outlook {
  Vec3 acceleration;     ///< by outside forces
  double turning = 0.0;  ///< how far any point of it comes by its rotation
  double aside = 0.0;    ///< by how much it may leave the way that its velocities foresee
};

/// All pairs of bodies that are near each other, with what they remember from step to step: the
/// query's cache, and the impulses of the contact points, found again by part, then feature or
/// position. Pairs are ordered by ids, then by the image of B that is meant; patches by pair, those
/// of pairs that rest after all others: of bodies that sleep or stand still.
class ContactSet {
 public:
  /// `max_threads`: of the world; 0 takes all processors.
  explicit ContactSet(int max_threads = 0) : broad_(max_threads) {}
  /// Before a step changes anything: `undo` comes back to it, where bodies had been brought back
  /// into a periodic space since, by so many periods each. Needs no memory; the lists of before are
  /// kept, and not copied.
  void remember() noexcept;
  void undo(std::span<const Body> bodies, std::span<const Periods> wrapped) noexcept;
  /// Throws StepFault (`not_finite`) for a pair whose impulses are no numbers.
  void require_finite() const;

  /// Finds pairs and patches at the bodies' present poses. Throws StepFault: `crowded` when so many
  /// are near each other that their memory would run out, `no_answer` for a pair whose contacts no
  /// query tells. A pair's
  /// patch is kept when it touches, is closer than the threshold, or could be hit within `time` by
  /// bodies that keep to the paths of their present velocities, up to `straying`. `bodies` are
  /// ordered by id.
  void detect(std::span<const Body> bodies, const WorldSettings& settings, const PairRules& rules,
              double time);

  /// Detects one patch again, with its bodies at other poses. It may lose all its points.
  /// `impulses`, those of the patch before, become those of the points now. Patches of different
  /// pairs at the same time, each with a `scratch` of its own.
  void refresh(std::size_t patch, std::span<const Body> bodies, const Pose& pose_a,
               const Pose& pose_b, PatchImpulses& impulses, std::vector<Manifold>& scratch);

  /// Pairs with a sensor that could overlap within the time of the last `detect`: positions in the
  /// list of bodies.
  std::span<const BroadPair> sensed() const { return sensed_; }
  /// Shift from the second body of a pair in `sensed()` to its image that is meant.
  Vec3 sensed_shift(std::size_t pair) const { return shift_of(sensed_images_, pair); }
  /// Number of pairs that the last `detect` found.
  std::size_t pair_count() const { return pairs_.size(); }
  /// Patches of pairs that do not rest. `body_a` and `body_b` index the span given to `detect`.
  std::span<const ContactPatch> patches() const { return all_patches().first(stirring_); }
  std::span<PatchImpulses> impulses() { return std::span(impulses_).first(stirring_); }
  std::span<const PatchImpulses> impulses() const { return all_impulses().first(stirring_); }
  /// All patches: those of resting pairs follow the others.
  std::span<const ContactPatch> all_patches() const { return patches_; }
  std::span<const PatchImpulses> all_impulses() const { return impulses_; }
  /// For each pair that has patches, by ids: these and their impulses.
  template <class F>
  void for_each_touching_pair(F&& f) const {
    for (const Pair& pair : pairs_) {
      if (pair.count > 0)
        f(all_patches().subspan(pair.first, pair.count),
          all_impulses().subspan(pair.first, pair.count));
    }
  }
  /// The first patch of each pair that rests and had none before: of a body that was put there.
  template <class F>
  void for_each_met(F&& f) const {
    for (const Pair& pair : pairs_)
      if (pair.met) f(patches_[pair.first]);
  }
  /// Ids of the bodies of each pair that had patches at the last `detect`.
  template <class F>
  void for_each_link(F&& f) const {
    for (const Pair& pair : pairs_)
      if (pair.count > 0) f(pair.body_a, pair.body_b);
  }
  /// Wall-clock milliseconds of the last `detect`.
  double broad_ms() const { return broad_ms_; }
  double narrow_ms() const { return narrow_ms_; }

  /// Is the patch the only one of its pair?
  bool alone(std::size_t patch) const { return pairs_[pair_of_patch_[patch]].count == 1; }

  /// For each body, in the order of `bodies`: does any contact carry a load on it?
  std::vector<Carried> carried(std::span<const Body> bodies);

  /// After bodies have been brought back into a periodic space: by how many periods, for each of
  /// them. The images that their pairs mean stay where they are beside each other.
  void wrap(std::span<const Body> bodies, std::span<const Periods> periods);

  /// Bodies were changed: the patches of pairs that rest are found anew.
  void look_again() { reuse_ = false; }
  /// Forgets the pairs of bodies; the list is cleared in the next `detect`.
  void remove(std::span<const BodyId> ids);

  /// Writes the pairs, patches and points.
  void save(WorldState& state) const;
  /// Takes over what `save` wrote; the patches' geometry comes with the next `detect`.
  void restore(const WorldState& state);

 private:
  struct Pair {
    BodyId body_a = kNoBody, body_b = kNoBody;
    QueryCache cache;
    std::uint32_t first = 0, count = 0;  ///< in the lists of patches
    Periods image{};                     ///< from B to the one that is meant
    bool rests = false;                  ///< found so at the last `detect`
    bool met = false;                    ///< rests, and had no patches before
  };
  /// Parts, features and positions by which a patch and its points are found again.
  struct PatchKey {
    std::int32_t part_a, part_b;
    int count;
    std::array<std::uint64_t, Manifold::kCapacity> features;
    std::array<Vec3, Manifold::kCapacity> positions;  ///< in A's frame
  };

  void find_candidates(std::span<const Body> bodies, double time);
  void find_near(std::size_t most);
  Vec3 shift_of(const std::vector<Periods>& images, std::size_t i) const {
    return images.empty() ? Vec3{} : space_.shift(images[i]);
  }
  /// Patches found for a few consecutive pairs, by one thread.
  struct Chunk {
    std::vector<PatchKey> keys;
    std::vector<PatchImpulses> impulses;
    std::vector<ContactPatch> patches;
    std::vector<Manifold> manifolds;  ///< working storage
    void clear() {
      keys.clear();
      impulses.clear();
      patches.clear();
    }
  };
  void wrap(std::span<const Body> bodies, std::span<const Periods> periods, int sign);
  void match_pairs(std::span<const Body> bodies);
  void add_patches(std::size_t index, std::span<const Body> bodies, double time, Chunk& chunk);
  void keep_patches(std::size_t index, Chunk& chunk);
  void join_chunks();
  std::span<const Manifold> query(const Body& a, const Pose& pose_a, const Body& b,
                                  const Pose& pose_b, double threshold, QueryCache& cache,
                                  std::vector<Manifold>& scratch) const;
  static PatchKey make_key(const Manifold& manifold, const Pose& pose_a);
  static bool take_over(const PatchKey& key, const PatchKey& old_key, const PatchImpulses& old,
                        double size, std::array<bool, Manifold::kCapacity>& found,
                        PatchImpulses& result);
  static PatchImpulses shared(const PatchImpulses& old, int old_count, int count);
  PatchImpulses remembered(const PatchKey& key, const Pair* old, double size, bool alone) const;

  AutoBroadPhase broad_;
  std::vector<BroadEntry> entries_;
  std::vector<Outlook> outlooks_;  ///< of the bodies
  PeriodicBox space_;
  PeriodicPairs periodic_;
  std::vector<BroadPair> candidates_, sensed_;
  std::vector<Periods> images_, sensed_images_;  ///< of both; empty unless the space is periodic
  WorldSettings settings_;                       ///< of the last `detect`
  const PairRules* rules_ = nullptr;

  void clear_removed();

  /// How often the present step has detected. The first detection leaves the lists from before the
  /// step in `old_...`, the second one moves them to `..._before_`.
  int found_ = 0;
  bool reuse_before_ = false;
  bool broad_anew_ = false;  ///< what the broad phase keeps may be half done
  std::size_t stirring_before_ = 0;
  void swap_with_old() noexcept;
  void swap_before_with(bool old) noexcept;

  std::vector<Pair> pairs_, old_pairs_, pairs_before_;
  std::vector<char> loaded_;                       ///< of each pair, by `carried`
  std::vector<const Pair*> matches_;               ///< of each pair, among the old ones
  std::vector<std::uint32_t> order_, resting_;     ///< pairs: all, those that rest last; these
  std::size_t stirring_pairs_ = 0, stirring_ = 0;  ///< that do not rest; patches of these
  std::vector<Chunk> chunks_;
  std::vector<BodyId> removed_;  ///< in order: bodies whose pairs are still in the list
  std::vector<PatchKey> keys_, old_keys_, keys_before_;
  std::vector<PatchImpulses> impulses_, old_impulses_, impulses_before_;
  std::vector<ContactPatch> patches_, old_patches_, patches_before_;
  bool reuse_ = false;  ///< what rested at the last `detect` is as it was
  std::vector<std::uint32_t> pair_of_patch_;
  double broad_ms_ = 0.0, narrow_ms_ = 0.0;
};

}  // namespace tactus::detail
