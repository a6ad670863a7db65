#pragma once

#include "tactus/classic/axis_search.hpp"
#include "tactus/narrow/difference/polytope.hpp"
#include "tactus/narrow/pair/convex_pair.hpp"

namespace tactus::detail {

/// True when both cores are polytopes and one of them has a face.
bool has_face_planes(const Core& a, const Core& b);

/// Tries the planes of A's faces against B's vertices, then those of B's faces against A's.
void try_face_planes(const Cso& cso, const Polytope& a, const Polytope& b, AxisSearch& search);

/// Separating plane among the faces of two polytopes for which `has_face_planes`. A face with the
/// other body beyond its plane proves "apart", and its gap is a lower bound of the distance.
/// Without one nothing is decided (the bodies may be apart along a pair of edges): the bracket then
/// reaches from minus the least overlap seen to the distance of two points, with the status
/// `iteration_limit`. Cost: one support evaluation per face. Source: huotari2011 (separating
/// plane).
ConvexAnswer answer_by_face_planes(const Cso& cso, const ConvexOptions& options);

}  // namespace tactus::detail
