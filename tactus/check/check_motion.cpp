#include <algorithm>
#include <cmath>

#include "tactus/check.hpp"
#include "tactus/check/examiner.hpp"
#include "tactus/check/report.hpp"
#include "tactus/core/constants.hpp"

namespace tactus {
using namespace detail;
namespace {

using detail::answered;
using detail::Examiner;

bool in_order(const CastResult& r) {
  if (r.hit == Overlap::no) return r.time == kInfinity && r.time_upper == kInfinity;
  return r.time >= 0.0 && r.time <= 1.0 && r.time_upper >= r.time &&
         (r.hit == Overlap::undecided || r.time_upper <= 1.0);
}

/// A cast or impact of two bodies in world poses.
struct Motions {
  Pose pose_a, pose_b;
  RigidMotion motion_a, motion_b;

  /// The poses at a time, about the place that `origin` names.
  detail::Pair at(double time, const Vec3& origin) const {
    const Pose a = pose_at(pose_a, motion_a, time), b = pose_at(pose_b, motion_b, time);
    return {detail::unchecked_pose(a.position() - origin, a.rotation()),
            detail::unchecked_pose(b.position() - origin, b.rotation()),
            {},
            {}};
  }
};

// No contact before a time: all pairs of parts are apart at all times up to it.
void check_time(const Examiner& x, const CastResult& r, CheckReport& report) {
  const bool none = r.hit == Overlap::no;
  // A gap must be wider than what rounding may hide.
  const bool proved = none ? x.proved_lower(r.normal, 1.0, detail::kEvaluation) > 0.0
                           : r.time == 0.0 || x.proved_lower(r.normal, r.time) >= -x.slack();
  record(report, none ? Claim::verdict : Claim::time, proved ? Proof::proved : Proof::unproved,
         "the directions do not keep the bodies apart up to then");
}

// Two points that coincide at the upper time.
void check_time_upper(const Examiner& x, const Motions& motions, const CastResult& r,
                      CheckReport& report) {
  Proof proof = Proof::unproved;
  if (x.certificate() != nullptr && x.certificate()->touches && !x.has_custom()) {
    const Certificate& c = *x.certificate();
    const detail::Pair then = motions.at(r.time_upper, x.origin());
    const double apart = norm(c.touch_b - c.touch_a) + x.outside(true, nullptr, then.a, c.touch_a) +
                         x.outside(false, nullptr, then.b, c.touch_b);
    if (apart <= x.world_slack()) proof = Proof::proved;
  }
  record(report, Claim::time_upper, proof, "no points are shown to touch then");
  record(report, Claim::verdict, proof, "no points are shown to touch");
}

void check_motion(const Examiner& x, const Motions& motions, const CastResult& r,
                  CheckReport& report) {
  if (!answered(r.status)) {
    if (r.hit != Overlap::undecided)
      record(report, Claim::verdict, Proof::unproved, "an unanswered query has a verdict");
    return;
  }
  record(report, Claim::value, in_order(r) ? Proof::proved : Proof::refuted,
         "the times are not in order");
  if (!in_order(r)) return;
  const bool claims = r.hit != Overlap::undecided || r.time > 0.0 || std::isfinite(r.distance);
  if (!x.in_range() && claims) {
    record(report, Claim::time, Proof::unproved, "the lengths are out of the range of doubles");
  }
  if (!x.in_range()) return;
  check_time(x, r, report);
  if (r.hit == Overlap::yes) check_time_upper(x, motions, r, report);
  if (r.hit == Overlap::no || !std::isfinite(r.distance)) return;
  const detail::Pair then = motions.at(r.time, x.origin());
  const detail::WitnessClaim claim{r.distance,      r.distance, r.normal, r.point_a, r.point_b,
                                   x.world_slack(), r.part_a,   r.part_b, -1,        -1,
                                   r.time > 0.0};
  examine_witnesses(x, then.a, then.b, claim, r.distance, report);
}

}  // namespace

CheckReport check(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
                  const Pose& pose_b, const RigidMotion& motion_b, const CastResult& result,
                  const Certificate* certificate) noexcept {
  CheckReport report;
  try {
    Examiner x(a, pose_a, b, pose_b, certificate);
    x.set_motion(motion_a, motion_b);
    check_motion(x, {pose_a, pose_b, motion_a, motion_b}, result, report);
    conclude(report);
  } catch (...) {
    report = {};
    report.claims[static_cast<int>(Claim::time)] = Proof::unproved;
  }
  return report;
}

CheckReport check(const Shape& a, const Pose& pose_a, const Vec3& motion_a, const Shape& b,
                  const Pose& pose_b, const Vec3& motion_b, const CastResult& result,
                  const Certificate* certificate) noexcept {
  return check(a, pose_a, RigidMotion{motion_a, {}}, b, pose_b, RigidMotion{motion_b, {}}, result,
               certificate);
}

}  // namespace tactus
