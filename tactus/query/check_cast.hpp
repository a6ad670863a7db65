#pragma once

#include "tactus/query/cast.hpp"
#include "tactus/query/check.hpp"

namespace tactus {

/// Re-proves a cast from the shapes alone, without the search: at `time` the bodies are as far
/// apart along the normal as the result says, they approach along it, so that they were apart
/// before, and the witnesses lie on them. The upper bound of the time is not judged.
CheckReport check(const Shape& a, const Pose& pose_a, const Vec3& motion_a, const Shape& b,
                  const Pose& pose_b, const Vec3& motion_b, const CastResult& result);

}  // namespace tactus
