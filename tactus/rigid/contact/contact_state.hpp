#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/body/periodic.hpp"
#include "tactus/rigid/contact/patch_memory.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Two bodies that are near each other.
struct ContactPair {
  BodyId body_a = kNoBody, body_b = kNoBody;
  QueryCache cache;
  std::uint32_t first = 0, count = 0;  ///< in the lists of patches
  Periods image{};                     ///< from B to the one that is meant
  bool rests = false;                  ///< found so at the last `detect`
  bool met = false;                    ///< rests, and had no patches before
  bool guest = false;                  ///< came from another rank since the last `detect`
};

/// The findings of one detection: pairs by ids, then by the image of B that is meant, and their
/// patches, those of pairs that rest after all others.
struct ContactLists {
  std::vector<ContactPair> pairs;
  std::vector<PatchKey> keys;  ///< of the patches
  std::vector<PatchImpulses> impulses;
  std::vector<ContactPatch> patches;
  std::size_t stirring = 0;  ///< patches of pairs that do not rest
  bool reuse = false;        ///< what rested at this detection is as it was

  void swap(ContactLists& other) noexcept;
};

/// Contacts from step to step: what the last detection found, what the one before it found, from
/// which it takes over, and what there was before the step, to which one that fails comes back.
/// No list is copied for that.
class ContactState {
 public:
  const ContactLists& now() const { return now_; }
  ContactLists& now() { return now_; }
  /// The lists of the detection before.
  const ContactLists& old() const { return old_; }
  ContactLists& old() { return old_; }

  /// Before a step changes anything: `undo` comes back to it, where bodies had been brought back
  /// into a periodic space since, by so many periods each. Needs no memory.
  void remember() noexcept { found_ = 0; }
  void undo(std::span<const Body> bodies, std::span<const Periods> wrapped) noexcept;
  /// A detection begins: what was found becomes old, and `now` is to be filled.
  void begin_detection() noexcept;
  /// Are the old lists those from before the step? Then they must stay as they are.
  bool old_is_kept() const { return found_ == 1; }

  /// After bodies have been brought back into a periodic space: by how many periods, for each of
  /// them. The images that their pairs mean stay where they are beside each other.
  void wrap(std::span<const Body> bodies, std::span<const Periods> periods) {
    wrap(bodies, periods, 1);
  }
  /// Forgets the pairs of bodies, when `clear_removed` is called next.
  void remove(std::span<const BodyId> ids);
  void clear_removed();

  /// Writes the pairs, patches and points.
  void save(WorldState& state) const;
  /// Takes over what `save` wrote, but for the patches' geometry.
  void restore(const WorldState& state);

 private:
  void wrap(std::span<const Body> bodies, std::span<const Periods> periods, int sign);

  ContactLists now_, old_, before_;
  /// How often the present step has detected. The first detection leaves the lists from before the
  /// step in `old_`, the second one moves them to `before_`.
  int found_ = 0;
  std::vector<BodyId> removed_;  ///< in order: bodies whose pairs are still in the list
};

}  // namespace tactus::detail
