#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tactus/io/robot/sdf/sdf_element.hpp"
#include "tactus/robot.hpp"

namespace tactus::io {

/// A motion that follows that of another joint: value = multiplier * value of `joint` + offset.
struct SdfMimic {
  SdfElement element;
  std::string joint, axis;
  double multiplier = 1.0, offset = 0.0;
};

/// One motion of a joint.
struct SdfMotion {
  std::string suffix;  ///< of its name, behind that of the joint
  RobotJointType type = RobotJointType::continuous;
  Vec3 axis{0.0, 0.0, 1.0};
  std::string expressed_in = {};  ///< the frame of the axis; empty for that of the joint
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::optional<SdfMimic> mimic = {};
};

/// The motions of an element `joint` from the parent on: none where it is fixed; three of a ball,
/// two of a universal joint. Throws FileError, also for types that no chain of motions stands for.
std::vector<SdfMotion> motions_of(const SdfElement& joint);

}  // namespace tactus::io
