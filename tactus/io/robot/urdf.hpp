#pragma once

#include "tactus/io/robot/robot_shapes.hpp"

namespace tactus::io {

/// Links and joints that a reader has gathered, with the lines of their elements.
struct RobotParts {
  std::string name;
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;
  std::vector<int> link_lines, joint_lines;
};

/// Rotation by roll, pitch, yaw: about fixed x, then y, then z.
Mat3 roll_pitch_yaw(const Vec3& angles);

/// Reads the element `robot`. Throws FileError.
RobotParts parse_urdf(const XmlElement& root, RobotShapes& shapes, bool visual);

/// The robot of the parts; what its constructor refuses becomes an error with the line of the link
/// or joint.
Robot robot_of(RobotParts parts, const FileNotes& notes);

}  // namespace tactus::io
