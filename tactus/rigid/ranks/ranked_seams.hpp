#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tactus/rigid/ranks/keyed_pushes.hpp"

namespace tactus::detail {

/// Seams of bodies whose contacts are on several ranks (`Seams`): each rank has copies of the
/// patches that others own of the bodies it knows, and so judges its own as one rank would. Which
/// of its patches are covered tells their owner. A ball covers nothing: nothing but a body that it
/// overlaps nearly as a whole is beside it where it touches.
class RankedSeams {
 public:
  explicit RankedSeams(RankRegion& region) : region_(region) {}

  /// After a detection: judges the patches of all ranks.
  void judge(ContactSet& contacts, std::span<const Body> bodies);
  /// Ranks that must hear of a patch that was found again: those that know a body of it that was on
  /// a seam at the detection.
  std::vector<int> concerned(const ContactSet& contacts, std::span<const Body> bodies,
                             std::uint32_t patch) const;
  std::vector<int> concerned_by(const ContactSet& contacts, std::span<const Body> bodies,
                                const ContactPatch& patch) const {
    return knowers_of_sides(bodies, patch, &contacts);
  }
  /// The copy of a patch that is known by its name, where there is one here.
  ContactPatch* guest(ContactSet& contacts, const PatchName& name) const;
  /// Takes over what a patch is now; the bodies keep their places in the list.
  static void renew(ContactPatch& guest, const ContactPatch& found);

 private:
  std::vector<int> knowers_of_sides(std::span<const Body> bodies, const ContactPatch& patch,
                                    const ContactSet* on_seams) const;
  void share_dropped(ContactSet& contacts, std::span<const Body> bodies);

  RankRegion& region_;
};

}  // namespace tactus::detail
