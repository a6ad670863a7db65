#pragma once

#include "tactus/narrow/difference/moving_cso.hpp"
#include "tactus/narrow/difference/simplex.hpp"
#include "tactus/observer.hpp"

namespace tactus::detail {

struct RayCastOptions {
  double last = 1.0;  ///< end of the motion; may be infinite
  double gap = 0.0;   ///< stop when the bodies are nearer than this (absolute)
  int max_iterations = 128;
  Observer* observer = nullptr;
};

struct RayCastResult {
  bool miss = false;  ///< proved: `normal` separates from some time on, or until after `last`
  double time = 0.0;  ///< proved: the bodies are apart at all times before
  Vec3 normal;        ///< unit; the direction that proves it, zero when none was found
  int iterations = 0;
};

/// GJK ray cast: the origin, seen from A - B, flies along -motion; every support plane that it has
/// not yet crossed moves it forward to that plane, and the simplex goes on from there.
///
/// Ends near the bodies, or where no support point brings it closer; the time is never later than
/// the first contact, within rounding included. `start`: first direction. Cost: one support
/// evaluation a step. Source: vandenbergen2004raycast; huotari2011 (with the corrections named in
/// docs/algorithms/casts.md).
RayCastResult gjk_ray_cast(const MovingCso& moving, const Vec3& start,
                           const RayCastOptions& options);

}  // namespace tactus::detail
