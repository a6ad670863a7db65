#pragma once

#include "tactus/narrow/difference/simplex.hpp"

namespace tactus::detail {

/// As `nearest_to_origin`, by signed volumes: the point of a tetrahedron, triangle or
/// segment nearest to the origin has the ratios of the volumes, areas or lengths in which the
/// origin (projected where it lies off the plane or line) divides it as weights; where a ratio is
/// negative, the nearest point is sought on the faces opposite to the negative ones.
///
/// Triangles are measured in the coordinate plane, segments on the coordinate axis, in which their
/// projection is largest. Ours: the signs of the volumes come from exact predicates, so that `true`
/// is a proof; the nearest end of a segment is kept, whichever it is, so that a simplex from an
/// earlier query may be the start (docs/algorithms/gjk.md). Source: montanari2017signedvolumes.
bool nearest_by_signed_volumes(const Simplex& simplex, Nearest& out);

/// As `reduce`, by signed volumes.
bool reduce_by_signed_volumes(Simplex& simplex);

}  // namespace tactus::detail
