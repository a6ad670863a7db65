#pragma once

#include "tactus/motion/moving_pair.hpp"
#include "tactus/query.hpp"

namespace tactus::detail {

/// How a time of impact is asked for.
struct ImpactQuestion {
  QueryOptions options;         ///< of the distances
  double width = 0.0;           ///< of the bracket of time as a length, wanted
  double speed = 0.0;           ///< bound of the relative speed of two points
  std::int64_t most_looks = 0;  ///< poses looked at; the step that reaches it is the last
};

/// A pair of parts whose order is free: a half-space is put first, as MovingPair wants.
struct ImpactPair {
  bool swapped;
  MovingPair pair;

  ImpactPair(const MovingPart& a, const MovingPart& b, const Vec3& offset, double from)
      : swapped(b.is_halfspace()),
        pair(swapped ? b : a, swapped ? a : b, swapped ? -offset : offset, from, 1.0) {}
};

/// The answer of a pair that is near at its time, A and B in the order given; points are relative
/// to A's origin at time 0. `time_upper` is the time of a pose of proved overlap, which is tried
/// just after the arrival and then farther and farther ahead, and halved back until the bracket is
/// as narrow as asked.
CastResult impact_of_near(ImpactPair& two, const Vec3& offset, const ImpactQuestion& question);

}  // namespace tactus::detail
