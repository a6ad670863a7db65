#pragma once

#include <limits>

namespace tactus::detail {

/// The unit roundoff of double precision, 2^-53: half of the distance from 1 to the next number.
inline constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2.0;

}  // namespace tactus::detail
