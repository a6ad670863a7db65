#pragma once

#include "tactus/world.hpp"

namespace tactus::detail {

/// Throws InvalidInput naming the field for a body that has no place among elastic contacts.
void check_elastic(const Body& body);

/// A ball against another body as springs see it: both bodies' mass and inertia about the place of
/// contact, and their curvature there.
struct ElasticPair {
  double radius = 0.0;        ///< 1 / (1 / radius of A + 1 / radius of B); what is no ball is flat
  double mass = 0.0;          ///< 1 / (1 / mass of A + 1 / mass of B)
  double rolling_mass = 0.0;  ///< likewise of the moments of inertia about the place of contact
  double rolling_radius = 0.0;
  double damping_ratio = 0.0;  ///< of the critical damping: `ElasticLaw::damping_ratio`
};

/// Where and how the surfaces of two bodies meet: B against A.
struct ElasticMeeting {
  Vec3 normal;         ///< unit, from A to B
  double depth = 0.0;  ///< > 0
  Vec3 velocity;       ///< of the surface of B beside that of A
  Vec3 turning;        ///< angular velocity of B beside that of A
};

/// The memory of a contact: how far its springs across the normal, and those against rolling and
/// spinning, are stretched.
struct ElasticStretch {
  Vec3 shift;  ///< of B along the surface of A
  Vec3 turn;   ///< of B, a rotation vector
};

/// Force and torque of a contact on B.
struct ElasticForce {
  double normal = 0.0;     ///< pushes, >= 0
  Vec3 friction;           ///< of the spring and its damper
  Vec3 torque;             ///< against rolling and spinning
  Vec3 held, held_torque;  ///< the parts of the springs alone
};

/// The springs between elastic balls: Hertz along the normal, Mindlin across it, with dampers by
/// which every impact along the normal has the restitution of the surfaces, whatever its speed;
/// Coulomb bounds the force across the normal, rolling and torsional friction the torque. Cost: a
/// few square roots. Source: hertz1882, mindlin1949, tsuji1992, antypov2011, schwager2007; ai2011
/// (rolling).
class ElasticLaw {
 public:
  explicit ElasticLaw(const ElasticContacts& contacts);

  /// Damping that gives impacts a restitution; at least 0.1. Cost: a microsecond.
  static double damping_ratio(double restitution);
  /// The stretch that springs have where they bear this force and torque at this depth.
  ElasticStretch stretch(const ElasticPair& pair, const SurfacePair& surface, const Vec3& normal,
                         double depth, const Vec3& held, const Vec3& held_torque) const;
  /// Force of a contact after `time` at these velocities, by which its stretch changes.
  ElasticForce force(const ElasticPair& pair, const SurfacePair& surface,
                     const ElasticMeeting& meeting, double time, ElasticStretch& stretch) const;
  /// Time that a wave along the surface takes for half of a ball's circumference, about: what steps
  /// must be shorter than.
  double rayleigh_time(double radius, double density) const;

 private:
  struct Stiffness {
    double normal = 0.0;  ///< slope of Hertz's force
    double across = 0.0;  ///< of Mindlin's
    double rolling = 0.0, spinning = 0.0;
  };
  Stiffness stiffness(const ElasticPair& pair, const SurfacePair& surface, double depth) const;

  double young_ = 0.0;  ///< of both bodies together
  double shear_ = 0.0;  ///< likewise
  double own_shear_ = 0.0, poisson_ = 0.0;
};

}  // namespace tactus::detail
