#pragma once

#include "tactus/query.hpp"

namespace tactus::detail {

/// The derivatives of the time of a first contact that `options` asks for, by the poses at the
/// start and by the motions; zero and not smooth where there is none.
///
/// The time t solves distance(t) = 0, so that its derivative is minus that of the distance at the
/// contact, divided by the speed at which the distance falls: the implicit function theorem. The
/// motion ends at time `last`. The distance at the contact is taken at a gap of 2e-8 of the size;
/// whether it is smooth is seen beside the contact: the minimum must be the only one at a small
/// gap, and the normal must hardly turn when the bodies are shifted across it, as it does where a
/// corner or an edge meets another one. Cost: some seven distances. Allocates as `distance` does.
void fill_time_derivatives(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a,
                           const Shape& b, const Pose& pose_b, const RigidMotion& motion_b,
                           CastResult& r, double last, const QueryOptions& options);

}  // namespace tactus::detail
