#pragma once

#include "tactus/shape/shape.hpp"

namespace tactus {

/// Volume, centre of mass and inertia of a shape of unit density, in its own frame. Closed form for primitives, exact
/// integrals for hulls and meshes; a compound sums its parts (overlaps count twice). A convex shape with `rounding`:
/// closed form where the grown body has one (sphere, capsule, box), else its grown hull's by fine sampling is not
/// attempted and the core's value scaled to the grown volume (Steiner) is given.
/// Throws InvalidInput for a half-space (unbounded) and a custom support function (unknown).
MassProperties mass_properties(const Shape& shape);

}  // namespace tactus
