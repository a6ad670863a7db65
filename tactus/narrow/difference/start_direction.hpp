#pragma once

#include "tactus/narrow/difference/core.hpp"

namespace tactus::detail {

/// Where a search between two cores begins: of any length, zero where their centres coincide.
struct StartDirection {
  Vec3 n;  ///< from A to B, A's frame
  /// Gap between the ellipsoids along the direction of the last step, over the sum of their half
  /// lengths that way; negative in overlap, 0 without ellipsoids.
  double separation = 0.0;
};

/// Do the cores tell more than the way from centre to centre?
bool has_start_direction(const Core& a, const Core& b);

/// A first direction near that of the least f. It is only a guess, so that any error costs steps,
/// never truth.
///
/// From centre to centre; of two hulls with many vertices (`ConvexHull::spread`) turned by a few
/// steps towards the nearest points of the ellipsoids that are like them: each goes to the common
/// normal of two spheres that touch the ellipsoids where the direction does. `rotation`,
/// `translation`: of B in A's frame. Cost: some 200 instructions a step, half of a
/// support point. Source: ours; docs/algorithms/support.md.
StartDirection start_direction(const Core& a, const Core& b, const Mat3& rotation,
                               const Vec3& translation);

}  // namespace tactus::detail
