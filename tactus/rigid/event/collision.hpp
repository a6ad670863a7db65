#pragma once

#include <span>

#include "tactus/rigid/event/pair_velocities.hpp"

namespace tactus::detail {

/// A point in which two bodies touch.
struct ImpactPoint {
  BothVec3 arm;
  Vec3 normal;  ///< unit, from A to B
};

struct CollisionLaw {
  double friction = 0.0, restitution = 0.0;
  double micro_speed = 0.0;  ///< slower rebounds are micro-collisions
  double most_reserve = 0.0;
};

struct CollisionReport {
  double approach = 0.0;        ///< largest speed of a point towards the other body; > 0: they met
  Vec3 impulse;                 ///< on B, sum over the points
  double normal_impulse = 0.0;  ///< sum over the points
  double energy = 0.0;          ///< gained, of both bodies; positive only from the reserve
  bool micro = false;
};

/// A collision of two bodies in all points that touch, at once; nothing where none approaches.
///
/// Rebounds faster than `micro_speed`: in one point by integration of the impulse; in several their
/// approach is stopped by impulses within the cones of friction, and then the normal impulses act
/// once more, `restitution` times as strong, with friction of their own, scaled down to give back
/// restitution^2 of the work taken at most.
///
/// Others are micro-collisions: the impulses that stop the approach act (1 + s) times, friction
/// included, where s makes the fastest point part at `micro_speed`. So a body that rests on a slope
/// is thrown back the way it came and does not creep. With s <= 1 no energy is gained: of the
/// impulses p and the relative velocities u before and v after the stop, the gain is (1 + s) p . v
/// - (1 - s^2) / 2 p . (v - u), where p . v <= 0. With s > 1 the gain is taken from `reserve`, what
/// earlier collisions of the pair have lost, up to `most_reserve`; s is chosen so that the reserve
/// suffices.
CollisionReport collide(std::span<const ImpactPoint> points, const CollisionLaw& law, SolverBody& a,
                        SolverBody& b, double& reserve);

}  // namespace tactus::detail
