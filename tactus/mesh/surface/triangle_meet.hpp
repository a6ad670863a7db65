#pragma once

#include <algorithm>

#include "tactus/math.hpp"

namespace tactus::detail {

/// Three corners in any order and in any position: coincident or collinear ones make a point or a
/// segment, which is then what all functions below measure.
struct Triangle {
  Vec3 corner[3];

  /// How far it reaches along `n`, and against it.
  double highest(const Vec3& n) const {
    return std::max(dot(n, corner[0]), std::max(dot(n, corner[1]), dot(n, corner[2])));
  }
  double lowest(const Vec3& n) const {
    return std::min(dot(n, corner[0]), std::min(dot(n, corner[1]), dot(n, corner[2])));
  }
};

/// True when the triangles have a common point; exact as `TriangleDistance::meets`. Cost: 6 to 30
/// orient3d.
bool triangles_meet(const Triangle& a, const Triangle& b);

}  // namespace tactus::detail
