#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/rigid/solver/columns.hpp"
#include "tactus/rigid/solver/contact_constraint.hpp"

namespace tactus::detail {

/// The order in which a sweep meets the patches: in blocks, some of which may be swept at the same
/// time, since no moving body has patches in two of them.
///
/// A block is a column (columns.hpp). A patch belongs to the lower column of its moving bodies, and
/// reaches into the next ones at most. So columns go in four turns: even ones, those odd along x,
/// those odd along both axes, those odd along y. The few patches that reach farther go after them
/// in as many turns of columns twice as wide, or still wider. Within a block patches keep their
/// order: what stands on one another is swept as if it were alone. The order follows from the
/// bodies' places and sizes, never from the number of threads; and whether a patch comes before
/// another of the same body never follows from what lies elsewhere. Cost: linear in the patches,
/// times the digits of their columns.
class SolverBlocks {
 public:
  /// [first, last)
  struct Range {
    std::size_t first = 0, last = 0;
  };

  /// `by_turns`: every turn is a phase, however few its patches are.
  void arrange(std::span<const ContactPatch> patches, std::span<const SolverBody> bodies,
               const Columns& columns, int max_threads, bool by_turns = false);

  /// A part is some blocks of one phase, which one thread sweeps: how many there are, and the
  /// patches of each in their order. A phase is a turn, or all turns where patches are few.
  std::size_t parts() const { return parts_.size(); }
  std::span<const std::uint32_t> patches(std::size_t part) const {
    const auto [first, last] = parts_[part].patches;
    return std::span(order_).subspan(first, last - first);
  }
  /// Patches of a part, turn by turn.
  std::vector<std::span<const std::uint32_t>> turns(std::size_t part) const;
  /// A slab holds the bodies of neighbouring columns, which one part is the first to meet, and one
  /// the last: those that a part begins with, and those that it ends with. Bodies of far patches
  /// belong to no slab, nor do those that nothing moves.
  Range begun(std::size_t part) const { return parts_[part].begun; }
  Range ended(std::size_t part) const { return parts_[part].ended; }
  std::size_t slabs() const { return cuts_.size() + 1; }
  /// Slab of a body; `slabs()` for those that two parts would end with, where the columns of a
  /// periodic space meet again.
  std::size_t slab(const Columns& columns, std::uint32_t body) const;
  /// Patches that reach beyond the next columns.
  std::span<const std::uint32_t> far_patches() const { return std::span(order_).subspan(near_); }
  /// Turn in which a patch is swept; one more than the last turn, where every turn is a phase.
  std::uint32_t turn(std::uint32_t patch) const { return places_[patch].turn; }
  std::uint32_t turns_past_last() const {
    return turns_of_phases_.empty() ? 0 : turns_of_phases_.back() + 1;
  }
  /// Calls `sweep(part)` for all parts, those of one phase at the same time.
  template <class Sweep>
  void for_each_part(const Sweep& sweep, int max_threads) const {
    for (const Range& phase : phases_) for_each_of(phase, sweep, max_threads);
  }
  /// Calls it likewise where every turn is a phase, with `after(turn)` for each turn up to `turns`,
  /// whether it has parts or not.
  template <class Sweep, class After>
  void for_each_turn(std::uint32_t turns, const Sweep& sweep, const After& after,
                     int max_threads) const {
    std::size_t phase = 0;
    for (std::uint32_t now = 0; now < turns; ++now) {
      if (phase < phases_.size() && turns_of_phases_[phase] == now)
        for_each_of(phases_[phase++], sweep, max_threads);
      after(now);
    }
  }

 private:
  struct Part {
    Range patches;       ///< of `order_`
    Range begun, ended;  ///< slabs
  };
  /// When a patch is swept: in which turn, and with which column.
  struct Place {
    std::uint32_t turn = 0;
    Columns::Column column;
  };
  /// Slabs are cut where columns follow one another by these: pairs along x, and within such a pair
  /// along y.
  using Key = std::pair<std::int64_t, std::int64_t>;
  static Key key(const Columns::Column& column) { return {column.x >> 1, column.y}; }

  static Place place_of(const ContactPatch& patch, std::span<const SolverBody> bodies,
                        const Columns& columns);
  template <class Sweep>
  static void for_each_of(const Range& phase, const Sweep& sweep, int max_threads) {
    parallel_for(
        phase.last - phase.first, 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) sweep(phase.first + i);
        },
        max_threads, Schedule::steady);
  }
  void sort();
  template <class Number>
  void sort_by(std::uint64_t greatest, const Number& number);
  void cut_parts(bool by_turns, int max_threads);
  void cut_slabs();
  std::size_t slab_of(const Key& key) const;

  std::vector<Place> places_;         ///< by patch
  std::vector<std::uint32_t> order_;  ///< of patches
  std::vector<std::uint32_t> spare_, bins_;
  std::size_t near_ = 0;  ///< patches that are not far
  std::vector<Part> parts_;
  std::vector<Range> phases_;                   ///< of parts
  std::vector<std::uint32_t> turns_of_phases_;  ///< where each is a turn
  std::size_t last_phase_ = 0;                  ///< in which bodies end
  std::vector<Key> cuts_;                       ///< between slabs
};

}  // namespace tactus::detail
