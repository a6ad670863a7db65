#pragma once

#include "tactus/mesh.hpp"

namespace tactus::detail {

/// Throws InvalidInput, with the list and the place, unless the lists of a hull fit each other and
/// its dimension: every index leads somewhere. Whether it is the hull of anything is not asked
/// (`check_hull` does). Cost: one pass over the lists.
void require_lists(const ConvexHull& hull);

}  // namespace tactus::detail
