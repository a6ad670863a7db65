#include "tactus/query/check_impact.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/query/distance.hpp"
#include "tactus/shape/bounds.hpp"

namespace tactus {
namespace {

// A pose at a later time is rounded, and an arrival leaves some roundings of distance: in units of
// epsilon times the lengths involved, and per radian turned.
constexpr double kRoundings = 1024.0;
// Of a body known by its support function alone, directions are good to the root of the tolerance.
constexpr double kCustom = 1e-7;
// A gap below this part of the size ends the proof by steps.
constexpr double kNearly = 1e-3;
constexpr int kMostSteps = 20000;
// Witnesses of meshes that nearly touch agree with the distance to this part of their lengths.
constexpr double kWitnesses = 1e-7;

/// The two bodies on their way.
struct Way {
  const Shape& a;
  const Shape& b;
  Pose pose_a, pose_b;
  RigidMotion motion_a, motion_b;
  double slack = 0.0, size = 0.0, speed = 0.0, lengths = 0.0;

  DistanceResult at(double t) const {
    return distance(a, moved(pose_a, motion_a, t), b, moved(pose_b, motion_b, t));
  }
};

double finite_or(double x, double otherwise) { return std::isfinite(x) ? x : otherwise; }

Way make_way(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
             const Pose& pose_b, const RigidMotion& motion_b) {
  Way way{a, b, pose_a, pose_b, motion_a, motion_b};
  const Vec3 gap = pose_b.position() - pose_a.position();
  const Vec3 motion = motion_b.linear - motion_a.linear;
  const double apart = norm(gap) + norm(motion);
  const double radius_a = bounding_radius(a), radius_b = bounding_radius(b);
  // Of a half-space only what is near the other body moves.
  const double reach_a = finite_or(radius_a, apart + finite_or(radius_b, 0.0));
  const double reach_b = finite_or(radius_b, apart + finite_or(radius_a, 0.0));
  const double spin_a = norm(motion_a.angular), spin_b = norm(motion_b.angular);
  way.speed = norm(motion) + spin_a * reach_a + spin_b * reach_b;
  way.size = std::max(finite_or(extent(a), 0.0), finite_or(extent(b), 0.0));
  if (way.size == 0.0) way.size = apart;
  way.lengths = norm(pose_a.position()) + norm(pose_b.position()) + norm(motion_a.linear) +
                norm(motion_b.linear) + (reach_a + reach_b);
  way.slack = kRoundings * std::numeric_limits<double>::epsilon() *
              (way.lengths + spin_a * reach_a + spin_b * reach_b);
  if (a.type() == ShapeType::custom || b.type() == ShapeType::custom)
    way.slack += kCustom * way.size;
  return way;
}

// Why the bodies may touch before `end`; empty when they do not.
const char* contact_before(const Way& way, double end, bool& proved) {
  double t = 0.0;
  for (int step = 0; step < kMostSteps; ++step) {
    const DistanceResult d = way.at(t);
    if (d.upper < -way.slack) return "the bodies overlap before the time";
    if (t >= end) return "";
    const double least = kNearly * way.size;
    proved = proved && d.lower > least;
    const double free = std::max(d.lower, least);
    t = way.speed > 0.0 ? std::min(t + free / way.speed, end) : end;
  }
  proved = false;
  return "";
}

bool has_mesh(const Shape& shape) {
  if (const auto* compound = std::get_if<Compound>(&shape.geometry())) {
    const auto& parts = compound->parts();
    return std::any_of(parts.begin(), parts.end(),
                       [](const Compound::Part& part) { return has_mesh(part.shape); });
  }
  return shape.type() == ShapeType::mesh;
}

// No direction separates meshes: their distance is asked for again.
CheckReport check_distance(const Way& way, const CastResult& result) {
  CheckReport report;
  const DistanceResult d = way.at(result.time);
  report.witness_residual = norm(result.point_b - result.point_a - result.normal * result.distance);
  if (!(d.lower <= result.distance + way.slack && result.distance <= d.upper + way.slack)) {
    report.failure = "the distance is another one";
  } else if (!(report.witness_residual <= kWitnesses * way.lengths)) {
    report.failure = "point_b - point_a is not distance * normal";
  }
  report.ok = report.failure.empty();
  return report;
}

}  // namespace

CheckReport check(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
                  const Pose& pose_b, const RigidMotion& motion_b, const CastResult& result) {
  CheckReport report;
  report.failure = detail::disorder_of_times(result);
  report.ok = report.failure.empty();
  const bool answered =
      result.status != Status::invalid_input && result.status != Status::unsupported;
  if (!report.ok || !answered) return report;
  const Way way = make_way(a, pose_a, motion_a, b, pose_b, motion_b);
  const bool contact = detail::has_contact(result);
  const double end = contact ? std::min(result.time, 1.0) : 1.0;
  if (contact && std::isfinite(result.distance)) {
    report = has_mesh(a) || has_mesh(b) ? check_distance(way, result)
                                        : detail::check_at_contact(a, moved(pose_a, motion_a, end),
                                                                   b, moved(pose_b, motion_b, end),
                                                                   result, way.slack, way.lengths);
    if (!report.ok) return report;
  }
  const auto fail = [&](const char* what) {
    report.failure = what;
    report.ok = report.failure.empty();
  };
  if (end > 0.0) {
    bool proved = true;
    fail(contact_before(way, end, proved));
    report.upper_only = !proved;
    if (!report.ok) return report;
    if (contact && result.status == Status::converged && !(result.distance <= way.slack))
      fail("the bodies do not touch at the time");
  }
  if (report.ok && result.hit == Overlap::yes) {
    if (!(result.time_upper <= 1.0)) {
      fail("a contact after the end");
    } else if (!(way.at(result.time_upper).lower <= way.slack)) {
      fail("the bodies do not touch at the upper time");
    }
  }
  return report;
}

}  // namespace tactus
