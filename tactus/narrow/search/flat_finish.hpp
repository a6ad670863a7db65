#pragma once

#include "tactus/narrow/search/polish.hpp"

namespace tactus::detail {

/// Witnesses on the broad side of a flat or thin ellipsoid, where `polish` has left them off the
/// normal.
///
/// There the support point crosses the whole body while n turns by least / longest radius: Newton's
/// steps in n overshoot from either side and never land between. The same steps, taken by the
/// support point a = M u (u on the unit sphere) with n following as M^-1 u, are short and converge
/// quadratically. They start from n without its part along the long radii. `critical` is replaced
/// by what has the smaller residual at no larger value of f. Nothing is done without an ellipsoid
/// whose least radius is below a hundredth of the longest.
/// Cost: up to twenty support evaluations per ellipsoid.
void finish_on_flat(const Cso& cso, Critical& critical);

}  // namespace tactus::detail
