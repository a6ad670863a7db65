#pragma once

#include <vector>

#include "tactus/planar.hpp"

namespace tactus::detail {

/// A region as convex polygons, counter-clockwise, that have its corners and no others: they cover
/// it exactly and share boundaries alone. Corners on a straight edge may be left out. At most four
/// times as many as the fewest possible for regions without holes. Throws InvalidInput (`outer`)
/// for a region whose corners lie beyond the range of the exact predicates. Cost: O(n^2) for n
/// corners, mostly; for each hole of m corners O(n m) more.
/// Source: hertel1983triangulation (joining triangles), meisters1975ears.
std::vector<std::vector<Vec2>> convex_pieces(const Region& region);

}  // namespace tactus::detail
