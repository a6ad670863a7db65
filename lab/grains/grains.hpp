#pragma once

#include <cstdint>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/world.hpp"

/// Tests of granular mechanics, each with grains of one size, give or take a tenth.
namespace tactus::detail::lab::grains {

inline constexpr double kDiameter = 0.1, kDensity = 2500.0, kGravity = 9.81;

/// Choices that all tests share.
struct Sample {
  std::uint64_t grains = 1000;
  std::uint64_t seed = 1;
  int threads = 0;
};

Material surface(double friction, double restitution = 0.5);
BodyId add_wall(World& world, const Vec3& normal, double offset, const Material& material);
/// A sphere of a diameter from 0.9 to 1.1 of the usual one.
BodyDefinition grain(Random& random, const Material& material);
/// Places of a lattice, in sizes of its cell from its corner, layer by layer.
Vec3 lattice_place(std::uint64_t i, int along, int across);
std::vector<BodyId> dynamic_bodies(const World& world);
double mass_of(const World& world, const std::vector<BodyId>& bodies);

/// How fast grains leave a bin through a round hole in its flat floor.
struct Discharge {
  double opening = 0.0;       ///< diameter of the hole over that of the grains
  double rate = 0.0;          ///< mass per time, while the second to the sixth tenth leave
  double bulk_density = 0.0;  ///< of the grains at rest
  double solid_fraction = 0.0;
  double left = 0.0;  ///< part of the mass that had left when it ended
};
Discharge discharge(double opening, const Sample& sample);
/// Source: beverloo1961flow, W = C rho sqrt(g) (D - k d)^2.5, as a straight line of W^0.4 over D.
struct Beverloo {
  double c = 0.0, k = 0.0;
  double scatter = 0.0;  ///< largest deviation of a rate from the law, relative
};
Beverloo fit_beverloo(const std::vector<Discharge>& all);

/// The slope on which grains come to rest when the wall beside them is taken away.
struct Repose {
  double friction = 0.0, rolling_friction = 0.0;
  double bond = 0.0;   ///< pull-off force of two grains over their weight
  double angle = 0.0;  ///< degrees
  double speed = 0.0;  ///< rms at the end, in diameters per time
};
Repose repose(double friction, double rolling_friction, double bond, const Sample& sample);

/// Steady flow down a rough slope, periodic in both directions.
struct Chute {
  double slope = 0.0;            ///< degrees
  double speed = 0.0;            ///< mean, in roots of g d
  double growth = 0.0;           ///< of it within the second half of what is measured, relative
  double inertial_number = 0.0;  ///< in the middle of the height
  double exponent = 0.0;         ///< of the depth, in the profile of the velocity
  double solid_fraction = 0.0;   ///< likewise
};
Chute chute(double slope, const Sample& sample);

/// A cube of grains under equal pressure on all sides, whose top is then moved down.
struct Compression {
  double friction = 0.0;
  double solid_fraction = 0.0;  ///< before
  double coordination = 0.0;    ///< before
  double peak = 0.0;            ///< largest angle of internal friction, degrees
  double critical = 0.0;        ///< its mean from a strain of 0.15 on
  double pressure_off = 0.0;    ///< of the sides, mean deviation from the wanted one, relative
};
Compression compress(double friction, double strain_rate, const Sample& sample);

}  // namespace tactus::detail::lab::grains
