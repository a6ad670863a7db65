#pragma once

#include "tactus/math/rigid_motion.hpp"
#include "tactus/motion/cast.hpp"

namespace tactus {

/// First contact of two placed shapes that move at constant velocities and turn about their own
/// origins, 0 <= t <= 1: the pose of A at time t is `moved(pose_a, motion_a, t)`.
///
/// Conservative: `time` is never after the first contact, `time_upper` never before it, whatever
/// the status. `hit` is `yes` where overlap is proved at `time_upper`, `no` where the bodies are
/// proved apart all the time, `undecided` where they come within rounding (some 1e-14 of the
/// lengths involved) and no overlap is found from there on: grazing, sliding, leaving a touch. At
/// `time` the gap is a few roundings, which a turn of many radians makes more of; so bodies that
/// pass each other at more than that are told apart. A start in overlap is a hit at 0 with the
/// direction, points and depth of `distance`. Of compounds, the pair of parts that touches first;
/// of meshes, the triangles.
///
/// `iterations` counts the poses at which a pair of parts was looked at: some ten for a motion of
/// less than a turn, more for each turn in reach of the other body. At 20 times
/// `options.max_iterations` for a pair of convex bodies (2,000 times for compounds and meshes) the
/// answer is `undecided` from the `time`
/// reached, Status::iteration_limit. `options.method`: `automatic` or `gjk`; other methods and
/// pairs without a distance answer Status::unsupported, what is not finite Status::invalid_input,
/// lengths beyond the range of `distance` and turns of more than 1e6 radians
/// Status::precision_limit. Never throws for pairs of convex bodies and half-spaces, which allocate
/// nothing. Source: docs/algorithms/time-of-impact.md; mirtich1996thesis, zhang2006interactive,
/// catto2013ccd.
CastResult impact(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
                  const Pose& pose_b, const RigidMotion& motion_b, const QueryOptions& options = {},
                  QueryCache* cache = nullptr);

}  // namespace tactus
