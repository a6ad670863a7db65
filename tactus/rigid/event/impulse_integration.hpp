#pragma once

#include "tactus/math.hpp"

namespace tactus::detail {

/// The impact of two bodies in one point, z being the normal from A to B.
struct PointImpact {
  Mat3 mobility;  ///< change of the velocity of B relative to A per impulse on B; symmetric
  Vec3 velocity;  ///< of B relative to A before the impact: z < 0
  double friction = 0.0;
  double restitution = 0.0;
};

struct PointImpulse {
  Vec3 impulse;  ///< on B
  /// Work of the normal impulse while the bodies approach, and while they part.
  double taken = 0.0, given = 0.0;
};

/// The impulse of an impact, by integration over the normal impulse: the velocity at the point
/// changes as Coulomb's law says of the direction in which it slides at that instant; where the
/// sliding stops it stays so if friction can hold it, else it goes on along the one direction that
/// keeps to itself. The impact ends when the normal impulse has given back restitution^2 times the
/// work that it took, so that energy is never gained. Steps of the fourth order, exact where the
/// direction of sliding stays (balls, plane motion); the number of steps is bounded by some
/// thousand, a spiral that is not ended by then counts as sticking. Source: mirtich1996thesis,
/// section 3.3; stronge2000impact (restitution by work).
PointImpulse integrate_impact(const PointImpact& impact);

}  // namespace tactus::detail
