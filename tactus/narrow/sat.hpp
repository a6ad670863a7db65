#pragma once

#include "tactus/narrow/closed_form.hpp"
#include "tactus/narrow/cso.hpp"

namespace tactus {

/// Least overlap of two boxes over the fifteen axes that can attain it.
struct BoxAxes {
  /// Largest gap (apart) or minus the least overlap: f(n) = -separation. Exact up to `cso.rounding`
  /// when negative; a lower bound of the distance when positive.
  double separation = -std::numeric_limits<double>::infinity();
  Vec3 n;              ///< unit, from A to B, A's frame
  bool unique = true;  ///< false when another axis is as good within rounding
};

/// When an axis with a gap ends the test.
enum class StopAxes : std::uint8_t {
  never,
  at_any,   ///< the sign is enough
  at_faces  ///< the best of the six face normals: of boxes apart, that of the distance unless their
            ///< nearest features are two edges or a corner and less than a face
};

/// Separating-axis test of two box cores, exact: the depth of overlapping boxes is the least
/// overlap over the face normals and the cross products of edges. An edge pair is left out only
/// where its facet of A - B is narrower than rounding (nearly parallel edges), so that a
/// neighbouring facet is as near. `stop` ends the test early where boxes are apart.
/// Source: gottschalk1996obbtree; the bound for parallel edges is ours
/// (docs/algorithms/separating-axes.md).
BoxAxes separate_boxes(const Cso& cso, StopAxes stop = StopAxes::never);

/// Completes `f`, whose n, value (the separation) and uniqueness are those of the axis, with
/// witness points of the two boxes, b - a = value * n. Where the supporting features are parallel,
/// so that many pairs are equally good, a pair in the middle is given. False when the features do
/// not face each other: boxes apart whose nearest features are a corner and a corner or edge.
bool box_witnesses(const Cso& cso, const BoxAxes& axes, ClosedForm& f);

}  // namespace tactus
