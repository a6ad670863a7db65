#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/contact/contact_set.hpp"
#include "tactus/rigid/ranks/rank_region.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// All contact points of the last detection, with the impulses of the step.
void collect_contacts(std::span<const Body> bodies, const ContactSet& contacts,
                      std::vector<Contact>& out);
/// Counts pairs and points that touch, and measures how deep.
void measure_contacts(const ContactSet& contacts, const RankRegion* region, StepStatistics& out);

}  // namespace tactus::detail
