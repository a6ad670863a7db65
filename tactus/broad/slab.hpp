#pragma once

#include <limits>

#include "tactus/broad.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail {

/// Throws InvalidInput (`box`) for a box that is not finite.
void validate_box(const Aabb& box);

/// When a box that moves along a straight line first shares a point with another.
///
/// Along each axis the two share a point between two times, each rounded relative to itself: the
/// differences of sides and the quotients are rounded once. Widening the later one by a few
/// roundings makes sure that no meeting is missed. Source: ize2013robust.
class Slab {
 public:
  /// Throws InvalidInput (`box`, `direction`, `max_time`).
  Slab(const Aabb& box, const Vec3& direction, double max_time);

  /// Do they meet? Then `time` tells when, at least 0.
  bool enters(const Aabb& other, double& time) const {
    double near = 0.0, far = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
      const double lower = other.lower[axis] - box_.upper[axis],
                   upper = other.upper[axis] - box_.lower[axis];
      if (direction_[axis] == 0.0) {
        if (lower > 0.0 || upper < 0.0) return false;
        continue;
      }
      const bool forward = direction_[axis] > 0.0;
      const double first = (forward ? lower : upper) / direction_[axis],
                   last = (forward ? upper : lower) / direction_[axis];
      near = first > near ? first : near;
      far = last < far ? last : far;
    }
    time = near;
    // Times below the smallest normal number are rounded absolutely.
    constexpr double kLeast = 4.0 * std::numeric_limits<double>::denorm_min();
    return near <= far * (1.0 + 8.0 * kEpsilon) + kLeast;
  }

 private:
  Aabb box_;
  Vec3 direction_;
};

}  // namespace tactus::detail
