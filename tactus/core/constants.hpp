#pragma once

#include <limits>

namespace tactus::detail {

/// The unit roundoff of double precision, 2^-53: half of the distance from 1 to the next number.
inline constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2.0;
inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace tactus::detail
