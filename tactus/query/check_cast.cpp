#include "tactus/query/check_cast.hpp"

#include <cmath>

#include "tactus/shape/bounds.hpp"

namespace tactus {
namespace {

// The pose at `time` is rounded, and a time just before first contact leaves some roundings of
// distance: in units of epsilon times the lengths involved.
constexpr double kRoundings = 256.0;
// Witnesses of bodies that nearly touch agree with the distance to this part of their lengths.
constexpr double kWitnesses = 1e-7;

Pose at_time(const Pose& pose, const Vec3& motion, double time) {
  return Pose::unchecked(pose.rotation(), pose.position() + motion * time);
}

}  // namespace

CheckReport detail::check_at_contact(const Shape& a, const Pose& then_a, const Shape& b,
                                     const Pose& then_b, const CastResult& result, double slack,
                                     double lengths) {
  DistanceResult at_contact;
  at_contact.distance = result.distance;
  at_contact.lower = result.distance - slack;
  // That they are no farther apart is the claim of `time_upper`; the witnesses tell it less well.
  at_contact.upper = result.distance + kWitnesses * lengths;
  at_contact.normal = result.normal;
  at_contact.point_a = result.point_a;
  at_contact.point_b = result.point_b;
  at_contact.status = result.status;
  at_contact.part_a = result.part_a;
  at_contact.part_b = result.part_b;
  return check(a, then_a, b, then_b, at_contact);
}

const char* detail::disorder_of_times(const CastResult& result) {
  const bool ordered = result.time >= 0.0 && result.time_upper >= result.time;
  return ordered ? "" : "the times are not in order";
}

bool detail::has_contact(const CastResult& result) {
  return result.status != Status::invalid_input && result.status != Status::unsupported &&
         result.hit != Overlap::no;
}

CheckReport check(const Shape& a, const Pose& pose_a, const Vec3& motion_a, const Shape& b,
                  const Pose& pose_b, const Vec3& motion_b, const CastResult& result) {
  CheckReport report;
  report.upper_only = true;
  report.failure = detail::disorder_of_times(result);
  report.ok = report.failure.empty();
  if (!report.ok || !detail::has_contact(result)) return report;
  const auto fail = [&](const char* what) {
    report.ok = false;
    report.failure = what;
    return report;
  };
  const Pose then_a = at_time(pose_a, motion_a, result.time);
  const Pose then_b = at_time(pose_b, motion_b, result.time);
  double lengths = norm(then_a.position()) + norm(then_b.position()) + norm(pose_a.position()) +
                   norm(pose_b.position());
  for (const double radius : {bounding_radius(a), bounding_radius(b)}) {
    if (std::isfinite(radius)) lengths += radius;
  }
  const double slack = kRoundings * std::numeric_limits<double>::epsilon() * lengths;
  report = detail::check_at_contact(a, then_a, b, then_b, result, slack, lengths);
  if (!report.ok) return report;
  if (result.time > 0.0) {
    if (!(dot(result.normal, motion_a - motion_b) > 0.0))
      return fail("the bodies do not approach along the normal");
    if (!(std::fabs(result.distance) <= slack) && result.status == Status::converged)
      return fail("the bodies do not touch at the time");
  }
  return report;
}

}  // namespace tactus
