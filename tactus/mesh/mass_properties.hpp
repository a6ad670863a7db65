#pragma once

#include <span>

#include "tactus/math/mat3.hpp"
#include "tactus/mesh/convex_hull.hpp"
#include "tactus/mesh/triangle_mesh.hpp"

namespace tactus {

/// Volume integrals of a body of unit density, in the body's own frame.
struct MassProperties {
  double volume = 0.0;
  Vec3 center;   ///< centre of mass
  Mat3 inertia;  ///< about the centre of mass, axes of the body's frame
};

/// Integrals over the inside of a closed surface (signed: an inside-out mesh has negative volume).
/// Source: mirtich1996massproperties (evaluated about a point of the body, so that far-off coordinates cost nothing).
MassProperties mass_properties(const TriangleMesh& mesh);
/// A hull of dimension below 3 has volume 0 and inertia 0 about its vertices' mean.
MassProperties mass_properties(const ConvexHull& hull);

}  // namespace tactus
