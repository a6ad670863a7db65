#pragma once

#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/narrow/difference/cso.hpp"

namespace tactus::detail {

/// How a cast ended.
enum class CastOutcome : std::uint8_t {
  miss,      ///< proved: the bodies share no point during the motion
  hit,       ///< proved: they share a point not later than `time_upper`
  undecided  ///< they come within rounding of each other, and no closer
};

/// A - B while both bodies move along straight lines without turning: at time t it is A - B moved
/// by t * motion. Everything in A's frame, which moves with A.
///
/// A direction n that separates at some time is a certificate for a whole interval of times, since
/// f(n) changes at the constant rate n . motion; and the signed distance is a convex function of
/// time, being the largest of such lines.
struct MovingCso {
  Cso start;                  ///< at t = 0
  Vec3 motion;                ///< of A relative to B, per unit of time
  double motion_error = 0.0;  ///< bound of the error of `motion`, a length per unit of time
  double start_error = 0.0;   ///< bound of the error of the start position beyond `start.rounding`

  /// `motion_a`, `motion_b`: world frame. `slack`: error of the given positions, a length.
  MovingCso(const Core& core_a, const Pose& pose_a, const Vec3& motion_a, const Core& core_b,
            const Pose& pose_b, const Vec3& motion_b, double slack)
      : start(core_a, pose_a, core_b, pose_b),
        motion(pose_a.direction_to_local(motion_a - motion_b)) {
    // A difference (u = 2^-53), a rotation whose entries err by 4 u, and a dot product, with a
    // margin of three.
    if (motion_a != motion_b) motion_error = kRoundings * (sum_of(motion_a) + sum_of(motion_b));
    start_error = slack + kRoundings * sum_of(start.translation);
  }

  /// A - B at time t; its `rounding` covers the rounding of the motion.
  Cso at(double t) const {
    Cso cso(start.a, Pose(), start.b,
            detail::unchecked_pose(start.translation - motion * t, start.rotation));
    cso.error_bound += rounding_of_motion(t);
    return cso;
  }
  double rounding_of_motion(double t) const { return start_error + t * motion_error; }

  /// Bound from above of the speed at which A approaches along n.
  double approach(const Vec3& n) const { return dot(n, motion) + motion_error; }
  /// Length to which steps of a search are related: the smaller extent that is not zero.
  double scale() const {
    const double least = start.a.extent < start.b.extent ? start.a.extent : start.b.extent;
    return least > 0.0 ? least : start.a.extent + start.b.extent;
  }

 private:
  static constexpr double kRoundings = 16.0 * kEpsilon;
  static double sum_of(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }
};

}  // namespace tactus::detail
