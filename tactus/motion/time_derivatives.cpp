#include "tactus/motion/time_derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/constants.hpp"
#include "tactus/math/sine.hpp"
#include "tactus/query/plan/lone_minimum.hpp"
#include "tactus/query/plan/range.hpp"

namespace tactus::detail {
namespace {

// Gaps at which the contact is looked at, and the way across the normal, in steps
// (`MinimumScale`): for its values, and for what lies beside it.
constexpr double kTouching = 0.02, kBeside = 2.0, kAcross = 20.0;
// Radians that a normal may turn by on the way across, beside those that bodies turn it by whose
// curvature is this over their size.
constexpr double kTurn = 1e-3, kCurvature = 4.0;
// A contact at a smaller part of the speeds is a graze.
constexpr double kGraze = 1e-6;
// Contacts that near the end of the motion may come after it.
constexpr double kBeforeEnd = 1e-6;
// Roundings of the poses at the time of the contact, relative to the lengths.
constexpr double kPosing = 64.0;
// Turns from which on the sine, and not its series, tells what a change of the velocity does.
constexpr double kSmallTurn = 1e-2;

// Wanted width of the brackets of distances, relative to size.
constexpr double kNarrowest = 1e-14;

struct Body {
  const Shape& shape;
  const RigidMotion& motion;
  Pose pose;  ///< at the contact
};

struct Contact {
  Body a, b;
  QueryOptions options;
  CastResult& touch;
  MinimumScale scale;

  DistanceResult at(double gap, const Vec3& across, Derivatives* derivatives = nullptr) const {
    QueryOptions asked = options;
    asked.derivatives = derivatives;
    const Vec3 shift = touch.normal * (gap - touch.distance) + across;
    return distance(a.shape, a.pose, b.shape,
                    unchecked_pose(b.pose.position() + shift, b.pose.rotation()), asked);
  }
};

bool has_open_mesh(const Shape& shape) {
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) return !mesh->closed();
  const auto* compound = std::get_if<Compound>(&shape.geometry());
  return compound != nullptr &&
         std::any_of(compound->parts().begin(), compound->parts().end(),
                     [](const Compound::Part& part) { return has_open_mesh(part.shape); });
}

MinimumScale scale_of(const Body& a, const Body& b) {
  const double lengths = length_of(a.shape) + length_of(b.shape) +
                         norm(b.pose.position() - a.pose.position()) + norm(a.motion.linear) +
                         norm(b.motion.linear);
  return {extent(a.shape), extent(b.shape),
          rounding_in_world({a.shape, a.pose}, {b.shape, b.pose}, kPosing * kUnit * lengths)};
}

// The least size of a body that has one.
double smaller_size(const Body& a, const Body& b) {
  double least = kInfinity;
  for (const double size : {extent(a.shape), extent(b.shape)})
    least = size > 0.0 ? std::min(least, size) : least;
  return least;
}

// Does the surface of A - B have one normal at the contact, and one pair of points?
bool is_lone_contact(const Contact& contact, const DistanceResult& near) {
  Derivatives derivatives;
  const double step = contact.scale.step;
  const DistanceResult beside = contact.at(kBeside * step, {}, &derivatives);
  const double most = kTurn + kCurvature * kAcross * step / smaller_size(contact.a, contact.b);
  const auto is_turned = [&](const DistanceResult& r) {
    return !(norm(r.normal - near.normal) <= most);
  };
  if (!derivatives.smooth || is_turned(beside)) return false;
  const Vec3 u = any_perpendicular(near.normal), v = cross(near.normal, u);
  for (const Vec3& across : {u, -u, v, -v}) {
    if (is_turned(contact.at(kBeside * step, across * (kAcross * step)))) return false;
  }
  return true;
}

// The change of the rotation vector at the end, by that of the angular velocity's integral: the
// transpose of the left Jacobian of the exponential map, times v.
Vec3 transposed_jacobian(const Vec3& turn, const Vec3& v) {
  const double angle = norm(turn), square = angle * angle;
  double first = 0.5 - square / 24.0, second = 1.0 / 6.0 - square / 120.0;
  if (angle > kSmallTurn) {
    const SineCosine s = sine_cosine(angle), half = sine_cosine(0.5 * angle);
    first = 2.0 * half.sine * half.sine / square;
    second = (angle - s.sine) / (square * angle);
  }
  const Vec3 across = cross(turn, v);
  return v - across * first + cross(turn, across) * second;
}

// From the derivatives at the contact to those by the pose at the start, and by the motion.
void carry_back(const Body& body, double time, Vec3& linear, Vec3& angular, Vec3& motion_linear,
                Vec3& motion_angular) {
  const Vec3 turn = body.motion.angular * time;
  motion_linear = linear * time;
  motion_angular = transposed_jacobian(turn, angular) * time;
  angular = transpose_times(rotation_by(turn), angular);
}

void fill(Contact& contact, double last, Derivatives& by_pose, Derivatives& by_motion) {
  const double time = contact.touch.time;
  const DistanceResult near = contact.at(kTouching * contact.scale.step, {});
  contact.touch.unique = false;
  if (!std::isfinite(near.distance)) return;
  const Vec3 arm_a = near.point_a - contact.a.pose.position();
  const Vec3 arm_b = near.point_b - contact.b.pose.position();
  const Vec3 of_a = velocity_at(contact.a.motion, arm_a);
  const Vec3 of_b = velocity_at(contact.b.motion, arm_b);
  contact.touch.unique = is_lone_contact(contact, near);
  const double approach = dot(near.normal, of_a - of_b);
  const double speeds =
      norm(contact.a.motion.linear) + norm(contact.b.motion.linear) + norm(of_a) + norm(of_b);
  if (!(approach > kGraze * speeds)) return;
  const Vec3 slope = near.normal * (1.0 / approach);
  by_pose.linear_a = -slope;
  by_pose.angular_a = -cross(arm_a, slope);
  by_pose.linear_b = slope;
  by_pose.angular_b = cross(arm_b, slope);
  by_pose.smooth = time * (1.0 + kBeforeEnd) < last && contact.touch.unique;
  by_motion.smooth = by_pose.smooth;
  carry_back(contact.a, time, by_pose.linear_a, by_pose.angular_a, by_motion.linear_a,
             by_motion.angular_a);
  carry_back(contact.b, time, by_pose.linear_b, by_pose.angular_b, by_motion.linear_b,
             by_motion.angular_b);
}

}  // namespace

void fill_time_derivatives(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a,
                           const Shape& b, const Pose& pose_b, const RigidMotion& motion_b,
                           CastResult& r, double last, const QueryOptions& options) {
  if (options.derivatives == nullptr && options.motion_derivatives == nullptr) return;
  Derivatives by_pose, by_motion;
  if (r.hit == Overlap::yes) {
    const Body body_a{a, motion_a, pose_at(pose_a, motion_a, r.time)};
    const Body body_b{b, motion_b, pose_at(pose_b, motion_b, r.time)};
    Contact contact{body_a, body_b, {}, r, scale_of(body_a, body_b)};
    contact.options.tolerance = kNarrowest;
    contact.options.max_iterations = options.max_iterations;
    contact.options.signed_distance = !has_open_mesh(a) && !has_open_mesh(b);
    if (r.time > 0.0) {
      fill(contact, last, by_pose, by_motion);
    } else {
      // The start of the motion, whatever the poses are, as long as they overlap.
      by_pose.smooth = by_motion.smooth = r.distance < -contact.scale.step;
    }
  }
  if (options.derivatives != nullptr) *options.derivatives = by_pose;
  if (options.motion_derivatives != nullptr) *options.motion_derivatives = by_motion;
}

}  // namespace tactus::detail
