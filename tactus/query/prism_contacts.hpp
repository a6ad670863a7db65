#pragma once

#include <vector>

#include "tactus/query.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail {

/// Patches of two prisms that move in the plane z = 0 alone, up to a gap: where their regions touch
/// or overlap, whatever their shapes in space would say. A patch for each normal, with up to four
/// points. Replaces the list; false, and the list unchanged, where one of the two is no prism or
/// does not stand upright. Cost: that of `planar::contacts`.
bool find_prism_contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                         double gap, std::vector<Manifold>& out);

}  // namespace tactus::detail
