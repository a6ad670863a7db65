#pragma once

#include "tactus/planar.hpp"

namespace tactus::detail {

/// As `planar::contacts`, but every corner that is near or inside the other region, with the edge
/// before it, and not three for each stretch: what may touch next while both turn.
void all_contacts(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b,
                  PlanarContacts& out, double margin);

}  // namespace tactus::detail
