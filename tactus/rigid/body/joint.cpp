#include <cmath>
#include <string>

#include "tactus/core/constants.hpp"
#include "tactus/world.hpp"

namespace tactus {
using namespace detail;
namespace {

void require(bool condition, const char* field, const char* reason) {
  if (!condition) throw InvalidInput(field, reason);
}

bool at_least_zero(double value) { return value >= 0.0 && std::isfinite(value); }

void validate_range(const JointLimits& limits, const std::string& name) {
  const auto field = [&](const char* part) { return name + part; };
  require(std::isfinite(limits.lower), field(".lower").c_str(), "must be finite");
  require(std::isfinite(limits.upper), field(".upper").c_str(), "must be finite");
  require(limits.lower <= limits.upper, field(".lower").c_str(),
          ("must not be above " + field(".upper")).c_str());
}

void validate_limits(const JointDefinition& joint, const JointLimits& limits) {
  require(joint.type == JointType::hinge || joint.type == JointType::slider ||
              joint.type == JointType::distance,
          "limits", "belong to a hinge, a slider or a distance joint");
  validate_range(limits, "limits");
  require(joint.type != JointType::hinge || (limits.lower >= -kPi && limits.upper <= kPi), "limits",
          "of a hinge must lie within -pi and pi");
  require(joint.type != JointType::distance || limits.lower >= 0.0, "limits.lower",
          "of a distance must not be negative");
}

void validate_ball(const JointDefinition& joint) {
  const bool ball = joint.type == JointType::ball;
  if (joint.swing) {
    require(ball, "swing", "belongs to a ball joint");
    require(*joint.swing > 0.0 && *joint.swing <= kPi, "swing", "must be above 0 and at most pi");
  }
  if (joint.twist) {
    require(ball, "twist", "belongs to a ball joint");
    validate_range(*joint.twist, "twist");
    require(joint.twist->lower >= -kPi && joint.twist->upper <= kPi, "twist",
            "must lie within -pi and pi");
  }
}

void validate_drive(const JointDefinition& joint, const JointDrive& drive) {
  require(joint.type == JointType::hinge || joint.type == JointType::slider ||
              joint.type == JointType::ball,
          "drive", "belongs to a hinge, a slider or a ball joint");
  require(!joint.motor, "drive", "and motor exclude each other");
  require(std::isfinite(drive.target), "drive.target", "must be finite");
  require(joint.type == JointType::slider || std::fabs(drive.target) <= kPi, "drive.target",
          "must lie within -pi and pi");
  require(at_least_zero(drive.stiffness), "drive.stiffness", "must be finite and not negative");
  require(at_least_zero(drive.damping), "drive.damping", "must be finite and not negative");
  require(drive.stiffness > 0.0 || drive.damping > 0.0, "drive.stiffness",
          "or drive.damping must be positive");
  require(drive.max_force > 0.0, "drive.max_force", "must be positive");
}

}  // namespace

std::string_view to_string(JointType type) {
  constexpr std::string_view kNames[] = {"fixed", "ball", "hinge", "slider", "distance"};
  return detail::name_in(kNames, type);
}

void validate(const JointDefinition& joint) {
  require(joint.body_a != joint.body_b, "body_b", "must not be body_a");
  require(is_finite(joint.frame_a), "frame_a", "must be finite");
  require(is_finite(joint.frame_b), "frame_b", "must be finite");
  if (joint.limits) validate_limits(joint, *joint.limits);
  validate_ball(joint);
  if (joint.motor) {
    require(joint.type == JointType::hinge || joint.type == JointType::slider, "motor",
            "belongs to a hinge or a slider");
    require(std::isfinite(joint.motor->speed), "motor.speed", "must be finite");
    require(at_least_zero(joint.motor->max_force), "motor.max_force",
            "must be finite and not negative");
  }
  if (joint.drive) validate_drive(joint, *joint.drive);
  const auto breaks = [](const std::optional<double>& least, const char* field) {
    require(!least || at_least_zero(*least), field, "must be finite and not negative");
  };
  breaks(joint.break_force, "break_force");
  breaks(joint.break_torque, "break_torque");
  if (joint.spring) {
    require(joint.type == JointType::distance, "spring", "belongs to a distance joint");
    require(joint.spring->frequency > 0.0 && std::isfinite(joint.spring->frequency),
            "spring.frequency", "must be finite and positive");
    require(at_least_zero(joint.spring->damping_ratio), "spring.damping_ratio",
            "must be finite and not negative");
  }
  if (joint.length) {
    require(joint.type == JointType::distance, "length", "belongs to a distance joint");
    require(at_least_zero(*joint.length), "length", "must be finite and not negative");
    require(!joint.limits || joint.spring, "length", "and limits exclude each other");
  }
}

Pose joint_frame(const Vec3& anchor, const Vec3& axis) {
  require(is_finite(anchor), "anchor", "must be finite");
  require(is_finite(axis) && max_abs(axis) > 0.0, "axis", "must be finite and not zero");
  const Vec3 z = normalized(axis), x = any_perpendicular(z);
  return unchecked_pose(anchor, Mat3::from_columns(x, cross(z, x), z));
}

JointDefinition joint_at(JointType type, const Body& a, const Body& b, const Vec3& anchor,
                         const Vec3& axis) {
  const Pose frame = joint_frame(anchor, axis);
  JointDefinition joint;
  joint.type = type;
  joint.body_a = a.id();
  joint.body_b = b.id();
  joint.frame_a = relative(a.pose(), frame);
  joint.frame_b = relative(b.pose(), frame);
  return joint;
}

JointDefinition distance_joint(const Body& a, const Body& b, const Vec3& anchor_a,
                               const Vec3& anchor_b) {
  require(is_finite(anchor_a), "anchor_a", "must be finite");
  require(is_finite(anchor_b), "anchor_b", "must be finite");
  JointDefinition joint;
  joint.type = JointType::distance;
  joint.body_a = a.id();
  joint.body_b = b.id();
  joint.frame_a = Pose::translation(a.pose().to_local(anchor_a));
  joint.frame_b = Pose::translation(b.pose().to_local(anchor_b));
  return joint;
}

}  // namespace tactus
