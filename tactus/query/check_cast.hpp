#pragma once

#include "tactus/query/cast.hpp"
#include "tactus/query/check.hpp"

namespace tactus {

/// Re-proves a cast from the shapes alone, without the search: at `time` the bodies are as far
/// apart along the normal as the result says, they approach along it, so that they were apart
/// before, and the witnesses lie on them. The upper bound of the time is not judged.
CheckReport check(const Shape& a, const Pose& pose_a, const Vec3& motion_a, const Shape& b,
                  const Pose& pose_b, const Vec3& motion_b, const CastResult& result);

namespace detail {
/// Re-proves what a result says about the bodies where they are at its time: the distance along the
/// normal within `slack`, witnesses within a part of `lengths`.
CheckReport check_at_contact(const Shape& a, const Pose& then_a, const Shape& b, const Pose& then_b,
                             const CastResult& result, double slack, double lengths);
/// Times in order, or the reason why not; empty when they are.
const char* disorder_of_times(const CastResult& result);
/// Is there a contact to judge?
bool has_contact(const CastResult& result);
}  // namespace detail

}  // namespace tactus
