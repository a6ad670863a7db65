#pragma once

#include <fcl/common/types.h>

#include "tactus/math.hpp"

namespace tactus::detail::bench {

inline fcl::Vector3d to_fcl(const Vec3& v) { return {v.x, v.y, v.z}; }
inline fcl::Transform3d to_fcl(const Pose& p) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) t.linear()(i, j) = p.rotation()(i, j);
  }
  t.translation() = to_fcl(p.position());
  return t;
}

}  // namespace tactus::detail::bench
