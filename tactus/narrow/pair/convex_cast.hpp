#pragma once

#include "tactus/narrow/difference/moving_cso.hpp"
#include "tactus/narrow/pair/measure_pair.hpp"

namespace tactus::detail {

/// First contact of two grown cores that move without turning; A's frame.
struct ConvexCast {
  CastOutcome outcome = CastOutcome::undecided;
  /// Proved: no contact before `time`; for a hit, some contact up to `time_upper`.
  double time = 0.0, time_upper = std::numeric_limits<double>::infinity();
  /// The signed distance at `time`, with B moved by -time * motion. Of a miss, only the direction
  /// that proved the last step is known.
  ConvexAnswer answer;
  Status status = Status::converged;
  int iterations = 0;  ///< support evaluations
};

/// Brackets the first contact within 0 <= t <= `last` (may be infinite).
///
/// GJK ray cast up to the neighbourhood of the bodies, then Newton's method on the signed distance:
/// each step moves to the time at which the best separating plane is crossed, so that no step is
/// late. A pose deeper inside, where overlap is proved, bounds the time from above: the signed
/// distance is convex in time, so it has fallen to zero where the chord between the two does. Flat
/// differences, which have no inside, are hit where a polygon of their points is crossed. A start
/// in overlap is a hit at 0, and `answer` is its depth. `formula` and `options` are those of
/// `measure_pair`; `sign_only`, `steps` and `max_distance` are not used. Every loop is capped.
/// Source: docs/algorithms/casts.md; vandenbergen2004raycast.
ConvexCast cast_convex_pair(const MovingCso& moving, double last, PairFormula formula,
                            const ConvexOptions& options, Epa& epa);

}  // namespace tactus::detail
