#pragma once

#include <functional>
#include <string>

#include "tactus/world.hpp"

namespace tactus::detail::lab::physics {

/// A body that rolls without slip on the plane z = 0, or a ball on a fixed ball about the origin.
struct Roller {
  std::string name;
  Shape shape;
  BodyMass mass;
  Quat turn;  ///< at the start
  Vec3 spin;  ///< likewise, world
  /// Point of the surface that is farthest along a unit direction, both in the body's frame.
  std::function<Vec3(const Vec3&)> farthest;
  double base = 0.0;   ///< radius of the fixed ball; 0: the plane
  bool level = false;  ///< turns about the y axis alone: on a line, whose place nothing else tells
  double gravity = 9.81;
};

struct RollerState {
  Vec3 center;  ///< of mass
  Quat turn;
  Vec3 spin;
};

/// Motion by the equations of rolling, in which nothing of the solver has a part: with the arm r
/// from the centre of mass to the place of contact, the velocity is r x spin, and the angular
/// momentum about the place of contact follows. Fourth order in the time (Runge and Kutta).
RollerState start(const Roller& roller);
RollerState advance(const Roller& roller, const RollerState& state, double time);
Vec3 velocity(const Roller& roller, const RollerState& state);
double kinetic_energy(const Roller& roller, const RollerState& state);
double energy(const Roller& roller, const RollerState& state);

}  // namespace tactus::detail::lab::physics
