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
  bool on_first = false;        ///< the first rank alone has them all

  void clear() { *this = {}; }
  void forget(std::span<const BodyId> ids);
  /// Adds those of the other ranks, which make the same call: on the first one alone, or on all.
  void gather(const RankRegion& region, bool to_first);
};
/// Impulses are those of so long a time.
void collect_contacts(std::span<const Body> bodies, const ContactSet& contacts, double time,
                      const RankRegion* region, ReportedContacts& out);
/// Counts pairs and points that touch, and measures how deep.
void measure_contacts(const ContactSet& contacts, const RankRegion* region, StepStatistics& out);

}  // namespace tactus::detail
