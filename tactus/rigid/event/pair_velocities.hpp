#pragma once

#include "tactus/rigid/solver/both.hpp"
#include "tactus/rigid/solver/contact_constraint.hpp"

namespace tactus::detail {

/// How easily a pair of bodies is pushed.
struct PairMobility {
  PairMobility(const SolverBody& a, const SolverBody& b)
      : inverse_mass(both(a.inverse_mass, b.inverse_mass)),
        inverse_inertia(both(a.inverse_inertia, b.inverse_inertia)) {}

  Both inverse_mass;
  BothMat3 inverse_inertia;

  /// Change of the relative velocity at a point, along `direction`, per impulse along `other`.
  double at(const BothVec3& arm, const Vec3& direction, const Vec3& other) const {
    const Both angular = dot(cross(arm, both(direction, direction)),
                             inverse_inertia * cross(arm, both(other, other)));
    return (inverse_mass[0] + inverse_mass[1]) * dot(direction, other) + (angular[0] + angular[1]);
  }
};

/// Velocities of both bodies, held outside the bodies while their impact is solved.
struct PairVelocities {
  PairVelocities(const SolverBody& a, const SolverBody& b)
      : linear(both(a.linear, b.linear)), angular(both(a.angular, b.angular)), mobility(a, b) {}

  BothVec3 linear, angular;
  PairMobility mobility;

  /// Velocity of B relative to A at a place; `arm`: from each centre of mass to it.
  Vec3 between(const BothVec3& arm) const { return (linear + cross(angular, arm)).difference(); }
  void apply(const BothVec3& arm, const Vec3& impulse) {
    const BothVec3 pushes = opposed(impulse);
    linear += pushes * mobility.inverse_mass;
    angular += mobility.inverse_inertia * cross(arm, pushes);
  }
  void store(SolverBody& a, SolverBody& b) const { store_velocities(linear, angular, a, b); }
};

}  // namespace tactus::detail
