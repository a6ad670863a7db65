#include "tactus/io/html/packing.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::io {

std::array<std::uint16_t, 3> pack_quaternion(const Quat& q) {
  std::array<double, 4> component{q.w, q.x, q.y, q.z};
  const std::size_t largest = static_cast<std::size_t>(
      std::max_element(component.begin(), component.end(),
                       [](double a, double b) { return std::fabs(a) < std::fabs(b); }) -
      component.begin());
  const double sign = component[largest] < 0.0 ? -1.0 : 1.0;
  std::array<std::uint16_t, 3> words{};
  for (std::size_t i = 0, k = 0; i < 4; ++i) {
    if (i == largest) continue;
    const double unit = (sign * component[i] * std::sqrt(2.0) + 1.0) * 0.5;
    words[k++] = static_cast<std::uint16_t>(std::lround(std::clamp(unit, 0.0, 1.0) * 0x7fff));
  }
  words[0] = static_cast<std::uint16_t>(words[0] | (largest & 1u) << 15u);
  words[1] = static_cast<std::uint16_t>(words[1] | (largest >> 1u) << 15u);
  return words;
}

std::array<std::uint8_t, 2> pack_direction(const Vec3& unit) {
  const double sum = std::fabs(unit.x) + std::fabs(unit.y) + std::fabs(unit.z);
  double x = unit.x / sum, y = unit.y / sum;
  if (unit.z < 0.0) {
    // The lower half of the octahedron is folded outwards over the corners of the square.
    const double folded_x = (1.0 - std::fabs(y)) * (x < 0.0 ? -1.0 : 1.0);
    y = (1.0 - std::fabs(x)) * (y < 0.0 ? -1.0 : 1.0);
    x = folded_x;
  }
  const auto byte = [](double v) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(v * 0.5 + 0.5, 0.0, 1.0) * 254.0));
  };
  return {byte(x), byte(y)};
}

}  // namespace tactus::io
