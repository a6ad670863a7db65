#pragma once

#include "tactus/math.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"

namespace tactus {

/// First contact of two placed shapes that move along straight lines without turning: at time t
/// their poses are shifted by t * motion, 0 <= t <= 1; world frame.
///
/// Conservative: `time` is never after the first contact, `time_upper` never before it, whatever
/// the status. The bracket is some roundings of the positions wide, divided by the approach speed;
/// `converged` when it is narrower than `options.tolerance` (a length, relative to the longer
/// extent). A start in overlap is a hit at 0 with the direction and points of the depth; a start
/// in touch is a hit at 0 when the bodies go into each other, `undecided` when they slide or leave.
/// Of two compounds, the first pair of parts decides.
/// `options.method`: `automatic`, `gjk` (without closed forms), `closed_form` (spheres,
/// half-spaces); the others, two half-spaces, and all but `automatic` of meshes answer
/// Status::unsupported. Poses or
/// motions that are not finite: Status::invalid_input; sizes, offset and ways that sum up to more
/// than 1e50 or, of two convex bodies, to less than 1e-48: Status::precision_limit, `undecided`
/// from time 0 on. `cache` keeps the last direction. Never throws, no allocation. Cost: a GJK
/// search and some three distance queries; constant for spheres and half-spaces. Source:
/// docs/algorithms/casts.md; vandenbergen2004raycast.
CastResult cast(const Shape& a, const Pose& pose_a, const Vec3& motion_a, const Shape& b,
                const Pose& pose_b, const Vec3& motion_b, const QueryOptions& options = {},
                QueryCache* cache = nullptr) noexcept;

/// Could two bodies touch on the way from their first poses (`_t0`) to their last ones (`_t1`)?
///
/// `no` is a proof for all motions at constant velocities between these poses, rotations of up to
/// half a turn included. `yes` says only that the hulls of both poses meet: exact for bodies that
/// don't turn, an early test for the others. Meshes and compounds are taken as their convex hulls;
/// half-spaces and poses that are not finite answer `undecided`. No allocation. Cost: a GJK search
/// with two support evaluations per body and step. Source: huotari2011; docs/algorithms/casts.md.
Overlap swept_overlap(const Shape& a, const Pose& pose_a_t0, const Pose& pose_a_t1, const Shape& b,
                      const Pose& pose_b_t0, const Pose& pose_b_t1) noexcept;

/// Where the ray origin + t * direction, 0 <= t <= max_t (may be infinite), first meets a placed
/// shape. The same as `cast` of the shape at rest, A, and a point, B: `normal` points out of the
/// shape. An open mesh is its bare surface, seen from both sides; a ray within rounding of an edge
/// of a mesh is `undecided` there. A direction that is zero or not finite, or a negative `max_t`:
/// Status::invalid_input; one shorter than 1e-150: Status::precision_limit.
CastResult ray_cast(const Shape& shape, const Pose& pose, const Vec3& origin, const Vec3& direction,
                    double max_t, const QueryOptions& options = {}) noexcept;

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
/// Status::precision_limit. Never throws; pairs of convex bodies and half-spaces allocate
/// nothing, and of others, without memory the program ends. Source:
/// docs/algorithms/time-of-impact.md; mirtich1996thesis, zhang2006interactive, catto2013ccd.
CastResult impact(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
                  const Pose& pose_b, const RigidMotion& motion_b, const QueryOptions& options = {},
                  QueryCache* cache = nullptr) noexcept;

}  // namespace tactus
