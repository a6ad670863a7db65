#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/contact/contact_set.hpp"
#include "tactus/rigid/ranks/rank_region.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// All contact points of the last detection, with the impulses of the step.
struct ReportedContacts {
  std::vector<Contact> list;
  std::vector<Periods> images;  ///< of the second bodies, where ranks share the world
  bool whole = true;            ///< not those of this rank alone

  void clear() { *this = {}; }
  void forget(std::span<const BodyId> ids);
  /// Adds those of the other ranks, which make the same call.
  void gather(const RankRegion& region);
};
/// Impulses are those of so long a time.
void collect_contacts(std::span<const Body> bodies, const ContactSet& contacts, double time,
                      const RankRegion* region, ReportedContacts& out);
/// Counts pairs and points that touch, and measures how deep.
void measure_contacts(const ContactSet& contacts, const RankRegion* region, StepStatistics& out);

}  // namespace tactus::detail
