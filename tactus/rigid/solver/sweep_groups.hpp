#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/rigid/solver/contact_constraint.hpp"

namespace tactus::detail {

/// Patches that are swept side by side.
inline constexpr std::size_t kSideBySide = 4;

/// A number of each of these patches.
struct alignas(kSideBySide * sizeof(double)) LaneNumbers {
  double of[kSideBySide] = {};
};

/// Data of some patches that a sweep reads and changes: a lane for each patch, no two of which have
/// a moving body in common. All numbers of a lane without a patch are zero.
struct SweepGroup {
  std::array<std::uint32_t, kSideBySide> patch{}, body_a{}, body_b{};
  std::array<std::int32_t, kSideBySide> age{};  ///< substeps since the detection
  std::size_t first = 0;                        ///< of the points
  int count = 0;                                ///< most points of a patch
  // A bit for each lane.
  std::uint8_t filled = 0;
  std::uint8_t swept = 0;             ///< not left out
  std::uint8_t fresh = 0;             ///< no load to start from in this substep
  std::uint8_t gathered = 0;          ///< friction acts nearer to the centre of the load
  std::uint8_t resisting = 0;         ///< rolling or torsional resistance
  std::uint8_t locked = 0;            ///< one of the bodies has locked axes
  std::uint8_t creeping = 0;          ///< `ContactConstraint::creeps`
  std::uint8_t held = 0;              ///< `ContactConstraint::held`
  LaneNumbers normal[3], tangent[3];  ///< the second tangent follows from them
  LaneNumbers friction, push_speed, load;
};
/// Load centres of a group's patches, and how far friction is gathered there; only where it is.
struct SweepCenters {
  LaneNumbers part, size, a[3], b[3];
};
/// How the surfaces of a point of each patch run against their bodies, along the tangents, and the
/// image of B against B, along the normal, too; only where some do.
struct SweepBelts {
  LaneNumbers along[3];
};
/// A point of each patch of a group.
struct SweepPoint {
  LaneNumbers arm_a[3], arm_b[3];
  LaneNumbers gap, normal_mass, friction_inverse[3], friction_step;
  LaneNumbers normal_impulse, load_before, friction_impulse[2];
};
/// `ContactConstraint::Point::creep` and `swerve` of such a point; only where there is any.
struct SweepCreep {
  LaneNumbers creep[3], swerve[3], bend;
  LaneNumbers overlap;  ///< at which the point is held, if it is
};
/// Groups that one thread sweeps one after the other.
struct SweepList {
  std::vector<SweepGroup> groups;
  std::vector<SweepPoint> points;
  std::vector<SweepCenters> centers;  ///< by group; empty where no friction is gathered
  std::vector<SweepBelts> belts;      ///< by point; empty where no surface runs
  std::vector<SweepCreep> creeps;     ///< by point; empty where nothing creeps

  // While it is filled: when each patch is swept. Patches that push have even levels.
  struct Entry {
    std::uint32_t level = 0, patch = 0;
    int count = 0;  ///< of points
  };
  std::vector<Entry> entries, sorted;
  std::vector<std::uint32_t> next;  ///< by body: the first level that is free
  std::vector<std::uint32_t> bins;  ///< of entries with the same level and count: where they end
};

/// The patches of a step in the order in which they are swept, four at a time, each number of four
/// patches in a row: sweeps stream through memory and compute in all lanes of a register.
///
/// A list takes the patches of some blocks, turn by turn; in each turn those that push before the
/// others, so that whole groups can be left out. Of two patches with a moving body in common the
/// earlier one keeps to be swept first: each goes to the first level that comes after the levels of
/// its bodies, and a level is cut into groups. What comes out is what a sweep of one patch after
/// the other would give, whatever the lanes; so no bit depends on the number of lists, nor on how
/// many turns a list takes. Cost: linear in the patches.
class SweepGroups {
 public:
  /// Begins a step with so many patches and lists.
  void clear(std::size_t patches, std::size_t lists);
  /// Patches of one turn or of several, in their order.
  using Turns = std::span<const std::span<const std::uint32_t>>;
  /// Fills a list. Lists at the same time.
  void fill(std::size_t list, Turns turns, std::span<const ContactConstraint> constraints,
            std::span<const SolverBody> bodies);
  SweepList& list(std::size_t i) { return lists_[i]; }

  /// Takes over a patch that was detected again: one after the other, since its list may grow.
  /// Gives back what sweeps changed of it.
  void write(const ContactConstraint& c, std::uint32_t patch, std::span<const SolverBody> bodies);
  void read(std::uint32_t patch, ContactConstraint& c) const;
  /// Does the patch push its bodies, its resistance to turning aside?
  bool pushes(std::uint32_t patch) const;
  void leave_out(std::uint32_t patch, bool out);
  /// All that is held of a patch, and of those that are swept beside it.
  struct Copy {
    std::uint32_t list = 0, group = 0;
    SweepGroup data;
    std::vector<SweepPoint> points;
    std::vector<SweepBelts> belts;
    std::vector<SweepCreep> creeps;
    SweepCenters centers;
  };
  Copy save(std::uint32_t patch) const;
  void restore(const Copy& copy);

 private:
  struct Place {
    std::uint32_t list = 0, group = 0, lane = 0;
  };
  using Entry = SweepList::Entry;
  static void find_levels(SweepList& list, Turns turns,
                          std::span<const ContactConstraint> constraints,
                          std::span<const SolverBody> bodies);
  static void widen(SweepList& list, SweepGroup& group, int count);

  std::vector<SweepList> lists_;
  std::vector<Place> places_;  ///< by patch
};

}  // namespace tactus::detail
