#pragma once

#include <string>
#include <vector>

#include "tactus/io/file/file_notes.hpp"
#include "tactus/robot.hpp"

namespace tactus::io {

/// Links and joints that a reader has gathered, with the places of their elements.
struct RobotParts {
  std::string name;
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;
  std::vector<std::string> link_places, joint_places;  ///< `file:line`
};

/// Angles of files, in radians: `sine_cosine` is right up to here, and not beyond.
inline constexpr double kMostAngle = 1e6;
inline constexpr const char* kTooManyTurns = "angles may be up to 1e6 radians";

/// Rotation by roll, pitch, yaw, up to `kMostAngle`: about fixed x, then y, then z.
Mat3 roll_pitch_yaw(const Vec3& angles);

/// The robot of the parts; what its constructor refuses becomes an error with the place of the link
/// or joint.
Robot robot_of(RobotParts parts, const FileNotes& notes);

}  // namespace tactus::io
