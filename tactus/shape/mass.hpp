#pragma once

#include "tactus/shape/shape.hpp"

namespace tactus {

/// Volume, centre of mass and inertia of a shape of unit density, in its own frame, rounding
/// included.
///
/// Exact up to rounding for every shape (an ellipsoid with rounding, which has no closed form: to
/// 1e-11). A compound sums its parts, so that overlaps count twice. Without volume (point, segment,
/// disc, flat hull) the inertia is 0. The same bits on every machine. Throws InvalidInput for a
/// half-space (unbounded) and a custom support function (unknown). Cost: constant, or a pass over
/// hull or mesh; 10 to 100 ms for an ellipsoid with rounding.
MassProperties mass_properties(const Shape& shape);

}  // namespace tactus
