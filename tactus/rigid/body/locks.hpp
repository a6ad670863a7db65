#pragma once

#include <array>
#include <cstdint>

#include "tactus/body.hpp"
#include "tactus/math.hpp"
#include "tactus/math/turned.hpp"

namespace tactus::detail {

/// The part of a vector along the axes that are not locked.
inline Vec3 along_free(const std::array<bool, 3>& locked, const Vec3& v) {
  return {locked[0] ? 0.0 : v.x, locked[1] ? 0.0 : v.y, locked[2] ? 0.0 : v.z};
}

inline bool any(const std::array<bool, 3>& locked) { return locked[0] || locked[1] || locked[2]; }
inline bool any(const LockedAxes& lock) { return any(lock.linear) || any(lock.angular); }

/// A bit for each axis: x, y and z along, then about.
inline std::uint8_t bits_of(const LockedAxes& lock) {
  unsigned bits = 0;
  for (unsigned i = 0; i < 3; ++i)
    bits |= (lock.linear[i] ? 1U << i : 0U) | (lock.angular[i] ? 8U << i : 0U);
  return static_cast<std::uint8_t>(bits);
}

/// All axes that either locks.
inline LockedAxes merged(const LockedAxes& a, const LockedAxes& b) {
  LockedAxes both;
  for (std::size_t i = 0; i < 3; ++i) {
    both.linear[i] = a.linear[i] || b.linear[i];
    both.angular[i] = a.angular[i] || b.angular[i];
  }
  return both;
}

/// The inverse of a symmetric matrix on the axes whose diagonal is not zero, and zero on the
/// others: of a mobility, on those that are free.
inline Mat3 inverse_where_free(Mat3 m) {
  bool none[3];
  for (int i = 0; i < 3; ++i) {
    none[i] = m(i, i) == 0.0;
    if (none[i]) m(i, i) = 1.0;
  }
  Mat3 result = inverse(m);
  for (int i = 0; i < 3; ++i)
    if (none[i]) result(i, i) = 0.0;
  return result;
}

/// Inverse inertia of a body with locked axes, all in world axes: torques about the locked ones are
/// taken up, so that it is the inverse of the inertia about the free ones alone.
inline Mat3 inverse_inertia_of(const Mat3& inertia, const Mat3& axes,
                               const std::array<bool, 3>& locked) {
  Mat3 about = to_world_axes(inertia, axes);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (locked[static_cast<std::size_t>(i)] || locked[static_cast<std::size_t>(j)])
        about(i, j) = 0.0;
  return inverse_where_free(about);
}

/// How a body turns by a torque, in world axes, when its own stand so.
inline Mat3 turning_by_torque(const Body& body, const Mat3& axes) {
  return any(body.lock().angular)
             ? inverse_inertia_of(body.mass().inertia, axes, body.lock().angular)
             : to_world_axes(body.inverse_inertia(), axes);
}

}  // namespace tactus::detail
