#pragma once

namespace tactus {

/// Surface and bulk constants of a body.
struct Material {
  /// Coulomb coefficient, >= 0, dimensionless.
  double friction = 0.5;
  /// Ratio of separation to approach speed of an impact, in [0, 1].
  double restitution = 0.0;
  /// Resistance to rolling, >= 0, dimensionless: a round body rests on slopes up to this tangent.
  /// The torque is bounded by this times the normal force times the smaller body's rolling radius.
  double rolling_friction = 0.0;
  /// Resistance to spinning about the contact normal, >= 0, dimensionless; bounded in the same way.
  double torsional_friction = 0.0;
  /// Mass per volume, > 0, for bodies whose mass is not given.
  double density = 1000.0;
  friend bool operator==(const Material&, const Material&) = default;
};

/// What acts between two surfaces.
struct SurfacePair {
  double friction = 0.0;
  double restitution = 0.0;
  double rolling_friction = 0.0;
  double torsional_friction = 0.0;
};

/// Throws InvalidInput naming the field that is negative, out of range or not finite.
void validate(const Material& material);

/// Combination rule: geometric mean of the Coulomb coefficients (one slippery surface makes a
/// slippery pair); the larger restitution, rolling and torsional friction (one bouncy or yielding
/// surface is enough). Symmetric.
SurfacePair combine(const Material& a, const Material& b);

}  // namespace tactus
