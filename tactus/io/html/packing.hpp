#pragma once

#include <array>
#include <cstdint>

#include "tactus/math.hpp"

namespace tactus::io {

/// The largest of the four components is left out, the others take 15 bits each of
/// [-sqrt(1/2), sqrt(1/2)]; bit 15 of the first and second word tell which is missing. Error below
/// 2e-4 radians.
std::array<std::uint16_t, 3> pack_quaternion(const Quat& q);

/// Octahedral map of a unit vector on two bytes, 254 steps each. Error below 0.02 radians.
std::array<std::uint8_t, 2> pack_direction(const Vec3& unit);

}  // namespace tactus::io
