#pragma once

#include "tactus/classic/bounded_answer.hpp"

namespace tactus::detail {

struct MprOptions {
  /// Unit direction, A's frame, in which the depth is measured, such as the velocity of A relative
  /// to B; zero: along the centre ray, from the centre of A - B through the origin.
  Vec3 ray;
  double gap = 0.0;           ///< the portal's distance from the surface at which its refinement
                              ///< ends (absolute; never below rounding)
  bool stop_at_sign = false;  ///< no depth: stop when the bodies are proved apart or overlapping
  int max_iterations = 128;
  Observer* observer = nullptr;
};

enum class MprOutcome : std::uint8_t {
  separated,    ///< a direction with f(n) < 0 beyond rounding was found
  overlapping,  ///< a tetrahedron in A - B encloses a ball about the origin, beyond rounding
  undecided     ///< touching within rounding, or the cap was reached first
};

/// Lengths are those of the whole bodies; everything in A's frame.
struct MprResult {
  MprOutcome outcome = MprOutcome::undecided;
  Bounds bounds;  ///< a and b: where the ray leaves A - B through the portal
  Vec3 ray;       ///< unit
  /// Moving A by `t` against the ray, or B by t along it, separates the bodies for t >= ray_upper
  /// and for no t < ray_lower. Overlapping bodies only.
  double ray_lower = 0.0, ray_upper = std::numeric_limits<double>::infinity();
  Vec3 normal;                                                    ///< unit; of the last portal
  double normal_depth = std::numeric_limits<double>::infinity();  ///< f(normal)
};

/// Minkowski portal refinement: a portal is a triangle of support points that the ray from the
/// centre of A - B through the origin crosses; it is found, then moved outwards until the origin
/// lies behind it (overlap), a support plane lies before the origin (apart), or it lies on the
/// surface (depth).
///
/// The depths are upper bounds of the penetration depth, not the least: the ray fixes where the
/// surface is met (docs/algorithms/mpr.md has the example). A depth along the ray itself is right
/// between `ray_lower` and `ray_upper`. Ours: all decisions by exact predicates; only f(n) < 0 or
/// an enclosed ball decides; where the centre ray runs along an edge of the tetrahedron or the
/// centre is the origin, further rays from other inner points give the proof. Cost: 5..40 support
/// evaluations. Source: snethen2008xenocollide; leemann2017, section 2.4.
MprResult mpr(const Cso& cso, const MprOptions& options);

/// The bracket that `mpr` along the centre ray proves.
ConvexAnswer answer_by_mpr(const Cso& cso, const ConvexOptions& options);

}  // namespace tactus::detail
