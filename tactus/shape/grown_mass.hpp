#pragma once

#include "tactus/shape.hpp"

/// Mass properties, at unit density, of bodies grown by a ball of radius `r`; see mass.hpp for
/// users.
namespace tactus::detail {

/// Solids of revolution, by integrals along the meridian: exact for the straight parts, to rounding
/// for the arcs.
MassProperties grown_mass(const Cylinder& cylinder, double r);
MassProperties grown_mass(const Cone& cone, double r);

/// Core in closed form, shell by quadrature: relative error below 1e-12 up to radii in the ratio
/// 100 : 1, 1e-11 beyond. Cost: some ms, growing with the squared logarithm of that ratio.
MassProperties grown_mass(const Ellipsoid& ellipsoid, double r);

/// Exact for every dimension: the hull, slabs on its faces, wedges along its edges, sectors of a
/// ball at its vertices. Source: schneider2014, section 4.2 (local Steiner formula).
MassProperties grown_mass(const ConvexHull& hull, double r);

}  // namespace tactus::detail
