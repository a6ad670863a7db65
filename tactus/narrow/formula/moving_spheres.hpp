#pragma once

#include <limits>

#include "tactus/narrow/difference/moving_cso.hpp"

namespace tactus::detail {

/// First contact of two moving spheres.
struct MovingSpheres {
  CastOutcome outcome = CastOutcome::undecided;
  /// Proved: no contact before `time`; for a hit, some contact up to `time_upper`.
  double time = 0.0, time_upper = std::numeric_limits<double>::infinity();
};

/// Two spheres whose centres differ by `offset` (B - A) and whose radii add up to `radius`, when A
/// moves by `motion` per unit of time relative to B, 0 <= t <= `last` (may be infinite).
///
/// The same as a point that flies along a segment towards a sphere of that radius: the foot of the
/// centre on the line, then half the chord. This solves the quadratic |offset - t motion| = radius
/// without its cancellation, and each length is taken with its rounding, so that the bracket always
/// holds. No relative motion: the start decides. `offset_error`, `motion_error`: bounds of the
/// errors of the lengths given. Cost: constant. Source: huotari2011; docs/algorithms/casts.md.
MovingSpheres moving_spheres(const Vec3& offset, double radius, const Vec3& motion,
                             double last = 1.0, double offset_error = 0.0,
                             double motion_error = 0.0);

}  // namespace tactus::detail
