#pragma once

#include <span>

#include "tactus/math.hpp"

namespace tactus::detail {

/// A half-space of velocities: dot(normal, v) >= least.
struct VelocityBound {
  Vec3 normal;  ///< unit
  double least = 0.0;
};

/// The velocity within all bounds that is nearest to the wanted one: exact, by all sets of up to
/// three bounds that it may lie on. Where no velocity is within all of them, the one of these that
/// breaks a bound by the least. Cost: the fourth power of their number, which is small.
Vec3 nearest_velocity(const Vec3& wanted, std::span<const VelocityBound> bounds);

/// By how much a velocity breaks the worst bound; 0 where it breaks none.
double worst_break(const Vec3& velocity, std::span<const VelocityBound> bounds);

}  // namespace tactus::detail
