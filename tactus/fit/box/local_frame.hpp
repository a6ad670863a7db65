#pragma once

#include <span>

#include "tactus/math.hpp"

namespace tactus::detail::fit {

/// v * 2^exponent.
Vec3 times_power(const Vec3& v, int exponent);

/// Points in a frame of their own: about the middle of their coordinates, divided by a power of two
/// such that the farthest coordinate is between 1/2 and 1. What is computed from the local points
/// neither overflows nor suffers from a place far from the origin.
struct LocalFrame {
  Vec3 middle;
  int exponent = 0;

  explicit LocalFrame(std::span<const Vec3> points);
  Vec3 local(const Vec3& p) const;
};

/// The rows, orthonormal to the last digit and right-handed. The first two must not be parallel.
Mat3 orthonormal(const Mat3& m);

}  // namespace tactus::detail::fit
