#include "tactus/rigid/joint/joint_rows.hpp"

#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/math/angle.hpp"
#include "tactus/math/sine.hpp"
#include "tactus/rigid/body/periodic.hpp"

namespace tactus::detail {
namespace {

/// Twist has a value where 1 + cos(swing) is above this: up to 1 degree from opposite axes.
constexpr double kLeastTwistable = 1.5e-4;

/// Both frames in the world, and the arms from the centres of mass.
struct Frames {
  Vec3 anchor_a, anchor_b;
  Mat3 axes_a, axes_b;
  Vec3 center_a, center_b;

  Frames(const JointDefinition& joint, const BodyPlace& a, const BodyPlace& b)
      : anchor_a(a.pose.to_world(joint.frame_a.position())),
        anchor_b(b.pose.to_world(joint.frame_b.position())),
        axes_a(a.pose.rotation() * joint.frame_a.rotation()),
        axes_b(b.pose.rotation() * joint.frame_b.rotation()),
        center_a(a.center),
        center_b(b.center) {}
};

/// Acts along a direction at a point of A and a point of B.
JointRow along(RowKind kind, const Vec3& direction, const Vec3& arm_a, const Vec3& arm_b,
               double error) {
  return {kind, direction, cross(arm_a, direction), cross(arm_b, direction), error};
}

JointRow about(RowKind kind, const Vec3& axis, double error) {
  return {kind, {}, axis, axis, error};
}

Vec3 unit(int axis) {
  Vec3 result;
  result[axis] = 1.0;
  return result;
}

void hold_anchors(const Frames& f, JointRows& rows) {
  const Vec3 apart = f.anchor_b - f.anchor_a;
  for (int i = 0; i < 3; ++i)
    rows.row[kLinearRows + static_cast<std::size_t>(i)] =
        along(RowKind::held, unit(i), f.anchor_a - f.center_a, f.anchor_b - f.center_b, apart[i]);
}

/// The turn of B against A, near zero as a rotation vector.
void hold_axes(const Frames& f, JointRows& rows) {
  const Quat turn = to_quaternion(f.axes_b * transpose(f.axes_a));
  const Vec3 error{2.0 * turn.x, 2.0 * turn.y, 2.0 * turn.z};
  for (int i = 0; i < 3; ++i)
    rows.row[kAngularRows + static_cast<std::size_t>(i)] = about(RowKind::held, unit(i), error[i]);
}

void place_hinge(const Frames& f, JointRows& rows) {
  const Vec3 apart = cross(f.axes_a.column(2), f.axes_b.column(2));
  for (int i = 0; i < 2; ++i) {
    const Vec3 axis = f.axes_a.column(i);
    rows.row[kAngularRows + static_cast<std::size_t>(i)] =
        about(RowKind::held, axis, dot(axis, apart));
  }
  const Vec3 z = f.axes_a.column(2), x = f.axes_a.column(0);
  const Vec3 turned = f.axes_b.column(0) - z * dot(z, f.axes_b.column(0));
  // B's x axis along the hinge, a quarter turn off, has no angle.
  rows.position = max_abs(turned) > 0.0 ? angle_between(x, turned) : 0.0;
  if (dot(cross(x, turned), z) < 0.0) rows.position = -rows.position;
  rows.row[kMotorRow] = about(RowKind::driven, z, 0.0);
}

/// The limit of the swing, which acts inwards.
void limit_swing(const Frames& f, double most, JointRows& rows) {
  const Vec3 z = f.axes_a.column(2);
  const Vec3 outwards = normalized(cross(z, f.axes_b.column(2)), f.axes_a.column(0));
  rows.row[kSwingRow] = about(RowKind::limited, -outwards, most - rows.swing);
}

/// Swing and twist. The twist turns about the sum of both z axes, the faster the larger the swing.
/// Returns its row.
JointRow place_ball(const JointDefinition& joint, const Frames& f, JointRows& rows) {
  const Vec3 z_a = f.axes_a.column(2), z_b = f.axes_b.column(2);
  rows.swing = angle_between(z_a, z_b);
  if (joint.swing) limit_swing(f, *joint.swing, rows);
  const double twistable = 1.0 + dot(z_a, z_b);
  if (!(twistable > kLeastTwistable)) return {};
  const Vec3 x_a = f.axes_a.column(0), y_a = f.axes_a.column(1);
  const Vec3 x_b = f.axes_b.column(0), y_b = f.axes_b.column(1);
  const Vec3 turned{dot(x_a, x_b) + dot(y_a, y_b), dot(y_a, x_b) - dot(x_a, y_b), 0.0};
  rows.position = angle_between({1.0, 0.0, 0.0}, turned);
  if (turned.y < 0.0) rows.position = -rows.position;
  return about(RowKind::limited, (z_a + z_b) * (1.0 / twistable), 0.0);
}

/// The turn of B's frame from where the drive of a ball joint shall bring it, about the axes of
/// A's.
void draw_ball(const Frames& f, double target, JointRows& rows) {
  const SineCosine turn = sine_cosine(target);
  const Mat3 turned{
      {{turn.cosine, -turn.sine, 0.0}, {turn.sine, turn.cosine, 0.0}, {0.0, 0.0, 1.0}}};
  const Vec3 error = rotation_between(f.axes_a * turned, f.axes_b);
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = f.axes_a.column(i);
    rows.row[kDriveRows[static_cast<std::size_t>(i)]] =
        about(RowKind::drawn, axis, dot(axis, error));
  }
}

/// The motor's row of a hinge or slider as that of a drive.
void draw_position(JointType type, double target, JointRows& rows) {
  JointRow& row = rows.row[kMotorRow];
  row.kind = RowKind::drawn;
  row.error = rows.position - target;
  if (type != JointType::hinge) return;
  if (row.error > kPi) row.error -= 2.0 * kPi;
  if (row.error < -kPi) row.error += 2.0 * kPi;
}

/// Acts at B's anchor on both bodies: along the axis of A, the anchors come apart.
void place_slider(const Frames& f, JointRows& rows) {
  const Vec3 apart = f.anchor_b - f.anchor_a;
  const Vec3 arm_a = f.anchor_b - f.center_a, arm_b = f.anchor_b - f.center_b;
  for (int i = 0; i < 2; ++i) {
    const Vec3 axis = f.axes_a.column(i);
    rows.row[kLinearRows + static_cast<std::size_t>(i)] =
        along(RowKind::held, axis, arm_a, arm_b, dot(axis, apart));
  }
  const Vec3 z = f.axes_a.column(2);
  rows.position = dot(z, apart);
  rows.row[kMotorRow] = along(RowKind::driven, z, arm_a, arm_b, 0.0);
}

void place_distance(const JointDefinition& joint, const Frames& f, JointRows& rows) {
  const Vec3 apart = f.anchor_b - f.anchor_a;
  rows.position = norm(apart);
  const RowKind kind = joint.spring   ? RowKind::sprung
                       : joint.limits ? RowKind::none
                                      : RowKind::held;
  rows.row[kLinearRows] =
      along(kind, normalized(apart, {0.0, 0.0, 1.0}), f.anchor_a - f.center_a,
            f.anchor_b - f.center_b, rows.position - joint.length.value_or(0.0));
}

/// The row along which the position grows, turned towards the inside of the limits.
void place_limit(JointType type, const JointLimits& limits, const JointRow& position, double side,
                 JointRows& rows) {
  double at = rows.position;
  if (type == JointType::hinge || type == JointType::ball) {
    // The limits are left on the side where the nearer one is.
    const double middle = 0.5 * (limits.lower + limits.upper);
    if (at - middle > kPi) at -= 2.0 * kPi;
    if (at - middle < -kPi) at += 2.0 * kPi;
  }
  const double above = at - limits.lower, below = limits.upper - at;
  rows.side = side != 0.0 ? side : above <= below ? 1.0 : -1.0;
  JointRow& row = rows.row[kLimitRow];
  row = position;
  row.kind = limits.lower == limits.upper ? RowKind::held : RowKind::limited;
  if (row.kind == RowKind::held) rows.side = 1.0;
  row.error = rows.side > 0.0 ? above : below;
  if (rows.side > 0.0) return;
  row.linear = -row.linear;
  row.angular_a = -row.angular_a;
  row.angular_b = -row.angular_b;
}

}  // namespace

BodyPlace placed(const BodyPlace& place, const Vec3& shift) {
  if (max_abs(shift) == 0.0) return place;
  return {placed(place.pose, shift), place.center + shift};
}

void place_rows(const JointDefinition& joint, const BodyPlace& a, const BodyPlace& b, double side,
                JointRows& rows) {
  const Frames f(joint, a, b);
  rows = {};
  JointRow twist;
  switch (joint.type) {
    case JointType::fixed:
      hold_anchors(f, rows);
      hold_axes(f, rows);
      break;
    case JointType::ball:
      hold_anchors(f, rows);
      twist = place_ball(joint, f, rows);
      break;
    case JointType::hinge:
      hold_anchors(f, rows);
      place_hinge(f, rows);
      break;
    case JointType::slider:
      place_slider(f, rows);
      hold_axes(f, rows);
      break;
    case JointType::distance:
      place_distance(joint, f, rows);
      break;
  }
  if (const JointLimits* limits = limits_of(joint)) {
    const std::size_t along = joint.type == JointType::distance ? kLinearRows : kMotorRow;
    const bool ball = joint.type == JointType::ball;
    if (!ball || twist.kind != RowKind::none)
      place_limit(joint.type, *limits, ball ? twist : rows.row[along], side, rows);
  }
  if (joint.drive && joint.type == JointType::ball)
    draw_ball(f, joint.drive->target, rows);
  else if (joint.drive)
    draw_position(joint.type, joint.drive->target, rows);
  else if (!joint.motor)
    rows.row[kMotorRow].kind = RowKind::none;
}

}  // namespace tactus::detail
