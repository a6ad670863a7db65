#include "tactus/io/html/packing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tactus/core/random.hpp"

namespace tactus::io {
namespace {

using detail::Random;

TEST(Packing, QuaternionsAreNearTheirOriginals) {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const double w = random.uniform(-1, 1), x = random.uniform(-1, 1);
    const double y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    const Quat q = normalized({w, x, y, z});
    const auto words = pack_quaternion(q);
    const int largest = (words[0] >> 15) | ((words[1] >> 15) << 1);
    double c[4] = {0, 0, 0, 0};
    double rest = 1.0;
    for (int k = 0, word = 0; k < 4; ++k) {
      if (k == largest) continue;
      c[k] = ((words[static_cast<std::size_t>(word++)] & 0x7fff) / 32767.0 * 2.0 - 1.0) *
             std::sqrt(0.5);
      rest -= c[k] * c[k];
    }
    c[largest] = std::sqrt(rest);
    const Quat unpacked{c[0], c[1], c[2], c[3]};
    const Quat difference = conjugate(q) * unpacked;
    const double angle =
        2.0 * std::asin(std::min(1.0, norm(Vec3{difference.x, difference.y, difference.z})));
    EXPECT_LT(angle, 2e-4);
  }
}

TEST(Packing, DirectionsAreNearTheirOriginals) {
  Random random(6);
  for (int i = 0; i < 2000; ++i) {
    const double a = random.uniform(-1, 1), b = random.uniform(-1, 1), c = random.uniform(-1, 1);
    const Vec3 unit = normalized(Vec3{a, b, c});
    const auto bytes = pack_direction(unit);
    double x = bytes[0] / 254.0 * 2.0 - 1.0, y = bytes[1] / 254.0 * 2.0 - 1.0;
    const double z = 1.0 - std::fabs(x) - std::fabs(y);
    if (z < 0.0) {
      const double folded = (1.0 - std::fabs(y)) * (x < 0.0 ? -1.0 : 1.0);
      y = (1.0 - std::fabs(x)) * (y < 0.0 ? -1.0 : 1.0);
      x = folded;
    }
    EXPECT_GT(dot(normalized(Vec3{x, y, z}), unit), std::cos(0.02));
  }
}

}  // namespace
}  // namespace tactus::io
