#pragma once

#include "tactus/rigid/body/periodic.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// In a periodic space an anchor is any of its images: takes those that are nearest the bodies'
/// centres of mass. Throws InvalidInput (`frame_a`, `frame_b`) for one over 1e9 periods away.
void take_near_anchors(const PeriodicBox& space, const Body& a, const Body& b,
                       JointDefinition& joint);

/// From B to its image whose anchor is nearest A's. Throws InvalidInput (`body_b`) for one over 1e9
/// periods away.
Periods nearest_image(const PeriodicBox& space, const Body& a, const Body& b,
                      const JointDefinition& joint);

}  // namespace tactus::detail
