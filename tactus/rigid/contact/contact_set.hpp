#pragma once

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tactus/rigid/contact/candidate_pairs.hpp"
#include "tactus/rigid/contact/contact_state.hpp"
#include "tactus/rigid/contact/pair_matcher.hpp"
#include "tactus/rigid/contact/seams.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// The patches that the last look at a pair of bodies found: they are looked at one after the
/// other, at the same poses.
struct LastLook {
  std::vector<Manifold> scratch;
  std::span<const Manifold> found;  ///< in `scratch`

  bool is_of(std::size_t pair, const Pose& pose_a, const Pose& pose_b, double within) const {
    return pair_ == pair && within_ == within && pose_a_ == pose_a && pose_b_ == pose_b;
  }
  void keep(std::size_t pair, const Pose& pose_a, const Pose& pose_b, double within,
            std::span<const Manifold> manifolds) {
    pair_ = pair;
    pose_a_ = pose_a;
    pose_b_ = pose_b;
    within_ = within;
    found = manifolds;
  }

 private:
  std::size_t pair_ = std::numeric_limits<std::size_t>::max();
  Pose pose_a_, pose_b_;
  double within_ = 0.0;
};

/// The contacts of a world: patches of all pairs of bodies that are near each other, asked anew for
/// each step, with what they remember of the last one: the query's cache, and the impulses of the
/// contact points. Which pairs are asked say `CandidatePairs` and `PairMatcher`, what is known of
/// them from step to step is a `ContactState`. Pairs are ordered by ids, then by the image of B
/// that is meant; patches by pair, those of pairs that rest after all others: of bodies that sleep
/// or stand still.
class ContactSet {
 public:
  /// `max_threads`: of the world; 0 takes all processors.
  explicit ContactSet(int max_threads = 0) : candidates_(max_threads) {}
  /// Before a step changes anything: `undo` comes back to it, where bodies had been brought back
  /// into a periodic space since, by so many periods each. Needs no memory; the lists of before are
  /// kept, and not copied.
  void remember() noexcept { state_.remember(); }
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
  /// pairs at the same time, each with a `last` of its own.
  void refresh(std::size_t patch, std::span<const Body> bodies, const Pose& pose_a,
               const Pose& pose_b, PatchImpulses& impulses, LastLook& last);

  /// The manifold of one patch with its bodies at other poses; the patch stays what it is. Patches
  /// of different pairs at the same time, each with a `last` of its own.
  Manifold look_ahead(std::size_t patch, std::span<const Body> bodies, const Pose& pose_a,
                      const Pose& pose_b, LastLook& last);

  /// Judges a patch that was detected again beside the others of its bodies. One after the other.
  void judge_again(std::uint32_t patch, const Moment& moment) {
    seams_.judge_again(patch, {state_.now().patches, guests_}, moment);
  }
  /// A patch of another rank, of a body that is shared with it.
  struct Guest {
    BodyId body_a = kNoBody, body_b = kNoBody;
    Periods image{};
    std::uint32_t place = 0;  ///< among the patches of its pair
    bool rests = false;
  };
  /// Where other ranks find patches of the same bodies, `detect` leaves the judging to this: with
  /// those patches, whose bodies are those of this rank's list.
  void judge_seams(std::span<const Body> bodies, std::vector<Guest> names,
                   std::vector<ContactPatch> guests);
  std::span<const Guest> guest_names() const { return guest_names_; }
  std::span<ContactPatch> guests() { return guests_; }
  Guest name_of(std::size_t patch) const;
  const Seams& seams() const { return seams_; }

  /// Time since the start of the next detection (`CandidatePairs::set_now`).
  void set_now(double now) noexcept { candidates_.set_now(now); }
  /// Looks only at the pairs that the filter owns; null: at all. It must outlive the use.
  void filter(const PairFilter* filter) { candidates_.filter(filter); }
  /// Lists of the last `detect`.
  const ContactState& memory() const { return state_; }
  ContactState& memory() { return state_; }
  QueryCache& cache_of(std::size_t patch) {
    return state_.now().pairs[pair_of_patch_[patch]].cache;
  }
  const ContactPair& pair_of(std::size_t patch) const {
    return state_.now().pairs[pair_of_patch_[patch]];
  }

  /// Pairs with a sensor that could overlap within the time of the last `detect`: positions in the
  /// list of bodies.
  std::span<const BroadPair> sensed() const { return candidates_.sensed(); }
  /// Shift from the second body of a pair in `sensed()` to its image that is meant.
  Vec3 sensed_shift(std::size_t pair) const { return candidates_.sensed_shift(pair); }
  /// Number of pairs that the last `detect` found.
  std::size_t pair_count() const { return state_.now().pairs.size(); }
  /// Patches of pairs that do not rest. `body_a` and `body_b` index the span given to `detect`.
  std::span<const ContactPatch> patches() const {
    return all_patches().first(state_.now().stirring);
  }
  std::span<PatchImpulses> impulses() {
    return std::span(state_.now().impulses).first(state_.now().stirring);
  }
  std::span<const PatchImpulses> impulses() const {
    return all_impulses().first(state_.now().stirring);
  }
  /// All patches: those of resting pairs follow the others.
  std::span<const ContactPatch> all_patches() const { return state_.now().patches; }
  std::span<const PatchImpulses> all_impulses() const { return state_.now().impulses; }
  /// For each pair that has patches, by ids: these and their impulses.
  template <class F>
  void for_each_touching_pair(F&& f) const {
    for (const ContactPair& pair : state_.now().pairs) {
      if (pair.count > 0)
        f(all_patches().subspan(pair.first, pair.count),
          all_impulses().subspan(pair.first, pair.count));
    }
  }
  /// The first patch of each pair that rests and had none before: of a body that was put there.
  template <class F>
  void for_each_met(F&& f) const {
    for (const ContactPair& pair : state_.now().pairs)
      if (pair.met) f(all_patches()[pair.first]);
  }
  /// Ids of the bodies of each pair that had patches at the last `detect`.
  template <class F>
  void for_each_link(F&& f) const {
    for (const ContactPair& pair : state_.now().pairs)
      if (pair.count > 0) f(pair.body_a, pair.body_b);
  }
  /// Wall-clock milliseconds of the last `detect`.
  double broad_ms() const { return broad_ms_; }
  double narrow_ms() const { return narrow_ms_; }

  /// Is the patch the only one of its pair's parts?
  bool alone(std::size_t patch) const;
  bool of_one_pair(std::size_t patch, std::size_t other) const {
    return pair_of_patch_[patch] == pair_of_patch_[other];
  }

  /// For each body, in the order of `bodies`: does any contact carry a load on it?
  std::vector<Carried> carried(std::span<const Body> bodies);

  /// After bodies have been brought back into a periodic space: by how many periods, for each of
  /// them. The images that their pairs mean stay where they are beside each other.
  void wrap(std::span<const Body> bodies, std::span<const Periods> periods) {
    state_.wrap(bodies, periods);
  }

  /// Bodies were changed: the patches of pairs that rest are found anew.
  void look_again() { state_.now().reuse = false; }
  /// Forgets the pairs of bodies; the list is cleared in the next `detect`.
  void remove(std::span<const BodyId> ids) { state_.remove(ids); }

  /// Writes the pairs, patches and points.
  void save(WorldState& state) const { state_.save(state); }
  /// Takes over what `save` wrote; the patches' geometry comes with the next `detect`.
  void restore(const WorldState& state) { state_.restore(state); }

 private:
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
  void find_patches(std::span<const Body> bodies, double time);
  void add_patches(std::size_t index, std::span<const Body> bodies, double time, Chunk& chunk);
  bool any_covered(const ContactPair& old) const;
  void keep_patches(std::size_t index, Chunk& chunk);
  void join_chunks();
  /// Patches of a pair that are asked for: those nearer than a threshold. Those of a mesh may be
  /// older by a motion of the bodies, in parts of the smaller one's extent, and are also of walls
  /// that a body comes to lie over on this way.
  struct Asked {
    double threshold, kept_while, way;
  };
  double near_reach(std::size_t patch, std::span<const Body> bodies) const;
  double agreement(const Manifold& manifold, std::size_t patch, bool by_place,
                   const Pose& pose_a) const;
  bool is_of_another(const Manifold& manifold, std::size_t patch, bool by_place,
                     const Pose& pose_a) const;
  Manifold look(std::size_t patch, std::span<const Body> bodies, const Pose& pose_a,
                const Pose& pose_b, double within, LastLook& last);
  std::span<const Manifold> query(const Body& a, const Pose& pose_a, const Body& b,
                                  const Pose& pose_b, const Asked& asked, QueryCache& cache,
                                  std::vector<Manifold>& scratch) const;

  CandidatePairs candidates_;
  PairMatcher matcher_;
  ContactState state_;
  Seams seams_;
  std::vector<Guest> guest_names_;
  std::vector<ContactPatch> guests_;
  WorldSettings settings_;  ///< of the last `detect`
  const PairRules* rules_ = nullptr;
  std::vector<Chunk> chunks_;
  std::vector<std::uint32_t> pair_of_patch_;
  std::vector<char> loaded_;  ///< of each pair, by `carried`
  double broad_ms_ = 0.0, narrow_ms_ = 0.0;
};

}  // namespace tactus::detail
