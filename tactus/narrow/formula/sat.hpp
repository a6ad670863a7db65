#pragma once

#include "tactus/narrow/difference/cso.hpp"
#include "tactus/narrow/formula/closed_form.hpp"
#include "tactus/observer.hpp"

namespace tactus::detail {

/// Two boxes in A's frame.
struct BoxPair {
  Vec3 half_a, half_b;
  Mat3 rotation;     ///< of B's frame
  Vec3 translation;  ///< of B's centre
  double rounding;   ///< `rounding_bound`

  // NOLINTNEXTLINE(google-explicit-constructor): the same boxes
  BoxPair(const Cso& cso)
      : half_a(cso.a.half),
        half_b(cso.b.half),
        rotation(cso.rotation),
        translation(cso.translation),
        rounding(cso.error_bound) {}
  BoxPair(const Core& a, const Pose& pose_a, const Core& b, const Pose& pose_b)
      : half_a(a.half),
        half_b(b.half),
        rotation(transpose_times(pose_a.rotation(), pose_b.rotation())),
        translation(pose_a.to_local(pose_b.position())),
        rounding(rounding_bound(a, b, translation)) {}
};

/// Least overlap of two boxes over the fifteen axes that can attain it.
struct BoxAxes {
  /// Largest gap (apart) or minus the least overlap: f(n) = -separation. Exact up to `rounding`
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
BoxAxes separate_boxes(const BoxPair& boxes, StopAxes stop = StopAxes::never);

/// Tells of the axes that `separate_boxes` tries, in its order, each with its own f(n).
void tell_axes(const BoxPair& boxes, StopAxes stop, double radii, Observer& observer);

/// Completes `f`, whose n, value (the separation) and uniqueness are those of the axis, with
/// witness points of the two boxes, b - a = value * n. Where the supporting features are parallel,
/// so that many pairs are equally good, a pair in the middle is given. False when the features do
/// not face each other: boxes apart whose nearest features are a corner and a corner or edge.
bool box_witnesses(const BoxPair& boxes, const BoxAxes& axes, ClosedForm& f);

}  // namespace tactus::detail
