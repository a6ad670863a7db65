#pragma once

#include "tactus/math/mat3.hpp"
#include "tactus/mesh/hull/convex_hull.hpp"
#include "tactus/mesh/surface/triangle_mesh.hpp"

namespace tactus {

/// Volume integrals of a body of unit density, in the body's own frame.
struct MassProperties {
  double volume = 0.0;
  Vec3 center;   ///< centre of mass
  Mat3 inertia;  ///< about the centre of mass, axes of the body's frame
};

/// Integrals over the inside of a closed surface, exact up to rounding (signed: an inside-out mesh
/// has negative volume and inertia). A volume that is zero up to rounding gives 0, inertia 0 and
/// the vertices' mean. The mesh must be valid; whether it is closed is not checked. Cost: one pass
/// over the triangles. Source: tonon2005tetrahedron (signed tetrahedra, about the vertices' mean,
/// so that far-off coordinates cost nothing).
MassProperties mass_properties(const TriangleMesh& mesh);
/// A hull of dimension below 3 has volume 0 and inertia 0 about its vertices' mean.
MassProperties mass_properties(const ConvexHull& hull);

}  // namespace tactus
