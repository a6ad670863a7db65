#pragma once

#include "tactus/math/rigid_motion.hpp"
#include "tactus/query/check_cast.hpp"

namespace tactus {

/// Re-proves a time of impact without the search, from the distance of the bodies alone. They are
/// followed in steps of the distance over the largest speed of any point, so that nothing is passed
/// over, up to `time`, or to the end of the motion where no contact is claimed: none of the poses
/// on the way may overlap. Where they are nearer than a thousandth of their size, steps are as long
/// as at that gap, and `upper_only` says that the way between was not proved. At `time` the
/// distance, the normal and the witnesses are those claimed; at `time_upper` the bodies touch.
/// Cost: a distance for every step, some hundreds.
CheckReport check(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
                  const Pose& pose_b, const RigidMotion& motion_b, const CastResult& result);

}  // namespace tactus
