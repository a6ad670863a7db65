#pragma once

#include <limits>

namespace tactus::detail {

/// The distance from 1 to the next number, 2^-52, and the unit roundoff of double precision: half
/// of it.
inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
inline constexpr double kUnit = kEpsilon / 2.0;
inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kTwoPi = 2.0 * kPi, kHalfPi = 0.5 * kPi;
inline constexpr double kDegrees = 180.0 / kPi;  ///< of a radian
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace tactus::detail
