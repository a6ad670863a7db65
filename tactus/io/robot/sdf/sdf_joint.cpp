#ifdef TACTUS_WITH_SDFORMAT

#include "tactus/io/robot/sdf/sdf_joint.hpp"

#include <cmath>

#include "tactus/io/file/line_scanner.hpp"

namespace tactus::io {
namespace {

// A limit of this magnitude means that there is none: so SDF writes it by default.
constexpr double kNoLimit = 1e16;
// An axis this far from unit length is noted.
constexpr double kAxisTolerance = 1e-3;

double limit_of(const SdfElement& limit, const char* name, double none) {
  const SdfElement element = limit.child(name);
  if (!element) return none;
  const auto value = number_in(element.text());
  if (!value || std::isnan(*value)) element.fail(quoted_word(element.text()) + " is no number");
  if (std::fabs(*value) < kNoLimit) return *value;
  return std::copysign(std::numeric_limits<double>::infinity(), *value);
}

SdfMimic mimic_of(const SdfElement& element) {
  SdfMimic mimic{element, element.attribute("joint").value_or(""),
                 element.attribute("axis").value_or("axis")};
  if (mimic.joint.empty()) element.fail("has no joint");
  const auto number = [&](const char* name, double otherwise) {
    const SdfElement child = element.child(name);
    return child ? child.number() : otherwise;
  };
  mimic.multiplier = number("multiplier", 1.0);
  mimic.offset = number("offset", 0.0) - mimic.multiplier * number("reference", 0.0);
  return mimic;
}

/// `limited` by type; without limits a hinge is `continuous`.
SdfMotion motion_of(const SdfElement& joint, const char* name, RobotJointType type,
                    const std::string& suffix) {
  const SdfElement axis = joint.child(name);
  if (!axis) joint.fail(std::string("has no <") + name + ">");
  SdfMotion motion{suffix, type};
  if (const SdfElement xyz = axis.child("xyz")) {
    motion.axis = xyz.vector();
    motion.expressed_in = xyz.attribute("expressed_in").value_or("");
    const double length = norm(motion.axis);
    if (!(length > 0.0)) xyz.fail("must not be zero");
    if (std::fabs(length - 1.0) > kAxisTolerance)
      xyz.note("is not of unit length: it is normalised");
  }
  if (const SdfElement mimic = axis.child("mimic")) motion.mimic = mimic_of(mimic);
  const SdfElement limit = axis.child("limit");
  if (!limit || type == RobotJointType::continuous) return motion;
  motion.lower = limit_of(limit, "lower", motion.lower);
  motion.upper = limit_of(limit, "upper", motion.upper);
  if (motion.lower > motion.upper) limit.fail("lower must not exceed upper");
  if (type == RobotJointType::revolute && std::isinf(motion.lower) && std::isinf(motion.upper))
    motion.type = RobotJointType::continuous;
  return motion;
}

}  // namespace

std::vector<SdfMotion> motions_of(const SdfElement& joint) {
  const std::string type = joint.attribute("type").value_or("");
  if (type == "fixed") return {};
  if (type == "revolute") return {motion_of(joint, "axis", RobotJointType::revolute, "")};
  if (type == "continuous") return {motion_of(joint, "axis", RobotJointType::continuous, "")};
  if (type == "prismatic") return {motion_of(joint, "axis", RobotJointType::prismatic, "")};
  if (type == "universal" || type == "revolute2")
    return {motion_of(joint, "axis", RobotJointType::revolute, "/axis"),
            motion_of(joint, "axis2", RobotJointType::revolute, "/axis2")};
  if (type == "ball")
    return {{"/yaw", RobotJointType::continuous, {0.0, 0.0, 1.0}},
            {"/pitch", RobotJointType::continuous, {0.0, 1.0, 0.0}},
            {"/roll", RobotJointType::continuous, {1.0, 0.0, 0.0}}};
  joint.fail("type " + quoted_word(type) +
             " is none of fixed, revolute, continuous, prismatic, ball, universal, revolute2");
}

}  // namespace tactus::io

#endif
